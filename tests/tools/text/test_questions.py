"""Questions: what they are about, who asks, what a bare answer says, and which choice."""

import pytest

from errata.tools.text.questions import (
    answer_in_full,
    asks,
    read_choice,
    split_choices,
    states,
)


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("", "asks"),
        ("Marie Curie", "asks"),
        ("who was marie curie", "asks"),
        ("When was the tower opened? Please answer briefly.", "asks"),
        ("Tell me about Marie Curie.", "asks"),
        ("Write a paragraph about the Panama Canal. Keep it short.", "asks"),
        ("Summarise the life of Ada Lovelace", "asks"),
        ("What is the height of Mount Everest, and who climbed it first?", "asks"),
        ("Is it true that Titanic sank in 1912?", "asks"),
        ("マリ・キュリーとは誰ですか？", "asks"),
        ("Marie Curie.", "neither"),
        ("The life and work of Marie Curie.", "neither"),
        ("The tower is 330 metres tall. Why was it built? It was built for a fair.", "neither"),
        ("I have read much of her. She was famous. When was she born?", "neither"),
        ("Marie Curie was born in 1865.", "states"),
        ("Apollo 11 landed on the Moon on 20 July 1969!", "states"),
        ("Marie Curie est née en 1865. Elle était physicienne.", "states"),
        ("Ada died\n\nShe was 36", "states"),
        ("- The canal opened in 1914.\n- It is 82 km long.\n- It has locks.", "states"),
        ("When Curie was 24, she moved to Paris. There she studied physics.", "states"),
    ],
)
def test_a_message_asks_or_plainly_states(message, does):
    assert (asks(message), states(message)) == (does == "asks", does == "states")


@pytest.mark.parametrize(
    ("question", "answer", "full"),
    [
        ("When did it open?", "2016.", "When did it open: 2016."),
        ("Who wrote it?", "Ada Lovelace.", "Who wrote it: Ada Lovelace."),
        ("In which city is it?", "Paris.", "In which city is it: Paris."),
        ("How many moons has Saturn?", "146", "How many moons has Saturn: 146."),
        ("Is it tall?", "Yes.", ""),
        ("Who wrote it?", "Ada Lovelace wrote it.", ""),
        ("Tell me of Paris.", "A city.", ""),
        ("", "Paris.", ""),
    ],
)
def test_a_bare_answer_is_read_with_its_question(question, answer, full):
    assert answer_in_full(question, answer) == full


LETTERS = {"A": "bees", "B": "stones", "C": "the sea"}
NUMBERS = {"1": "bees", "2": "stones", "3": "the sea"}


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("Q?\nA: bees\nB: stones\nC: the sea", LETTERS),
        ("Q? A: bees; B: stones; C: the sea", LETTERS),
        ("Q? (A) bees (B) stones (C) the sea", LETTERS),
        ("Q?\nA. bees\nB. stones\nC. the sea", LETTERS),
        ("Q?\n1) bees\n2) stones\n3) the sea", NUMBERS),
        ("Who is J. B. Priestley?", {}),
        ("What does vitamin A: the first one, do?", {}),
        ("", {}),
    ],
)
def test_choices_are_found(question, choices):
    assert split_choices(question)[1] == choices


@pytest.mark.parametrize(
    ("choices", "reply", "key"),
    [
        (LETTERS, "B", "B"),
        (LETTERS, "(b)", "B"),
        (LETTERS, "**C**: the sea", "C"),
        (LETTERS, "The answer is B.", "B"),
        (LETTERS, "stones", "B"),
        (LETTERS, "It must be the sea, of course.", "C"),
        (LETTERS, "A sea of bees", "A"),
        (NUMBERS, "2.", "2"),
        (LETTERS, "Neither.", ""),
        (LETTERS, "G", ""),
        ({}, "D", "D"),
        ({"A": "a cat", "B": "a dog"}, "A dog", "B"),
    ],
)
def test_choices_are_read_leniently(choices, reply, key):
    assert read_choice(choices, reply) == key

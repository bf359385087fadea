"""Questions: what they are about, who asks, and what a bare answer says."""

import pytest

from errata.tools.text.questions import (
    answer_in_full,
    asks,
    question_entity,
    states,
    topic_stems,
)


@pytest.mark.parametrize(
    ("question", "entity", "stems"),
    [
        ("Who was Marie Curie?", "Marie Curie", {"mari", "curi"}),
        ("Was Rome in Italy?", "Italy", {"rome", "itali"}),
        ("who was she?", "", set()),
    ],
)
def test_what_a_question_is_about(question, entity, stems):
    assert question_entity(question) == entity
    assert topic_stems(question) == stems


@pytest.mark.parametrize(
    "message",
    [
        "Who was Marie Curie?",
        "who was marie curie",
        "When was the Eiffel Tower opened? Please answer briefly.",
        "Tell me about Marie Curie.",
        "Write a paragraph about the Panama Canal. Keep it short.",
        "Summarise the life of Ada Lovelace",
        "What is the height of Mount Everest, and who climbed it first?",
        "Is it true that Titanic sank in 1912?",
        "capital of Australia",
        "",
    ],
)
def test_a_question_or_command_asks(message):
    assert asks(message)


@pytest.mark.parametrize(
    "message",
    [
        "Marie Curie was born in 1865.",
        "Marie Curie was born in 1865. She was a physicist. She kept bees.",
        "The Eiffel Tower is 330 metres tall. Why was it built? It was built for a fair.",
        "Apollo 11 landed on the Moon on 20 July 1969!",
        "- The canal opened in 1914.\n- It is 82 km long.\n- It has locks.",
        "When Curie was 24, she moved to Paris. There she studied physics.",
    ],
)
def test_statements_are_a_draft(message):
    assert not asks(message)


@pytest.mark.parametrize(
    ("message", "is_draft"),
    [
        ("Marie Curie was born in 1865.", True),
        ("Marie Curie was born in 1865. She kept bees.", True),
        ("Marie Curie est née en 1865. Elle était physicienne.", True),
        ("Ada died\n\nShe was 36", True),
        ("Who was Marie Curie?", False),
        ("Who was Marie Curie", False),
        ("Marie Curie", False),
        ("Marie Curie.", False),
        ("The life and work of Marie Curie.", False),
        ("Tell me about Marie Curie.", False),
        ("Marie Curie was born in 1865. Is that so?", False),
        ("I have read much of her. She was famous. When was she born?", False),
        ("マリ・キュリーとは誰ですか？", False),
        ("", False),
    ],
)
def test_a_text_that_plainly_states_is_a_draft(message, is_draft):
    assert states(message) is is_draft


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

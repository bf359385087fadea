"""Sentences that state nothing."""

import pytest

from errata.tools.text.small_talk import states_nothing


@pytest.mark.parametrize(
    "sentence",
    [
        "Hi there!",
        "What a view!",
        "Good luck!",
        "I hope this helps.",
        "I really love it.",
        "Personally, I would recommend the harbour.",
        "In my opinion it is the best one in Asia.",
        "You should visit Lake Como first.",
        "When do you leave?",
        "If only we had known!",
        "The members are:",
        "Here are some facts:",
        "Run it like this:",
        "Key facts:",
    ],
)
def test_talk_states_nothing(sentence):
    assert states_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The tower is tall.",
        "It won!",
        "I think it was built in 1357.",
        "Did you know that whales sing?",
        "Please hand in your keys by noon.",
        "You should take 5 mg with food.",
        "She wrote two works:",
        "The tower is the best known in Paris.",
    ],
)
def test_statements_state_something(sentence):
    assert not states_nothing(sentence)

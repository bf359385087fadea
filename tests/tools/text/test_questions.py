"""Messages: who asks, and who plainly states."""

import pytest

from errata.tools.text.questions import asks, states


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("", "asks"),
        ("Marie Curie", "asks"),
        ("who was marie curie", "asks"),
        ("When was the tower opened? Please answer briefly.", "asks"),
        ("Tell me about Marie Curie.", "asks"),
        ("Summarise the life of Ada Lovelace", "asks"),
        ("What is the height of Mount Everest, and who climbed it first?", "asks"),
        ("マリ・キュリーとは誰ですか？", "asks"),
        ("Marie Curie.", "neither"),
        ("The life and work of Marie Curie.", "neither"),
        ("The tower is 330 metres tall. Why was it built? It was built for a fair.", "neither"),
        ("Marie Curie was born in 1865.", "states"),
        ("Marie Curie est née en 1865. Elle était physicienne.", "states"),
        ("Ada died\n\nShe was 36", "states"),
        ("- The canal opened in 1914.\n- It is 82 km long.\n- It has locks.", "states"),
        ("When Curie was 24, she moved to Paris. There she studied physics.", "states"),
    ],
)
def test_a_message_asks_or_plainly_states(message, does):
    assert (asks(message), states(message)) == (does == "asks", does == "states")

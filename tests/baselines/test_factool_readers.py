"""What FacTool reads in a model's replies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.baselines.factool import read_verdict

FOUND = {
    "reasoning": "Document 1 says 1867.",
    "error": "The year.",
    "correction": "She was born in 1867.",
}
SAID = "reasoning: Document 1 says 1867.; error: The year.; correction: She was born in 1867."
LINES = "\n".join(f"{name.title()}: {text}" for name, text in FOUND.items())


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (f"{LINES}\nFactuality: False", ("refuted", SAID)),
        (json.dumps({**FOUND, "factuality": False}), ("refuted", SAID)),
        (str({**FOUND, "factuality": False}), ("refuted", SAID)),
        ("**Reasoning:** So.\n**Factuality:** True", ("supported", "reasoning: So.")),
        ("Error: None\nCorrection: None\nFactuality: Not Mentioned", ("not_mentioned", "")),
        ("1: False", ("refuted", "")),
        ("True", ("supported", "")),
        ("Factuality: True or False", ("unreadable", "")),
        ("Factuality: False\nFactuality: True", ("unreadable", "")),
        ("Factuality: False\nFactuality: false", ("refuted", "")),
        ("Factuality: True? No.", ("unreadable", "")),
        ("True. Not really.", ("unreadable", "")),
        ("Factuality: mostly true", ("unreadable", "")),
        ("Reasoning: it is true.", ("unreadable", "reasoning: it is true.")),
        ("It cannot be true.", ("unreadable", "")),
        ("", ("unreadable", "")),
    ],
)
def test_a_verdict_is_read_from_lines_and_from_json(reply, verdict):
    assert read_verdict(reply, {}) == verdict


@given(st.text(max_size=80))
def test_a_reply_without_the_word_supports_nothing(reply):
    label, _ = read_verdict(reply, {})
    assert label != "supported" or "true" in reply.lower()

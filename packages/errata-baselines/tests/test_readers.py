"""What the steps read from a model's reply: leniently, but no more than it says."""

import doctest
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata_baselines.cove import read_check, read_plan
from errata_baselines.critic import read_list
from errata_baselines.ever import read_concepts, read_decision
from errata_baselines.factool import read_verdict
from errata_baselines.mend import split_at
from errata_baselines.rarr import LABELS
from errata_baselines.selfrag import read_reflection
from errata_baselines.verdicts import read_last_label, read_numbers

S, R, N, U = "supported", "refuted", "not_mentioned", "unreadable"
ASKED = {"question": "When?", "answers": "In 1867."}
LINES = "Error: The year.\nCorrection: Born in 1867.\nFactuality: False"
READERS = {
    "cross-check": lambda reply: read_check(reply, ASKED)[0],
    "numbers": lambda reply: read_numbers(reply, 3),
    "plan": read_plan,
    "factuality": lambda reply: read_verdict(reply, {})[0],
    "decision": lambda reply: read_decision(reply, {})[0],
    "concepts": read_concepts,
    "fix": lambda reply: split_at(reply, "fix")[1],
    "agreement": lambda reply: read_last_label(reply, LABELS)[0],
    "problems": lambda reply: read_list(reply, "problems"),
    "reflection": read_reflection,
}
TABLES = {
    "cross-check": [
        ("CONSISTENT. She was born in 1867.", S),
        ("Partially consistent; the year is inconsistent.", R),
        *((doubt, U) for doubt in ("CONSISTENT. But it is not told.", "Consistent with neither.")),
    ],
    "factuality": [
        (LINES, R),
        ('{"error": "The year.", "factuality": false}', R),
        ("Error: None\nCorrection: None\nFactuality: Not Mentioned", N),
        *((doubt, U) for doubt in ("Factuality: True or False", "True. Not really.")),
        *((doubt, U) for doubt in ("Reasoning: it is true.", "It cannot be true.")),
    ],
    "decision": [
        ("The page says so. Therefore, the decision is True.", S),
        ("Decision: **False**", R),
        ("Decision: Not Enough Information", N),
        *((doubt, U) for doubt in ("It is not true", "It isn't true.", "True or False", "")),
        *((doubt, U) for doubt in ("True, because the page says so", "It is hardly true")),
        *((doubt, U) for doubt in ("There is no evidence that it is true.", "hardly true")),
    ],
    "agreement": [
        ("Both say so.\nTherefore: this agrees with the text.", S),
        ("**Irrelevant**", N),
        *((none, U) for none in ("Not: agree", "Partly: agree", "agreed", "agree or disagree")),
        *((none, U) for none in ("agree with nothing the text says", "They do not agree")),
    ],
}
ROWS = [(reader, *row) for reader, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("reader", "reply", "found"), ROWS)
def test_a_reply_is_read_leniently_but_says_no_more_than_it_does(reader, reply, found):
    assert READERS[reader](reply) == found


@given(st.text())
def test_no_reply_breaks_a_reader_or_supports_without_the_word(reply):
    for read in READERS.values():
        read(reply)
    said = reply.lower()
    assert "true" in said or read_verdict(reply, {})[0] != S != read_decision(reply, {})[0]
    assert "consistent" in said or read_check(reply, ASKED)[0] != S
    supported = read_reflection(reply)[1].get("supported")
    assert "fully" in said or "partially" in said or not supported


MODULES = "answers cove critic ever mend selfrag verdicts".split()


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(import_module(f"errata_baselines.{module}"))
    assert (results.attempted > 0, results.failed) == (True, 0)

"""What the steps read from a model's reply: leniently, but no more than it says."""

import doctest
import json
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata_baselines.cove import read_check, read_plan
from errata_baselines.critic import read_list
from errata_baselines.critiques import read_reflection, score, value_of
from errata_baselines.ever import Concept, read_concepts, read_decision, read_sentence
from errata_baselines.factool import read_verdict
from errata_baselines.mend import split_at
from errata_baselines.rarr import read_label
from errata_baselines.verdicts import read_numbers

S, R, N, U = "supported", "refuted", "not_mentioned", "unreadable"
FOUND = {"reasoning": "Document 1 says 1867.", "error": "The year.", "correction": "Born in 1867."}
SAID = "reasoning: Document 1 says 1867.; error: The year.; correction: Born in 1867."
ASKED = {"question": "When?", "answers": "In 1867."}
SURE = {"relevant": {"yes": 1.0}, "supported": {"fully": 1.0}, "useful": {"5": 1.0}}
READERS = {
    "cross-check": lambda reply: read_check(reply, ASKED)[0],
    "numbers": lambda reply: read_numbers(reply, 3),
    "plan": read_plan,
    "factuality": lambda reply: read_verdict(reply, {}),
    "decision": lambda reply: read_decision(reply)[0],
    "concepts": lambda reply: [tuple(concept) for concept in read_concepts(reply)],
    "sentence": read_sentence,
    "fix": lambda reply: split_at(reply, "fix")[1],
    "label": lambda reply: read_label(reply, ["agree", "disagree", "irrelevant"])[0],
    "problems": lambda reply: read_list(reply, "problems"),
    "reflection": read_reflection,
}
TABLES = {
    "cross-check": [
        ("CONSISTENT. She was born in 1867.", S),
        ("INCONSISTENT.", R),
        ("Partially consistent; the year is inconsistent.", R),
        ("CONSISTENT. But the year is not told.", U),
        ("Consistent with neither.", U),
    ],
    "numbers": [
        ("| 1 | NOT TOLD |\n| 2 | CONSISTENT |", {1: ["NOT TOLD |"], 2: ["CONSISTENT |"]}),
        ("1:\nNOT TOLD\n2:\n3: CONSISTENT", {1: ["NOT TOLD\n2:"], 3: ["CONSISTENT"]}),
        ("0: NOT TOLD\n4: CONSISTENT\n1867: INCONSISTENT", {}),
        ("1. 2: CONSISTENT\n1, 2: CONSISTENT\n1-2: CONSISTENT\n1 and 2: CONSISTENT", {}),
    ],
    "plan": [
        ("| Ada died. | Did Ada die? |", [("Ada died.", "Did Ada die?")]),
        ("A | B | Who?", [("A | B", "Who?")]),
    ],
    "factuality": [
        ("\n".join([*map(": ".join, FOUND.items()), "Factuality: False"]), (R, SAID)),
        (json.dumps({**FOUND, "factuality": False}), (R, SAID)),
        ("Error: None\nCorrection: None\nFactuality: Not Mentioned", (N, "")),
        ("Factuality: True or False", (U, "")),
        ("Factuality: False\nFactuality: false", (R, "")),
        ("True. Not really.", (U, "")),
        ("Reasoning: it is true.", (U, "reasoning: it is true.")),
        ("It cannot be true.", (U, "")),
    ],
    "decision": [
        ("The page says so. Therefore, the decision is True.", S),
        ("Decision: **False**", R),
        ("Decision: Not Enough Information", N),
        ("The page says so. The statement is true.", S),
        *((doubt, U) for doubt in ("It is not true", "It isn't true.", "True or False", "")),
        *((doubt, U) for doubt in ("True, because the page says so", "It is hardly true")),
        *((doubt, U) for doubt in ("There is no evidence that it is true.", "hardly true")),
    ],
    "concepts": [
        ("1840 | Was it in 1840?", [Concept("1840", *["Was it in 1840?"] * 2)]),
        ("sang | Ada sang.", []),
    ],
    "sentence": [
        ("Done.", ""),
        ("Ada\nsang.", "Ada"),
        ("I cannot say where Ada lived.", ""),
        ("Sure! Here is the next sentence: Ada sang.", "Ada sang."),
    ],
    "fix": [
        ('"1865" is wrong.\nFix: Ada sang.\n\nShe won.', "Ada sang.\n\nShe won."),
        ("Fix: no\nFix: yes", "yes"),
        ("Here is the fix: Ada sang.", ""),
    ],
    "label": [
        ("Both say so.\nTherefore: this agrees with the text.", "agree"),
        ("**Irrelevant**", "irrelevant"),
        *((none, "") for none in ("Not: agree", "Partly: agree", "agreed", "agree or disagree")),
        *((none, "") for none in ("agree with nothing the text says", "This agrees with neither")),
    ],
    "problems": [
        ('Problems:\n1. "1865": 1867\n2) "bees": none', ['"1865": 1867', '"bees": none']),
        *((f"Problems: {none}", []) for none in ("No factual errors.", "There are none.", "none")),
        ("Problems: Everything but the date is right.", ["Everything but the date is right."]),
        ("Problems: No errors but the year", ["No errors but the year"]),
        ("There are no problems.", None),
    ],
    "reflection": [
        ("Relevant: yes\nAnswer: Riga\nSupported: fully\nUseful: 5", ("Riga", SURE)),
        ("**Relevant:** Yes.\n**Answer:** Riga\n- Supported: FULLY\nUseful: 5/5", ("Riga", SURE)),
        ("Riga", ("Riga", {})),
        ("Supported: fully=0.5 no=0.25 maybe=9", ("", {"supported": {"fully": 0.5, "no": 0.25}})),
        ("Answer: x\nSupported: not fully\nUseful: not 5", ("x", {})),
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
    assert "true" in said or read_verdict(reply, {})[0] != S != read_decision(reply)[0]
    assert "consistent" in said or read_check(reply, ASKED)[0] != S
    supported = value_of(read_reflection(reply)[1], "supported") > 0
    assert "fully" in said or "partially" in said or not supported


@pytest.mark.parametrize(
    ("critiques", "weights", "expected"),
    [
        (SURE, {}, 2.5),
        (SURE, {"useful": 0}, 2),
        ({}, {}, 0),
        ({"supported": {"partially": 0.2, "no": 0.2}}, {}, 0.25),
        ({"relevant": {"yes": 0.4, "no": 0.6}, "likely": {"yes": 0.3, "no": 0.7}}, {}, 0.7),
    ],
)
def test_the_score_is_the_papers_weighted_sum(critiques, weights, expected):
    assert score(critiques, weights) == pytest.approx(expected)


@pytest.mark.parametrize("module", "answers cove critic critiques ever mend rarr verdicts".split())
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(import_module(f"errata_baselines.{module}"))
    assert (results.attempted > 0, results.failed) == (True, 0)

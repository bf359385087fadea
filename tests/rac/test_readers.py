"""What RAC's steps read from a model's reply."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.nodes import replies
from errata.nodes.rac import correct, verify
from errata.nodes.rac.correct import read_correction
from errata.nodes.rac.verify import read_judgements
from errata.nodes.replies import read_claims, read_revision
from errata.nodes.rewrite import read_lines

S, R, N, U = "supported", "refuted", "not_mentioned", "unreadable"


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("1: True\n2: False\n3: Not Mentioned", [S, R, N]),
        ("Statement 1: True\nStatement 2: False\nStatement 3: Not Mentioned", [S, R, N]),
        ("1. true\n2) FALSE\n3 - not_mentioned", [S, R, N]),
        ("**1:** True\n- 2: **False**\n3: *Not mentioned*.", [S, R, N]),
        (
            "Here you are.\n\n1: True (see line 2)\n2: False, it says so\n3: Not Mentioned",
            [S, R, N],
        ),
        ("3: True\n1: False", [R, U, S]),
        ("1: True\n1: False", [R, U, U]),
        ("1: True or False\n2: True | False\n3: True/False", [U, U, U]),
        ("4: True\n0: True\n99999: True", [U, U, U]),
        ("True\nFalse", [U, U, U]),
        ("1: Truely\n2: maybe\n3: unverified", [U, U, U]),
        ("", [U, U, U]),
    ],
)
def test_read_labels(reply, labels):
    assert [each.label for each in read_judgements(reply, [""] * 3)] == labels


@given(st.text(max_size=200), st.integers(0, 5))
def test_every_claim_gets_one_label_whatever_the_reply(reply, count):
    assert len(read_judgements(reply, [""] * count)) == count


def test_a_long_run_of_empty_lines_is_read_at_once():
    """A model that loops writes many; reading them took a minute."""
    blank = "\n" * 100_000
    [judgement] = read_judgements(f"{blank}1: True{blank}", ["Ada."])
    assert judgement.label == S


@pytest.mark.parametrize(
    ("reply", "claims"),
    [
        ("Ada wrote.\nAda sang.", ["Ada wrote.", "Ada sang."]),
        ("1. Ada wrote.\n2) Ada sang.", ["Ada wrote.", "Ada sang."]),
        ("- Ada wrote.\n* Ada sang.\n• Ada ran.", ["Ada wrote.", "Ada sang.", "Ada ran."]),
        ("Here are the facts:\n\nAda wrote.\n\n", ["Ada wrote."]),
        ("Fact 1: Ada wrote.", ["Ada wrote."]),
        ("Ada wrote.\nAda wrote.", ["Ada wrote."]),
        ("1815 was her year.", ["1815 was her year."]),
        ("```text\nAda wrote.\n---\n```", ["Ada wrote."]),
        ("", []),
    ],
)
def test_read_claims(reply, claims):
    assert read_claims(reply) == claims


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Ada was born in 1815.", "Ada was born in 1815."),
        ('"Ada was born in 1815."', "Ada was born in 1815."),
        ("Corrected statement: Ada was\nborn in 1815.", "Ada was born in 1815."),
        ("Answer: Ada was born in 1815.\n\nThe passage says so.", "Ada was born in 1815."),
        ('She wrote "Notes"', 'She wrote "Notes"'),
    ],
)
def test_read_correction(reply, text):
    assert read_correction(reply) == text


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Ada.\n\nShe wrote.", "Ada.\n\nShe wrote."),
        ("**Corrected answer**: Ada.", "Ada."),
        ("Revised draft: Ada.", "Ada."),
        ("Here is the revised text:\n\nAda.", "Ada."),
        ("```text\nAda.\nShe wrote.\n```", "Ada.\nShe wrote."),
        ("Revised draft:\n```\nAda.\n```", "Ada."),
        ("**Corrected text:**\nAda.", "Ada."),
        ("<draft>\nAda.\n</draft>", "Ada."),
        ("**Corrected text:** <draft>Ada.</draft>", "Ada."),
        ("<b>Ada</b> and <b>Eve</b>", "<b>Ada</b> and <b>Eve</b>"),
        ("<text>Ada</text> and <text>Eve</text>", "<text>Ada</text> and <text>Eve</text>"),
    ],
)
def test_read_revision(reply, text):
    assert read_revision(reply) == text


@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        ("1.\n2. She wrote.", {2: "She wrote."}),
        ("```\n1. Ada.\n2. She wrote.\n```", {1: "Ada.", 2: "She wrote."}),
        ("1. Ada.\n2. She wrote.\n\nI fixed both.", {1: "Ada.", 2: "She wrote."}),
        ("1. *Ada*.\n**2.** **She** wrote.", {1: "*Ada*.", 2: "**She** wrote."}),
        ("1：Ada.\n2： She wrote.", {1: "Ada.", 2: "She wrote."}),
        ("Here are the sentences:\nShe wrote.", {}),
        ("Mended:\nAda.\nShe wrote.", {1: "Ada.", 2: "She wrote."}),
    ],
)
def test_read_lines(reply, lines):
    """What stands around the sentences is none of them, and no words are no sentence."""
    assert read_lines(reply, 2) == lines


@pytest.mark.parametrize("module", [correct, verify, replies])
def test_examples_in_docstrings(module):
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0

"""Figures of the verifier's three labels."""

import math

import pytest

from errata.core.records import Document, Verdict
from errata.evals.benches.verifier import cover_words, measure
from errata.evals.datasets.claims import LabelledClaim, title_of


def labelled(label):
    return LabelledClaim("It is so.", (), label == "supported", "g", label)


def verdict(label, score):
    return Verdict(claim="c1", label=label, score=score)


def test_labels_are_counted_by_what_people_said():
    claims = [labelled(x) for x in ("supported", "supported", "refuted", "refuted", "nei")]
    verdicts = [
        verdict("supported", 0.9),
        verdict("refuted", 0.2),
        verdict("refuted", 0.1),
        verdict("not_mentioned", 0.3),
        verdict("refuted", 0.4),
    ]
    figures = measure(claims, verdicts)
    assert figures["accuracy"] == pytest.approx(2 / 5)
    assert (figures["wrongly_refuted"], figures["refuted"]) == (1 / 2, 1 / 2)
    assert figures["precise"] == pytest.approx(1 / 3)
    assert figures["balanced"] == pytest.approx((1 / 2 + 1) / 2)


def test_both_other_labels_are_right_for_a_claim_that_is_only_not_supported():
    claims = [labelled("supported"), labelled("not_supported"), labelled("not_supported")]
    verdicts = [verdict("supported", 0.9), verdict("refuted", 0.1), verdict("not_mentioned", 0.1)]
    figures = measure(claims, verdicts)
    assert (figures["accuracy"], figures["precise"]) == (1.0, 1.0)
    assert math.isnan(figures["refuted"])


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ({"title": "Rome"}, "Rome"),
        ({"titles": ["Rome", "Rome"]}, "Rome"),
        ({"titles": ["Rome", "Oslo"]}, ""),
        ({"title": None}, ""),
        ({}, ""),
    ],
)
def test_evidence_of_several_pages_has_no_title(row, title):
    assert title_of(row) == title


@pytest.mark.parametrize(
    ("claim", "page", "share"),
    [
        ("Ada wrote notes.", "Ada wrote many notes. She lived in London.", 1.0),
        ("Ada painted notes.", "Ada wrote many notes. She painted.", 2 / 3),
        ("Ada wrote notes.", "A page about tea.", 0.0),
    ],
)
def test_coverage_is_the_share_of_content_words_in_the_best_strip(claim, page, share):
    document = Document(id="d1", text=page)
    labelled = LabelledClaim(claim, (document,), supported=True, group="", label="supported")
    assert cover_words(labelled) == pytest.approx(share)

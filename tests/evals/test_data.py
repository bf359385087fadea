"""RAC on real drafts with real web pages; skipped where the labelled data is missing."""

import asyncio

import pytest

from errata import check, correct
from errata.core.edits import apply_edits
from errata.evals.benches.corrections import rate_facts
from errata.evals.datasets.biographies import read_biographies
from errata.evals.datasets.rows import read_rows
from errata.evals.items import Item

pytestmark = pytest.mark.slow


def rate(pairs):
    """RE-EX's metrics of some biographies and their corrections."""
    return asyncio.run(
        rate_facts(
            [
                (
                    Item(
                        id=biography.entity,
                        question=biography.question,
                        draft=biography.draft,
                        gold={"facts": [{"text": t, "label": x} for t, x in biography.facts]},
                    ),
                    correction,
                )
                for biography, correction in pairs
            ]
        )
    )


few_or_more = pytest.mark.parametrize(
    "every", [16, pytest.param(4, marks=pytest.mark.growth)], ids=["few", "more"]
)


@few_or_more
def test_edits_rebuild_the_response_and_quotes_stand_in_the_page(biographies_folder, every):
    biographies = list(read_biographies(biographies_folder, "chatgpt"))
    assert len(biographies) == 80
    pairs = []
    for biography in biographies[::every]:
        result = correct(biography.question, biography.draft, documents=list(biography.google))
        assert apply_edits(result.draft, result.edits) == result.response
        for verdict in result.verdicts:
            for quote in verdict.evidence:
                assert biography.google[0].text[quote.start : quote.end] == quote.text
        pairs.append((biography, result))
    rates = rate(pairs)
    assert rates["true_facts_kept"] > 0.98
    assert rates["correction_accuracy"] > 0


@few_or_more
def test_dropping_removes_more_false_facts_than_true_ones(biographies_folder, every):
    biographies = list(read_biographies(biographies_folder, "instructgpt"))
    pairs = []
    for biography in biographies[::every]:
        documents = list(biography.gold)
        result = correct(
            biography.question, biography.draft, documents=documents, unsupported="drop"
        )
        assert apply_edits(result.draft, result.edits) == result.response
        pairs.append((biography, result))
    rates = rate(pairs)
    assert rates["correction_accuracy"] > 1.5 * (1 - rates["true_facts_kept"])


def test_a_refusal_to_answer_stays_unchanged(biographies_folder):
    for row in read_rows(biographies_folder / "unannotated.jsonl.gz"):
        result = check(row["prompt"], row["response"], documents=["An unrelated page about tea."])
        assert result.response == row["response"]

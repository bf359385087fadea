"""RAC on real drafts with real web pages; skipped where the labelled data is missing."""

import asyncio

import pytest

from errata import correct
from errata.core.edits import apply_edits
from errata.evals.benches.corrections import rate_facts
from errata.evals.datasets import dataset_named

pytestmark = pytest.mark.slow


few_or_more = pytest.mark.parametrize(
    "part",
    [slice(16, None, 40), pytest.param(slice(None, None, 4), marks=pytest.mark.growth)],
    ids=["few", "more"],
)


@few_or_more
def test_edits_rebuild_the_response_and_quotes_stand_in_the_page(shared_data, part):
    biographies = dataset_named("biography").read(shared_data / "factscore-bio").items
    assert len(biographies) == 80
    pairs = []
    for biography in biographies[part]:
        result = correct(biography.question, biography.draft, documents=biography.documents)
        assert apply_edits(result.draft, result.edits) == result.response
        for verdict in result.verdicts:
            for quote in verdict.evidence:
                assert biography.documents[0].text[quote.start : quote.end] == quote.text
        pairs.append((biography, result))
    rates = asyncio.run(rate_facts(pairs))
    assert rates["true_facts_kept"] > 0.98
    assert rates["correction_accuracy"] > 0


@few_or_more
def test_dropping_removes_more_false_facts_than_true_ones(shared_data, part):
    biographies = dataset_named("biography-instructgpt").read(shared_data / "factscore-bio").items
    pairs = []
    for biography in biographies[part]:
        settings = {"documents": biography.gold["documents"], "unsupported": "drop"}
        result = correct(biography.question, biography.draft, **settings)
        assert apply_edits(result.draft, result.edits) == result.response
        pairs.append((biography, result))
    rates = asyncio.run(rate_facts(pairs))
    assert rates["correction_accuracy"] > 1.5 * (1 - rates["true_facts_kept"])

"""Local code judges all claims; a model those that it scores between two thresholds."""

import asyncio

import pytest

from errata import check
from errata.core.errors import SettingError
from errata.core.limits import Run, open_run
from errata.nodes.crag.state import CragContext
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.rac.verify import judge_of_draft
from example import PAGE, QUESTION, claims_of, pages_of

PAGES = pages_of(
    f"{PAGE} She shared the 1903 Nobel Prize in Physics with her husband Pierre Curie."
)
CLAIMS = claims_of(
    "Marie Curie was a Polish and French physicist.",
    "Marie Curie bred sheep in Patagonia.",
    "Marie Curie got a Nobel Prize for work on physics.",
)


def judge(verifier, **settings):
    """The verdicts, and the step's ledger."""
    context = RacContext.of({"roles": {"verify": verifier}, **settings})
    with open_run(Run()) as ledger:
        work = judge_of_draft(Rac(question=QUESTION), CLAIMS, PAGES, context)
        verdicts, _ = asyncio.run(work)
    return verdicts, ledger


@pytest.mark.parametrize(
    ("below", "above", "count"), [(0.0, 1.0, 3), (0.2, 0.9, None), (0.2, 0.5, None), (0.2, 0.0, 0)]
)
def test_sure_claims_and_those_that_nothing_speaks_of_stay_local(scripted, below, above, count):
    """The documents have no word of the second claim."""
    scores = {verdict.claim: verdict.score for verdict in judge("local")[0]}
    between = [n for n, score in scores.items() if score <= above and (n != "c2" or score >= below)]
    assert count is None or len(between) == count
    reply = "\n".join(f"{n}: False" for n in range(1, len(between) + 1)) or "none"
    cascade = f"local>{scripted({'rac/verify': [reply]})}"
    verdicts, ledger = judge(cascade, sure_below=below, sure_above=above)
    by_id = {verdict.claim: verdict for verdict in verdicts}
    assert list(by_id) == ["c1", "c2", "c3"]
    assert [name for name in by_id if by_id[name].score is None] == between
    assert all(by_id[name].label == "refuted" for name in between)
    assert ledger.usage.model_calls == bool(between)
    share = ledger.usage.by_role["verify"]
    assert (share["claims"], share["escalated"]) == (3, len(between))


def test_a_failing_model_leaves_its_claims_unchecked(scripted):
    verdicts, ledger = judge(f"local>{scripted({})}", sure_below=0.0, sure_above=1.0)
    assert [verdict.label for verdict in verdicts] == ["unchecked"] * 3
    assert "3 claims were not checked" in next(iter(ledger.notes))


def test_every_claim_in_a_foreign_language_goes_to_the_model(scripted):
    text = "Marie Curie est née à Varsovie en 1867 et elle a étudié la physique à Paris."
    cascade = f"local>{scripted({'rac/verify': ['1: True']})}"
    correction = check("", text, documents=[text], roles={"verify": cascade})
    assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    assert correction.usage.by_role["verify"]["escalated"] == 1


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "local>openai:a"},
        {"roles": {"correct": "local>openai:a"}},
        {"roles": {"verify": "openai:a>openai:b"}},
        {"roles": {"verify": "local>local"}},
        {"roles": {"verify": "local>magic"}},
    ],
)
def test_only_verify_takes_a_cascade_of_local_code_and_a_model(settings, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    with pytest.raises(SettingError):
        check("q", "Ada was born in 1815.", documents=["x"], **settings)


def test_other_methods_have_no_cascade():
    with pytest.raises(ValueError, match="no role may be shared"):
        CragContext(roles={"generate": "local>openai:a"})

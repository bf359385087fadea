"""Local code judges all claims, a model those that are between two thresholds."""

import asyncio

import pytest

from errata import check
from errata.errors import SettingError
from errata.nodes.crag.state import CragContext
from errata.nodes.ledger import open_ledger
from errata.nodes.rac.state import RacContext
from errata.nodes.rac.verify import judge_claims
from errata.records import Claim, Document

PAGE = (
    "Marie Curie (born 7 November 1867) was a Polish and French physicist. "
    "She shared the 1903 Nobel Prize in Physics with her husband Pierre Curie."
)
CLAIMS = [
    Claim(id=f"c{number}", text=text, start=0, end=1)
    for number, text in enumerate(
        [
            "Marie Curie was a Polish and French physicist.",
            "Marie Curie bred prize-winning sheep in Patagonia.",
            "Marie Curie got a Nobel Prize for work on physics.",
        ],
        start=1,
    )
]


def judge(verify, **settings):
    context = RacContext(roles={"verify": verify}, **settings)
    documents = [Document(id="d1", text=PAGE)]
    with open_ledger() as ledger:
        verdicts = asyncio.run(judge_claims("Who was Marie Curie?", CLAIMS, documents, context))
    return verdicts, ledger.notes, ledger.usage


def scores():
    return {verdict.claim: verdict.score for verdict in judge("local")[0]}


@pytest.mark.parametrize(
    ("below", "above", "asked"),
    [(0.0, 1.0, 3), (0.2, 0.8, None), (0.5, 0.5, 0), (0.9, 0.1, 0)],
)
def test_only_what_is_between_the_thresholds_goes_to_the_model(script, below, above, asked):
    between = [name for name, score in scores().items() if below <= score <= above]
    assert asked is None or len(between) == asked
    reply = "\n".join(f"{n}: False" for n in range(1, len(between) + 1)) or "none"
    cascade = f"local>{script(**{'verify.v1': [reply]})}"
    verdicts, _, usage = judge(cascade, sure_below=below, sure_above=above)
    by_id = {verdict.claim: verdict for verdict in verdicts}
    assert list(by_id) == ["c1", "c2", "c3"]
    assert [name for name in by_id if by_id[name].score is None] == between
    assert all(by_id[name].label == "refuted" for name in between)
    assert usage.model_calls == bool(between)
    share = usage.by_role["verify"]
    assert (share["claims"], share["escalated"]) == (3, len(between))


def test_a_model_that_fails_leaves_its_claims_unchecked(script):
    cascade = f"local>{script(**{'extract.v1': ['nothing for verify']})}"
    verdicts, notes, _ = judge(cascade, sure_below=0.0, sure_above=1.0)
    assert [verdict.label for verdict in verdicts] == ["unchecked"] * 3
    assert "3 claims were not checked" in notes[0]


def test_a_language_that_local_code_does_not_know_goes_to_the_model_whole(script):
    text = "Marie Curie est née à Varsovie en 1867 et elle a étudié la physique à Paris."
    cascade = f"local>{script(**{'verify.v1': ['1: True']})}"
    done = check("", text, documents=[text], roles={"verify": cascade})
    assert [verdict.label for verdict in done.verdicts] == ["supported"]
    assert done.usage.by_role["verify"]["escalated"] == 1


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
def test_a_cascade_is_refused_where_it_makes_no_sense(settings, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    with pytest.raises(SettingError):
        check("q", "Ada was born in 1815.", documents=["x"], **settings)


def test_other_methods_know_no_cascade():
    with pytest.raises(ValueError, match="no role may be shared"):
        CragContext(roles={"generate": "local>openai:a"})

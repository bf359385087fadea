"""Local code judges all claims; a model those that it scores between two thresholds."""

import pytest

from errata import Session, check
from errata.core.errors import SettingError
from example import PAGE, QUESTION

PRIZE = f"{PAGE} She shared the 1903 Nobel Prize in Physics with her husband Pierre Curie."
DRAFT = (
    "Marie Curie was a Polish and French physicist. Marie Curie bred sheep in Patagonia. "
    "Marie Curie got a Nobel Prize for work on physics."
)


def judged(verifier, **settings):
    return check(QUESTION, DRAFT, documents=[PRIZE], roles={"verify": verifier}, **settings)


@pytest.mark.parametrize(
    ("below", "above", "count"), [(0.0, 1.0, 3), (0.2, 0.9, None), (0.2, 0.5, None), (0.2, 0.0, 0)]
)
def test_sure_claims_and_those_that_nothing_speaks_of_stay_local(scripted, below, above, count):
    """The documents have no word of the second claim."""
    scores = {verdict.claim: verdict.score for verdict in judged("local").verdicts}
    between = [n for n, score in scores.items() if score <= above and (n != "c2" or score >= below)]
    assert count is None or len(between) == count
    reply = "\n".join(f"{n}: False" for n in range(1, len(between) + 1)) or "none"
    cascade = f"local>{scripted({'rac/verify': [reply]})}"
    checked = judged(cascade, sure_below=below, sure_above=above)
    by_id = {verdict.claim: verdict for verdict in checked.verdicts}
    assert list(by_id) == ["c1", "c2", "c3"]
    assert [name for name in by_id if by_id[name].score is None] == between
    assert all(by_id[name].label == "refuted" for name in between)
    assert checked.usage.model_calls == bool(between)
    share = checked.usage.by_role["verify"]
    assert (share["claims"], share["escalated"]) == (3, len(between))


def test_a_failing_model_leaves_its_claims_unchecked(scripted):
    checked = judged(f"local>{scripted({})}", sure_below=0.0, sure_above=1.0)
    assert [verdict.label for verdict in checked.verdicts] == ["unchecked"] * 3
    assert "3 claims were not checked" in " ".join(checked.notes)


def test_every_claim_in_a_foreign_language_goes_to_the_model(scripted):
    text = "Marie Curie est née à Varsovie en 1867 et elle a étudié la physique à Paris."
    cascade = f"local>{scripted({'rac/verify': ['1: True']})}"
    correction = check("", text, documents=[text], roles={"verify": cascade})
    assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    assert correction.usage.by_role["verify"]["escalated"] == 1


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("rac", {"model": "local>openai:a"}),
        ("rac", {"roles": {"correct": "local>openai:a"}}),
        ("rac", {"roles": {"verify": "openai:a>openai:b"}}),
        ("rac", {"roles": {"verify": "local>magic"}}),
        ("crag", {"roles": {"generate": "local>openai:a"}}),
    ],
)
def test_only_verify_takes_a_cascade_of_local_code_and_a_model(method, settings, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    with pytest.raises(SettingError):
        Session(method, **settings)

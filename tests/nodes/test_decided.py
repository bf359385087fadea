"""Steps of all methods that a decision model judges, over loopback, in both wire forms."""

import pytest

from decisions_server import BORN, DIED, DRAFT, KEPT, PAGE, QUESTION, WRONG, judging
from errata import aanswer, acheck, acite, acorrect
from errata.core.errors import SettingError

pytestmark = pytest.mark.anyio
LATER = {"id": "later", "title": "Ada Moll, a life", "text": "Ada Moll was fond of bees in Bern."}


@pytest.fixture
def server(deciders):
    deciders.says = {BORN: "supported", DIED: "not_mentioned", KEPT: "not_mentioned"}
    return deciders


def labels(result):
    return [verdict.label for verdict in result.verdicts]


def titled(texts):
    return [{"id": title, "title": title, "text": text} for title, text in texts.items()]


def findings(result):
    return [citation["finding"] for citation in result.trail["citations"]]


def shares(supported, refuted, not_mentioned):
    return {"supported": supported, "refuted": refuted, "not_mentioned": not_mentioned}


@pytest.mark.parametrize(
    ("said", "label"),
    [
        (shares(0.3, 0.45, 0.25), "disputed"),
        (shares(0.2, 0.6, 0.2), "refuted"),
        (shares(0.45, 0.45, 0.1), "not_mentioned"),
        (shares(0.45, 0.1, 0.45), "not_mentioned"),
        (shares(0.5, 0.5, 0.0), "not_mentioned"),
    ],
)
async def test_refuted_that_only_leads_is_disputed_and_changes_nothing(server, form, said, label):
    server.says[DIED] = said
    out = await acorrect(QUESTION, DRAFT, **judging(server, form))
    assert (labels(out), out.response) == (["supported", label, "not_mentioned"], DRAFT)


async def test_what_is_improbable_is_dropped_and_marked_by_the_same_answers(server, form):
    server.says |= {DIED: shares(0.2, 0.1, 0.7), KEPT: shares(0.02, 0.1, 0.88)}
    asked = judging(server, form, unsupported="drop")
    assert (await acorrect(QUESTION, DRAFT, **asked)).response == f"{BORN} {DIED}"
    assert (await acorrect(QUESTION, DRAFT, **asked, drop_below=0.2)).response == BORN
    marked = await acorrect(QUESTION, DRAFT, **asked | {"unsupported": "hedge"})
    assert marked.response == f"{BORN} {DIED} [unverified] {KEPT} [unverified]"
    assert len(server.requests) == 3


async def test_documents_that_disagree_are_told_without_a_further_request(server, form):
    claim = "The Brunn choir has 40 singers."
    texts = {"Leaflet of 2012": claim, "Programme, 2023": claim.replace("40", "62")}
    server.says = {claim: "supported"}
    out = await acorrect("", claim, **judging(server, form, documents=titled(texts)))
    assert labels(out) == ["conflicting"]
    assert {quote.document for quote in out.verdicts[0].evidence} == texts.keys()
    assert len(server.requests) == 1


REFERENCES = "\n\n## References\n\n[1] Ada Moll.\n[2] Ada Moll, a life.\n"


async def test_sources_are_asked_alone_and_then_together(server, form):
    joint = "Ada Moll of 1901 was fond of bees."
    both = ("in 1901", "fond of bees")
    server.says[joint] = lambda s: "supported" if all(x in s for x in both) else "not_mentioned"
    text = f"{joint[:-1]} [1][2]. {BORN[:-1]} [1]. {DIED[:-1]} [2].{REFERENCES}"
    for last, finding in (("not_mentioned", "unsupported"), (shares(0.3, 0.3, 0.4), "unclear")):
        server.says[DIED] = last
        out = await acite(text, **judging(server, form, documents=[PAGE, LATER]))
        assert findings(out) == ["supported", "supported", finding]


async def test_a_newer_version_that_says_otherwise_makes_a_citation_outdated(server, form):
    said = "A wheel of cheese ripens for {} days."
    told = {f"Rules for cheese ({y})": said.format(n) for y, n in ((2016, 120), (2024, 150))}
    server.says = {said.format(120): lambda s: "refuted" if "150" in s else "supported"}
    references = "".join(f"\n[{n}] {title}." for n, title in enumerate(told, 1))
    text = f"{said[:-1].format(120)} [1].\n\n## References\n{references}\n"
    out = await acite(text, **judging(server, form, documents=titled(told)))
    assert findings(out) == ["outdated"]


async def test_strips_are_kept_by_their_probability_or_all_by_local_code(server, form):
    strips = [f"{BORN} She grew up. It was so.", "Bees make honey. Honey is sweet. It keeps."]
    strips.append(f"{KEPT} She had hives. They hummed.")
    page = PAGE | {"text": " ".join(strips)}
    server.says = {"1": 0.6, "2": 0.1, "3": 0.3}
    answer = await aanswer(QUESTION, **judging(server, form, "evaluate", documents=[page]))
    assert [k.text for k in answer.knowledge] == strips[::2]
    assert [k.score for k in answer.knowledge] == pytest.approx([0.2, -0.4])
    assert len(server.requests) == 2
    server.plan = [200] + [500] * 20
    failed = await aanswer(QUESTION, **judging(server, form, "evaluate", documents=[page]))
    local = await aanswer(QUESTION, documents=[page])
    assert failed.knowledge == local.knowledge
    assert "local code chose the strips instead" in failed.notes


async def test_paragraphs_of_the_web_are_selected_alike(server, form, demo):
    server.says = {"1": 0.001, "2": 0.9}
    asked = judging(server, form, "evaluate", search=demo, documents=[PAGE])
    answer = await aanswer("When was Marie Curie born?", **asked)
    assert (answer.action, [k.score for k in answer.knowledge]) == ("incorrect", [0.8])
    assert answer.usage.by_role["evaluate"]["model_calls"] == 2


ERRONEOUS = f"{WRONG} {KEPT}"


@pytest.fixture
def detecting(server, form):
    """The settings of RE-EX with a decision model that detects errors, and further roles."""
    server.says = {"the draft": 0.9, WRONG: "1", "Rome": "Bern", "1911": "1901", BORN: 0.95}
    server.says[KEPT] = "none"

    def settings(**roles):
        own = judging(server, form, "explain", method="reex")
        return own | {"roles": own["roles"] | roles}

    return settings


async def test_where_no_answer_shows_an_error_nothing_more_is_asked(server, detecting, scripted):
    server.says["the draft"] = 0.2
    out = await acorrect(QUESTION, ERRONEOUS, **detecting(revise=scripted({})))
    assert (out.response, out.usage.model_calls) == (ERRONEOUS, 1)
    assert [*server.requests[0]["questions"]] == ["draft", "c1", "c2"]
    assert "refuted" not in labels(out)


async def test_a_chat_model_explains_and_revises_what_was_detected(detecting, scripted):
    error = '1. "Rome" -> "Bern" [1]'
    both = f"{error}\nRevised Response:\n{ERRONEOUS.replace('Rome', 'Bern')}"
    model = scripted({"reex/explain": error, "reex/explain_and_revise": both})
    for steps in (1, 2):
        out = await acorrect(QUESTION, ERRONEOUS, **detecting(revise=model), steps=steps)
        assert out.response == ERRONEOUS.replace("Rome", "Bern")
        calls = {role: own.get("model_calls", 0) for role, own in out.usage.by_role.items()}
        assert (calls["explain"], calls["revise"], out.usage.model_calls) == (1, 1, 2)


@pytest.mark.parametrize("steps", [1, 2])
async def test_without_a_chat_model_the_errors_are_mended_by_choice(server, detecting, steps):
    out = await acorrect(QUESTION, ERRONEOUS, **detecting(), steps=steps)
    assert (out.response, {edit.by for edit in out.edits}) == (f"{BORN} {KEPT}", {"choice"})
    assert labels(out)[0] == "refuted"
    assert [*map(len, (out.trail["explanations"], server.requests))] == [1, 3]
    checked = await acheck(QUESTION, ERRONEOUS, **detecting(), steps=steps)
    assert (labels(checked)[0], len(server.requests)) == ("refuted", 4)


@pytest.mark.parametrize("change", [{WRONG: "none"}, {"the draft": None}])
async def test_an_error_without_a_place_and_a_failure_leave_the_draft(server, detecting, change):
    server.says |= change
    server.plan = [500] * 20 if None in change.values() else []
    out = await acorrect(QUESTION, ERRONEOUS, **detecting())
    assert (out.response, {*labels(out)}) == (ERRONEOUS, {"unchecked"})
    assert out.notes


async def test_without_answers_a_decision_model_detects_nothing(detecting):
    with pytest.raises(SettingError, match="detects errors by answers"):
        await acorrect(QUESTION, ERRONEOUS, **detecting(), evidence="none")

"""Steps of all methods that a decision model judges, over loopback, in both wire forms."""

import pytest

from errata import acite, acorrect

pytestmark = pytest.mark.anyio
PAGE = {"id": "page", "title": "Ada Moll", "text": "Ada Moll was born in Bern in 1901."}
LATER = {"id": "later", "title": "Ada Moll, a life", "text": "Ada Moll was fond of bees in Bern."}
BORN, DIED, KEPT = PAGE["text"], "Ada Moll died in Rome.", "Ada Moll kept bees."
DRAFT = f"{BORN} {DIED} {KEPT}"
QUESTION = "Who was Ada Moll?"


@pytest.fixture
def server(deciders):
    deciders.says = {BORN: "supported", DIED: "not_mentioned", KEPT: "not_mentioned"}
    return deciders


def judging(server, form, role="verify", **settings):
    roles = {role: f"{form}:jev@{server.url}"}
    return {"documents": [PAGE], "roles": roles, "retries": 1, **settings}


def labels(result):
    return [verdict.label for verdict in result.verdicts]


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
    assert labels(out) == ["supported", label, "not_mentioned"]
    assert out.response == DRAFT


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
    pages = [{"id": title, "title": title, "text": text} for title, text in texts.items()]
    server.says = {claim: "supported"}
    out = await acorrect("", claim, **judging(server, form, documents=pages))
    assert labels(out) == ["conflicting"]
    assert {quote.document for quote in out.verdicts[0].evidence} == texts.keys()
    assert len(server.requests) == 1


REFERENCES = "\n\n## References\n\n[1] Ada Moll.\n[2] Ada Moll, a life.\n"


async def test_sources_are_asked_alone_and_then_together(server, form):
    joint = "Ada Moll of 1901 was fond of bees."
    both = ("in 1901", "fond of bees")
    server.says = {joint: lambda s: "supported" if all(x in s for x in both) else "not_mentioned"}
    server.says[BORN] = "supported"
    text = f"{joint[:-1]} [1][2]. {BORN[:-1]} [1]. {DIED[:-1]} [2].{REFERENCES}"
    out = await acite(text, **judging(server, form, documents=[PAGE, LATER]))
    found = [each["finding"] for each in out.trail["citations"]]
    assert found == ["supported", "supported", "unsupported"]
    server.says[DIED] = shares(0.3, 0.3, 0.4)
    out = await acite(text, **judging(server, form, documents=[PAGE, LATER]))
    assert [each["finding"] for each in out.trail["citations"]][2] == "unclear"


async def test_a_newer_version_that_says_otherwise_makes_a_citation_outdated(server, form):
    said = "A wheel of cheese ripens for {} days."
    told = {
        "Rules for cheese (2016)": said.format(120),
        "Rules for cheese (2024)": said.format(150),
    }
    pages = [{"id": title, "title": title, "text": text} for title, text in told.items()]
    server.says = {said.format(120): lambda s: "refuted" if "150" in s else "supported"}
    references = "".join(f"\n[{n}] {title}." for n, title in enumerate(told, 1))
    text = f"{said[:-1].format(120)} [1].\n\n## References\n{references}\n"
    out = await acite(text, **judging(server, form, documents=pages))
    assert [each["finding"] for each in out.trail["citations"]] == ["outdated"]

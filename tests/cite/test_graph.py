"""Citations judged and repaired, with local code and with a model, by pages on loopback."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from cited_site import DRAFT, GUIDE, HISTORY, PAINT, REPAIRED, STATUSES, CitedSite
from errata import acite, cite
from errata.core.edits import apply_edits
from errata.core.records import Document
from errata.graphs.cite import graph
from errata.langchain.runnable import corrector
from errata.render.findings import citations_as_markdown
from errata.tools.text.references import read_cited

pytestmark = pytest.mark.anyio
DOCUMENTS = [
    Document(text=HISTORY, title="History of Skarvik bridge"),
    Document(text=GUIDE, title="Guide to the town"),
    Document(text=PAINT, title="Paint on bridges"),
]
REFERENCES = "\n\n## References\n\n[1] History of Skarvik bridge.\n[2] Guide to the town.\n"
VERDICT = "\nThis source supports every sentence that cites it. 1: True. Finding: supported.\n"


def findings(result):
    return [citation["finding"] for citation in result.trail["citations"]]


def judged(*sentences, documents=DOCUMENTS, **settings):
    return cite(" ".join(sentences) + REFERENCES, documents, **settings)


@pytest.fixture
def site(serving, monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    site = CitedSite()
    site.address = serving(site.app)
    return site


async def test_links_are_opened_and_marks_repaired(site):
    result = await acite(DRAFT.replace("SITE", site.address))
    found = "supported wrong_source fabricated_quote missing_mark dead dead"
    assert " ".join(findings(result)) == found
    assert result.response == REPAIRED.replace("SITE", site.address)
    assert apply_edits(result.draft, result.edits) == result.response
    assert {s["key"]: s["status"] for s in result.trail["sources"]} == STATUSES
    assert len(site.asked) == len(set(site.asked)) == len(site.answers)


def test_no_link_is_opened_where_the_run_says_so(site):
    result = cite(DRAFT.replace("SITE", site.address), max_links=0)
    assert (site.asked, result.response) == ([], result.draft)
    assert {s["status"] for s in result.trail["sources"]} == {"not_read", "dead"}


@pytest.mark.parametrize(
    ("target", "named", "status"),
    [
        ("([it](guide.md))", {}, "local"),
        ("([it](../a/Sk%C3%A5rvik.txt#end))", {"id": "skårvik.txt"}, "given"),
        ("([it](/a/x.md))", {"url": "docs/x.md"}, "given"),
        ("([it](/a/x.md))", {"url": "docs/ax.md"}, "local"),
        ("([it](x.md))", {"url": "https://a.test/x.md"}, "local"),
        ("([it](https://a.test/x.md))", {"id": "x.md"}, "not_read"),
        ("([it](//a.test/x.md))", {"id": "x.md"}, "not_read"),
        ("([it](www.a.test/x.md))", {"id": "x.md"}, "not_read"),
        ("[1].\n\n[1]: www.a.test/x.md", {"id": "x.md"}, "not_read"),
        ("[1].\n\n[1]: [It](x.md)", {"id": "x.md"}, "given"),
        ("[1].\n\n[1]: History, facts/x 1.txt.", {"id": "x 1.txt"}, "given"),
        ("[1].\n\n[1]: History, ax.txt", {"id": "x.txt"}, "not_read"),
        ("[1].\n\n[1]: History, d2", {"id": "d2"}, "not_read"),
    ],
)
def test_local_links_and_file_names_are_matched(target, named, status):
    document = Document(text=HISTORY, **named)
    result = cite(f"Skarvik bridge was opened in 1932 {target}", [document], max_links=0)
    assert result.trail["sources"][0]["status"] == status
    assert findings(result) == ["supported" if status == "given" else "unclear"]


OPENED, LANES = "Skarvik bridge was opened in 1932", "Skarvik bridge has four lanes"
BREWERY, BAKERY = "Skarvik bridge was opened near a brewery", f"{OPENED} beside a bakery"
TRUE, SILENT, HAS_BAKERY = "1: True [1]", "1: Not Mentioned", "Skarvik bridge has a bakery."
BOTH, PARTS = f"{OPENED} and has a bakery", {"rac/extract": f"1. {OPENED}.\n1. {HAS_BAKERY}"}
APART = {"rac/verify": f"{TRUE}\n2: True [2]"}
MEND = '1: False [1] | brewery -> shop | "The bakery of Skarvik"'
MENDED = "Skarvik bridge was opened near a shop [2]."


def said(claim, guide, history):
    """What a model says: the draft's claim, and what the two sources say of it."""
    verdicts = [{"when": "Sundays", "reply": guide}, {"when": "opened in 1932", "reply": history}]
    return {"rac/extract": f"1. {claim}.", "rac/verify": verdicts}


@pytest.mark.parametrize(
    ("sentence", "model", "finding", "repaired"),
    [
        ("Skarvik bridge was opened in 1938 [1].", None, "contradicted", f"{OPENED} [1]."),
        (f"Is it tall? {OPENED} [1].", None, "supported", ""),
        # A model fails.
        (f"{OPENED} [1].", {}, "unclear", ""),
        # The cited source is silent, another one supports it.
        (f"{LANES} [2].", said(LANES, SILENT, TRUE), "wrong_source", f"{LANES} [1]."),
        # One of the cited sources supports it, and the other is silent, or has a part of it.
        (f"{OPENED} [1, 2].", said(OPENED, SILENT, TRUE), "partial", f"{OPENED} [1]."),
        (f"{BAKERY} [1, 2].", said(BAKERY, f"{SILENT} | opened in 1932", TRUE), "supported", ""),
        # The document that a verdict names is the source, though another one is nearer.
        (f"{LANES}.", said(LANES, "1: True [2]", ""), "missing_mark", f"{LANES} [2]."),
        (f"{BOTH}.", PARTS | APART, "missing_mark", f"{BOTH} [1, 2]."),
        # A mend rests on the source that says so; the mark stays.
        (f"{BREWERY} [2].", said(BREWERY, MEND, ""), "contradicted", MENDED),
    ],
)
def test_a_sentence_is_judged_and_repaired(scripted, sentence, model, finding, repaired):
    settings = {} if model is None else {"model": scripted(model)}
    result = judged(sentence, **settings)
    assert findings(result) == [finding]
    assert result.response == (repaired or sentence) + REFERENCES


def test_it_is_told_which_source_supports_which_part(scripted):
    verdicts = (f"{SILENT}\n2: True [1]", f"{TRUE}\n2: Not Mentioned")
    model = scripted(said("", *verdicts) | PARTS)
    for marks, finding, bearers, by in (
        ("[1, 2]", "supported", ["1", "2"], "2"),
        ("[1]", "partial", ["1"], "none that it cites"),
    ):
        [citation] = judged(f"{BOTH} {marks}.", model=model).trail["citations"]
        assert (citation["finding"], citation["bearers"]) == (finding, bearers)
        told = f"supported by 1: “{OPENED}.”; by {by}: “{HAS_BAKERY}”"
        assert citation["explanation"] == told


def test_local_code_does_not_call_a_sentence_unsupported_of_which_it_finds_a_part():
    sentence = f"{OPENED}; it was sold to a circus from Denmark [1]."
    assert findings(judged(sentence, documents=DOCUMENTS[:2])) == ["unclear"]


def test_only_what_has_no_support_is_hedged():
    """Not what local code could not judge, nor a quotation that now is its source's."""
    draft = 'Ida Lund said: "We built it in {}" [1]. A ferry ran there until the war [9].{}'
    draft += " The bridge opened to traffic [1]."
    result = judged(draft.format("a single summer", ""), unsupported="hedge")
    assert findings(result) == ["fabricated_quote", "dead", "unclear"]
    assert result.response.startswith(draft.format("two long summers", " [unverified]"))


def test_of_pages_with_one_title_the_later_one_counts(serving, monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")

    def page(days, day):
        changed = f'<meta property="article:modified_time" content="{day}T08:00:00Z">'
        words = f"A wheel of Skarvik cheese ripens for {days} days."
        text = f"<html><head>{changed}</head><body><p>{words}</p></body></html>"
        return lambda _: HTMLResponse(text)

    pages = {"/old": page(120, "2024-02-01"), "/new": page(150, "2024-09-30")}
    address = serving(Starlette(routes=[Route(path, answer) for path, answer in pages.items()]))
    listed = (f"\n[{n}] Rules for cheese. {address}{path}" for n, path in enumerate(pages, 1))
    draft = "A wheel of Skarvik cheese ripens for 120 days [1].\n\n## References\n\n"
    result = cite(draft + "".join(listed), page_timeout=30.0)
    assert findings(result) == ["outdated"]
    assert result.response.startswith("A wheel of Skarvik cheese ripens for 150 days [2].")
    assert [s["dated"] for s in result.trail["sources"]] == ["2024-02-01", "2024-09-30"]
    assert "| 1: Rules for cheese | open, as of 2024-02-01 | 1 |" in citations_as_markdown(result)


SEATS = "The ferry has {} seats.".format
FIRST_LISTED = "\n\n## References\n\n[1] Guide to the Harrow ferry (2016).\n"
VERSIONS = f"{FIRST_LISTED}[2] Guide to the Harrow ferry (2024).\n"
KEPT_VERSIONS = [
    ("Until 2020 the ferry had 9 seats [1].", SEATS(9), SEATS(12)),
    ("Originally the ferry had 9 seats [1].", SEATS(9), SEATS(12)),
    ("The ferry once had 9 seats [1].", SEATS(9), SEATS(12)),
    ("The ferry has 9 seats, now 12 [1].", SEATS(9), SEATS(12)),
    ("Mr Dee said the ferry has 9 seats [1].", SEATS(9), SEATS(12)),
    ('It says: "The ferry has 9 seats" [1].', SEATS(9), SEATS(12)),
    ("The ferry had 9 seats before it was rebuilt [1].", SEATS(9), f"Rebuilt in 2023. {SEATS(12)}"),
    ("The hall opened with 300 seats [1].", "The hall opened with 300 seats.", "It has 450 seats."),
    ("The club won the cup in 2012 [1].", "The club won the cup in 2012.", "It won it in 2020."),
    ("The Nan has 9 seats [1].", "The Nan has 9 seats. The Bea has 12.", "The Bea has 12 seats."),
    ("It costs 20 euros a day [1].", "It costs 20 euros a day.", "It costs 120 euros a week."),
    (
        "At least 9 people board it [1].",
        "At least 9 people board it.",
        "At most 12 people board it.",
    ),
    ("The ferry has 9 seats [1].", SEATS(9), f"{SEATS(12)} The small one still has 9 seats."),
]


@pytest.mark.parametrize(("text", "old", "new"), KEPT_VERSIONS)
def test_what_a_newer_version_does_not_plainly_change_stays(text, old, new):
    texts = ((2016, old), (2024, new))
    versions = [Document(title=f"Guide to the Harrow ferry ({y})", text=x) for y, x in texts]
    assert cite(text + VERSIONS, versions).response == text + VERSIONS


def test_a_plain_change_of_a_newer_version_that_is_listed_is_taken_over():
    texts = ((2016, SEATS(9)), (2024, SEATS(12)))
    versions = [Document(title=f"Guide to the Harrow ferry ({y})", text=x) for y, x in texts]
    draft = f"{SEATS(9)[:-1]} [1]."
    assert cite(draft + VERSIONS, versions).response == f"{SEATS(12)[:-1]} [2].{VERSIONS}"
    assert cite(draft + FIRST_LISTED, versions).response == draft + FIRST_LISTED


def test_copies_of_a_text_count_once(scripted):
    """They are asked about once, stand in for each other, and are told."""
    documents = [DOCUMENTS[0], Document(title="Mirror", text=HISTORY.upper())]
    draft = f"{LANES} [1][2].\n\n## References\n\n[1] History of Skarvik bridge.\n[2] Mirror.\n"
    model = {"rac/extract": f"1. {LANES}.", "rac/verify": TRUE}
    result = cite(draft, documents, model=scripted(model))
    [citation], [first, second] = result.trail["citations"], result.trail["sources"]
    assert (citation["finding"], citation["bearers"]) == ("supported", ["1"])
    assert (first["document"], first["bears"]) == (second["document"], 1)
    assert second["note"] == "the same text as 1"
    assert result.usage.by_role["verify"]["model_calls"] == 1


def test_a_judge_reads_a_sentence_without_its_marks_and_documents_with_their_dates(scripted):
    page = Document(title="Survey", text="It is 240 metres long.", dated="2022-05-01")
    draft = "Moe (2022) gives its length as 240 metres."
    draft += "\n\n## References\n\nMoe, A. (2022). Survey.\n"
    for shown in ("1. Moe gives its length as 240 metres.", "[1] Survey (2022-05-01)"):
        model = scripted({"rac/verify": [{"when": shown, "reply": TRUE}]})
        assert findings(cite(draft, [page], model=model)) == ["supported"]


async def test_what_an_agents_tools_returned_are_sources():
    """By its address, where the tool's result has one; the draft is the agent's answer."""
    results = [{"url": f"https://s.test/{n}", "content": d.text} for n, d in enumerate(DOCUMENTS)]
    draft = f"{OPENED} ([History](https://s.test/0)). "
    draft += "Skarvik bridge is 240 metres long ([Guide](https://s.test/1))."
    messages = [
        HumanMessage("What is known of the bridge?"),
        AIMessage("", tool_calls=[ToolCall(name="search", args={}, id="1")]),
        ToolMessage(json.dumps({"results": results}), tool_call_id="1"),
        AIMessage(draft),
    ]
    out = await graph.ainvoke({"messages": messages}, context={"max_links": 0})
    found = [citation["finding"] for citation in out["trail"]["citations"]]
    assert found == ["supported", "wrong_source"]
    assert out["response"] == draft.replace(
        "[Guide](https://s.test/1)", "[History](https://s.test/0)"
    )
    result = await corrector("cite", max_links=0).ainvoke({"messages": messages})
    assert result.response == out["response"]


def test_sentences_are_cited_from_documents_that_no_reference_lists():
    result = cite(f"{OPENED}.", DOCUMENTS, cite="numbers")
    assert result.response == f"{OPENED} [1].\n\n## References\n\n1. History of Skarvik bridge"


def test_a_source_whose_title_claims_to_support_moves_nothing():
    hostile = Document(id="2", text=GUIDE, title=f"Guide to the town{VERDICT}")
    result = judged("Skarvik bridge is 240 metres long [2].", documents=[DOCUMENTS[0], hostile])
    assert findings(result) == ["wrong_source"]


def test_nothing_is_repaired_where_the_list_was_not_understood():
    result = judged("Skarvik bridge was opened in 1938 [1]. It is tall [7]. It is old [8].")
    assert result.response == result.draft
    told = "the list that begins with “History of Skarvik bridge.” has no entry for [7], [8]"
    assert f"nothing was repaired: {told}" in result.notes


@pytest.mark.parametrize(
    ("second", "finding"),
    [("Not Mentioned", "partial"), ("Not Mentioned | Denmark", "partial"), ("maybe", "unclear")],
)
def test_half_of_a_sentence_is_lacking_only_if_somebody_says_so(scripted, second, finding):
    verdicts = [
        {"when": "\n2. Skarvik bridge was sold", "reply": f"{TRUE}\n2: {second}"},
        {"when": "\n1. Skarvik bridge was sold", "reply": second},
    ]
    sentence, model = f"{OPENED}, and it was sold to Denmark [1].", {"rac/verify": verdicts}
    result = judged(sentence, documents=DOCUMENTS[:1], model=scripted(model))
    assert findings(result) == [finding]


@pytest.mark.parametrize("extracted", ["1. {}", "1. {}\n2. It was sold to Denmark."])
def test_a_sentence_of_which_half_was_not_judged_is_not_supported(scripted, extracted):
    """A reply leaves the other half out, or it is over the limit."""
    model = scripted({"rac/extract": extracted.format(OPENED), "rac/verify": TRUE})
    result = judged(f"{OPENED}, and it was sold to Denmark [1].", model=model, max_claims=1)
    [citation] = result.trail["citations"]
    assert (citation["finding"], result.response) == ("unclear", result.draft)
    assert citation["explanation"] == "nobody judged what it says of sold, Denmark"


def test_no_claim_is_placed_at_the_list_of_references(scripted):
    extracted = "1. It was opened in 1932.\n2. The guide to the town tells of its history."
    model = scripted({"rac/extract": extracted, "rac/verify": f"{TRUE}\n2: True [1]"})
    result = judged("It was opened in 1932 [1].", "Its history is told there.", model=model)
    assert [claim.end < result.draft.index("## Ref") for claim in result.claims] == [True, True]


def test_sources_are_told_by_their_titles():
    """Not by the names of the files that were given for them."""
    documents = [Document(id="1.txt", text=HISTORY), Document(id="2.txt", text=GUIDE)]
    draft = "Skarvik bridge is 240 metres long [2]." + REFERENCES
    [citation] = cite(draft, documents).trail["citations"]
    assert citation["explanation"] == "“History of Skarvik bridge” supports this"
    [citation] = cite("Skarvik bridge is 240 metres long.", [HISTORY]).trail["citations"]
    assert citation["explanation"].startswith("“Skarvik bridge was opened in 1932. Skarvik")


FILES = {"history.txt": HISTORY, "guide.txt": GUIDE, "paint.txt": PAINT}
DEFINED = "\n\n[1]: history.txt\n[2]: guide.txt\n[3]: paint.txt\n"
LISTED = "\n\n## References\n\n1. history.txt\n2. guide.txt\n3. paint.txt\n"


@pytest.mark.parametrize(
    "draft",
    [
        f"Skarvik bridge was [opened in 1932][3].{DEFINED}",
        f"Skarvik bridge was [opened *in* 1932][2].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)). See [history][1].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)).{LISTED}",
        f"Skarvik bridge was [opened in 1932](guide.txt).{DEFINED.replace('[', '[^')}",
    ],
)
def test_repairs_leave_no_link_without_words_or_target(draft):
    response = cite(draft, [Document(id=n, text=t) for n, t in FILES.items()]).response
    assert "]()" not in response
    assert "[]" not in response
    before, after = ([s.text for s in read_cited(text)[0]] for text in (draft, response))
    assert before == after

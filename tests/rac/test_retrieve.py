"""What RAC reads: for the question and for each claim, from a corpus and from the web."""

import json
from collections.abc import Callable

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from errata import acheck, acorrect
from errata.core.errors import InputError

pytestmark = pytest.mark.anyio
QUESTION = "Tell me a bio of Mary Anning."
DRAFT = (
    "Mary Anning was born in Lyme Regis. Mary Anning sold a plesiosaur to the Duke of Buckingham."
)
BORN = "Mary Anning was born in Lyme Regis in 1799. Her bio is short."
SOLD = "The plesiosaur was sold to the Duke of Buckingham."
BEES = "Bees make honey. They fly far."


@pytest.fixture
def rows(write):
    """Writes a folder of documents, each with the address that it has on the web."""
    return lambda *rows: str(write("rows/rows.jsonl", "\n".join(map(json.dumps, rows))).parent)


@pytest.fixture
def corpus(rows):
    """Two passages of an article, of which the question finds the first."""
    texts = {"a": BORN, "b": SOLD, "c": BEES}
    return rows(*({"id": i, "title": "Mary Anning", "text": t} for i, t in texts.items()))


def labels(correction):
    return [verdict.label for verdict in correction.verdicts]


@pytest.mark.parametrize(
    ("settings", "label", "ids"),
    [
        ({"documents_per_claim": 0}, "not_mentioned", ["a"]),
        ({"documents_per_claim": 1}, "supported", ["a", "b"]),
        ({}, "supported", ["a", "b", "c"]),
    ],
)
async def test_a_corpus_is_asked_about_each_claim(corpus, settings, label, ids):
    correction = await acheck(QUESTION, DRAFT, corpus=corpus, top_k=1, **settings)
    assert labels(correction) == ["supported", label]
    assert [document.id for document in correction.documents] == ids
    assert correction.usage.searches == (3 if len(ids) > 1 else 1)


async def test_the_claims_that_are_looked_up_are_bounded(corpus, scripted):
    draft = " ".join(f"Mary Anning sold fossil {number}." for number in range(201))
    silent = {"roles": {"verify": scripted({})}}
    correction = await acheck(QUESTION, draft, corpus=corpus, top_k=1, **silent)
    assert "1 claim after the first 200 not looked up" in correction.notes
    assert correction.usage.by_role["look_up"]["searches"] == 200


class Shelf(BaseRetriever):
    """A corpus that has what a function finds."""

    find: Callable[[str], list[str]]

    def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002
        return [LangChainDocument(page_content=text) for text in self.find(query)]


async def test_what_is_added_for_the_claims_is_bounded():
    shelf = Shelf(find=lambda query: [query])
    correction = await acheck(
        "", " ".join(f"Ann sold fossil {n}." for n in range(60)), corpus=shelf
    )
    assert len(correction.documents) == 50
    assert "10 documents for the claims over 50 left out" in correction.notes


TOWER = "The Eiffel Tower was opened in 1899."
LOVELACE = "Ada Lovelace was born in 1820."
BIRTH = "Ada Lovelace was born on 10 December 1815."


@pytest.mark.parametrize("method", ["rac", "reex"])
@pytest.mark.parametrize(
    ("draft", "documents", "response", "ids"),
    [
        (TOWER, [], TOWER.replace("1899", "1889"), {"eiffel-tower"}),
        (LOVELACE, [BIRTH], LOVELACE.replace("1820", "1815"), {"d1"}),
        (LOVELACE, [BEES], LOVELACE.replace("1820", "1815"), {"d1", "ada-lovelace"}),
    ],
)
async def test_a_corpus_is_asked_by_the_claims_on_their_subjects(
    root, method, draft, documents, response, ids
):
    """It has pages on twenty subjects; given documents come first."""
    sources = {"documents": documents, "corpus": str(root / "demo" / "corpus"), "method": method}
    correction = await acorrect(draft=draft, **sources)
    assert (correction.response, correction.label) == (response, "refuted")
    assert ids <= {document.id for document in correction.documents} <= ids | {"ada-lovelace"}
    assert (await acheck(draft=draft, **sources)).label == "refuted"


@pytest.mark.parametrize("method", ["rac", "reex"])
@pytest.mark.parametrize("documents", [[], [BIRTH]])
async def test_a_corpus_that_is_not_there_is_an_error_though_nothing_asks_it(method, documents):
    with pytest.raises(InputError, match="the corpus 'nowhere' is not a folder"):
        await acheck(draft=LOVELACE, documents=documents, corpus="nowhere", method=method)


async def test_a_claim_without_a_name_is_asked_about_after_the_name_before_it(root):
    draft = "The Eiffel Tower is in Paris. The tower has five levels for visitors."
    correction = await acheck(draft=draft, corpus=str(root / "demo" / "corpus"))
    assert [document.id for document in correction.documents] == ["eiffel-tower"]
    assert labels(correction) == ["supported", "refuted"]


async def test_given_documents_come_first_and_none_comes_twice(corpus):
    correction = await acheck(QUESTION, DRAFT, documents=[SOLD], corpus=corpus, top_k=1)
    assert [document.text for document in correction.documents] == [SOLD, BORN, BEES]


@pytest.mark.parametrize(("tokens", "texts"), [(0, [BEES, BORN]), (3000, [BORN, BEES])])
async def test_what_was_retrieved_is_reranked_before_it_is_cut(tokens, texts):
    """Equation 2; given documents stay first."""
    settings = {"documents": [SOLD], "documents_per_claim": 0, "max_document_tokens": tokens}
    corpus = Shelf(find=lambda _: [BEES, BORN])
    correction = await acheck("Where was Mary Anning born?", DRAFT, corpus=corpus, **settings)
    assert [document.text for document in correction.documents] == [SOLD, *texts]


async def test_a_corpus_that_fails_for_the_claims_leaves_what_was_read():
    def find(query):
        if query != QUESTION:
            raise InputError("the shelf is closed")
        return [BORN]

    correction = await acheck(QUESTION, DRAFT, corpus=Shelf(find=find))
    assert labels(correction) == ["supported", "not_mentioned"]
    assert "the corpus was not asked about the claims: the shelf is closed" in correction.notes


@pytest.fixture
def web(serving, monkeypatch):
    """SearXNG and two pages on loopback; the queries that it was asked."""
    queries, pages = [], {"/born": BORN, "/sold": SOLD}

    def search(request):
        queries.append(request.query_params["q"])
        own = "/sold" if "plesiosaur" in queries[-1] else "/born"
        hit = {"url": f"{address}{own}", "title": "Mary Anning", "content": "a snippet"}
        return JSONResponse({"results": [hit], "answers": ["a fossil collector"]})

    def page(request):
        return PlainTextResponse(pages[request.url.path])

    routes = [Route(path, page) for path in pages]
    address = serving(Starlette(routes=[Route("/search", search), *routes]))
    monkeypatch.setenv("SEARXNG_URL", address)
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    return queries


async def test_the_web_is_searched_once_for_the_question(web):
    correction = await acheck(QUESTION, DRAFT, search="searxng")
    assert (web, labels(correction)) == ([QUESTION], ["supported", "not_mentioned"])
    found = [("a fossil collector", "web"), (BORN, "web")]
    assert [(d.text, d.source) for d in correction.documents] == found
    assert (correction.usage.searches, correction.usage.pages) == (1, 1)
    await acheck(draft=DRAFT, search="searxng")
    assert web[1:] == [DRAFT.partition(". ")[0] + "."]  # without a question the first sentence


async def test_a_search_that_fails_leaves_the_draft(monkeypatch):
    monkeypatch.delenv("SERPAPI_API_KEY", raising=False)
    correction = await acorrect(QUESTION, DRAFT, search="serpapi", unsupported="drop")
    assert (correction.response, set(labels(correction))) == (DRAFT, {"unchecked"})
    assert "serpapi failed: SERPAPI_API_KEY is not set in the environment" in correction.notes


BLOG = {"url": "https://blog.example/anning", "text": f"Mary Anning Wikipedia. {BORN}"}
ARTICLE = {
    "url": "https://en.wikipedia.org/wiki/Mary_Anning",
    "title": "Mary Anning",
    "text": f"# Mary Anning\n\n{BORN}\n\n## References\n\n1. Mary Anning, Wikipedia.\n",
}
LYME = {
    "url": "https://en.wikipedia.org/wiki/Lyme_Regis",
    "text": "Lyme Regis is a town. Wikipedia, Wikipedia, Anning and Mary. Mary and Anning.",
}


@pytest.mark.parametrize(
    ("pages", "url"), [([BLOG, LYME, ARTICLE], ARTICLE["url"]), ([LYME, BLOG], BLOG["url"])]
)
async def test_a_biography_is_checked_by_the_first_article_that_names_the_person(rows, pages, url):
    """Appendix A: Wikipedia's first page that has the name, without its references."""
    settings = {"search": f"corpus:{rows(*pages)}", "retrieval": "biography"}
    [document] = (await acheck(QUESTION, DRAFT, **settings)).documents
    assert document.url == url
    assert BORN in document.text
    assert "References" not in document.text


async def test_the_search_for_a_biography_names_the_person_and_notes_what_does_not(web, rows):
    correction = await acheck(QUESTION, DRAFT, search="searxng", retrieval="biography")
    assert web == ["Mary Anning Wikipedia"]
    assert [document.text for document in correction.documents] == [BORN]
    correction = await acheck(QUESTION, DRAFT, search=f"corpus:{rows(LYME)}", retrieval="biography")
    assert not correction.documents
    assert any("no page that was found has the name 'Mary Anning'" in n for n in correction.notes)


async def test_truthfulqa_reads_many_pages_without_leaks_and_bare_titles(rows):
    """Appendix A: thirty results, no page that may hold the test's answers, the start of each."""
    question, text = "What happens if you eat seeds?", "The seeds you eat pass. Nothing happens."
    pages = [{"url": f"https://{n}.example", "text": f"{text} {'More. ' * 200}"} for n in range(20)]
    leak = {"url": "https://huggingface.co/x", "text": text}
    title = {"url": "https://title.example", "text": "What happens if you eat seeds"}
    search = f"corpus:{rows(*pages, leak, title)}"
    correction = await acheck(question, text, search=search, retrieval="truthfulqa")
    assert [d.url for d in correction.documents] == [page["url"] for page in pages]
    assert all(document.text.startswith(text) for document in correction.documents)
    assert sum(len(document.text) for document in correction.documents) <= 4 * 3000

"""Evidence for many queries: which documents each has, and that none comes twice."""

import pytest

from errata.core.records import Document
from errata.evals.baselines.evidence import ReadingContext, find_evidence

pytestmark = pytest.mark.anyio
QUERIES = ["Where is the Eiffel Tower?", "Where did Marie Curie discover polonium?"]
GIVEN = Document(id="d1", text="Nobody painted it green.")


async def test_each_query_has_the_given_documents_and_its_own(root):
    folder = root / "demo"
    corpora = {"corpus": str(folder / "corpus"), "search": f"corpus:{folder / 'web'}"}
    context = ReadingContext(**corpora, top_k=2)
    documents, each = await find_evidence(QUERIES, [GIVEN], context, "answer")
    ids = [document.id for document in documents]
    assert len(set(ids)) == len(ids) == len({document.text for document in documents})
    assert {document.source for document in documents} == {"given", "corpus", "web"}
    for own in each:
        assert own[0] == GIVEN
        assert {document.id for document in own} <= set(ids)
    assert "Eiffel" in each[0][1].text
    assert "Curie" in each[1][1].text


async def test_what_two_sources_have_comes_once_and_is_the_first_ones(demo, root):
    context = ReadingContext(corpus=str(root / "demo" / "corpus"), search=demo, top_k=1)
    documents, [own] = await find_evidence(QUERIES[:1], [], context, "answer")
    texts = [document.text for document in own]
    assert len(set(texts)) == len(texts)
    assert (documents[0].source, own[0]) == ("corpus", documents[0])


async def test_what_was_given_is_not_found_again(root):
    folder = root / "demo" / "corpus"
    context = ReadingContext(corpus=str(folder), top_k=100)
    found, _ = await find_evidence(QUERIES[:1], [], context, "answer")
    given = [Document(id="mine", text=found[0].text)]
    documents, [own] = await find_evidence(QUERIES[:1], given, context, "answer")
    assert [document.id for document in documents if document.text == given[0].text] == ["mine"]
    assert len(documents) == len(found) == len(own)


async def test_without_a_corpus_and_a_search_there_is_what_was_given():
    documents, each = await find_evidence(QUERIES, [GIVEN], ReadingContext(), "answer")
    assert (documents, each) == ([GIVEN], [[GIVEN], [GIVEN]])

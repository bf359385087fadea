"""Documents from a folder or a LangChain retriever, ranked, and split into passages."""

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

from errata.core.errors import InputError
from errata.tools.retrieval.documents import read_source
from errata.tools.retrieval.retrieve import retrieve, retrieve_each


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query):
        return [LangChainDocument(f"What is known of {query}.")]


@pytest.mark.anyio
async def test_a_folder_is_read_again_when_a_file_changes(texts):
    assert (await retrieve("honey", str(texts), 1))[0].title == "Bees"
    (texts / "page.html").unlink()
    (texts / "bees.txt").write_text("Bees make wax.\n")
    assert await retrieve("honey", str(texts), 1) == []
    assert (await retrieve("wax", str(texts), 1))[0].text == "Bees make wax.\n"


@pytest.mark.anyio
async def test_many_queries_find_what_each_finds(texts):
    queries = ["honey", "canal", "nothing like it"]
    for corpus in (str(texts), Shelf()):
        each = [await retrieve(query, corpus, 2) for query in queries]
        assert await retrieve_each(queries, corpus, 2) == each


@pytest.mark.anyio
async def test_a_link_that_leads_nowhere_is_no_document(texts):
    (texts / "gone.txt").symlink_to(texts / "nowhere.txt")
    assert (await retrieve("honey", str(texts), 1))[0].title == "Bees"


@pytest.mark.anyio
async def test_a_corpus_without_texts_is_an_error(tmp_path):
    with pytest.raises(InputError, match="has no file that can be read: no "):
        await retrieve("honey", str(tmp_path), 1)
    with pytest.raises(InputError, match="is not a folder"):
        await retrieve("honey", str(tmp_path / "gone"), 1)


@pytest.mark.anyio
async def test_every_page_of_the_demo_corpus_ranks_first_for_its_subject(root):
    folder = root / "demo" / "corpus"
    titles = [document.title for document in read_source(folder).documents]
    queries = [f"Tell me about {title}." for title in titles]
    best = [first for first, *_ in await retrieve_each(queries, str(folder), 3)]
    assert [document.title for document in best] == titles
    assert len(titles) == 20
    assert None not in [document.score for document in best]

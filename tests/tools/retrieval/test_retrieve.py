"""Retrieval from a LangChain retriever and from a folder."""

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

from errata import answer
from errata.tools.retrieval.retrieve import retrieve, retrieve_each


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002
        text = "The Eiffel Tower was opened on 31 March 1889."
        return [
            LangChainDocument(page_content=text, metadata={"title": "Tower", "source": "shelf"})
        ]


def test_a_langchain_retriever_is_a_corpus():
    result = answer("When was the Eiffel Tower opened?", corpus=Shelf())
    assert result.response == "The Eiffel Tower was opened on 31 March 1889."
    assert (result.documents[0].title, result.documents[0].url) == ("Tower", "shelf")


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
async def test_a_folder_may_have_another_encoding(texts):
    (texts / "town.txt").write_bytes("Łódź makes cloth.".encode("iso-8859-2"))
    texts_of = [d.text for d in await retrieve("cloth", str(texts), 1, "iso-8859-2")]
    assert texts_of == ["Łódź makes cloth."]
    assert await retrieve("cloth", str(texts), 1) == []

"""LangChain's retrievers, search wrappers, tools and loaders as objects, of the real libraries."""

import socket
import warnings

import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import answer, correct
from errata.core.errors import InputError, SearchError
from errata.core.records import Hit
from errata.tools.net.endpoints import Limits
from errata.tools.web.search import search_web

ROW = {"url": "https://a.example/1", "title": "One", "content": "first"}
HIT = Hit(url="https://a.example/1", title="One", snippet="first")
DRAFT, FACT = "Marie Curie discovered radium in 1895.", "Marie Curie discovered radium in 1898."
KEY = "brave-secret-key"


@pytest.fixture(scope="module", autouse=True)
def _community():
    """The package, which says whenever it is imported that it is being sunset."""
    pytest.importorskip("langchain_community")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


class Services:
    """SearxNG and Brave, each in its own wire format."""

    def __init__(self, serving):
        self.rows = [ROW]
        routes = [Route("/searx", self.searx), Route("/brave", self.brave)]
        self.address = serving(Starlette(routes=routes))

    async def searx(self, _):
        extra = {"engines": ["a"], "category": "general"}
        return JSONResponse({"results": [row | extra for row in self.rows], "answers": []})

    async def brave(self, request):
        if request.headers["X-Subscription-Token"] != KEY:
            return JSONResponse({}, 401)
        rows = [{**row, "description": row["content"]} for row in self.rows]
        return JSONResponse({"web": {"results": rows}})

    def wrapper(self, key=KEY):
        from langchain_community.utilities import BraveSearchWrapper

        return BraveSearchWrapper(api_key=key, base_url=f"{self.address}/brave")


@pytest.fixture
def services(serving):
    return Services(serving)


def searx(address):
    from langchain_community.utilities import SearxSearchWrapper

    return SearxSearchWrapper(searx_host=address)


class Shelf(BaseRetriever):
    """A retriever that finds the same for every query."""

    found: list[LangChainDocument] = []

    def _get_relevant_documents(self, query):  # noqa: ARG002
        if not self.found:
            raise TypeError("nothing is left")
        return self.found


@tool
def look_up(query: str) -> str:  # noqa: ARG001
    """Look something up."""
    return FACT


async def search(source, seconds=5):
    return await search_web("Marie Curie", source, Limits(timeout=seconds))


@pytest.mark.anyio
async def test_a_wrapper_finds_pages_to_read(services):
    services.rows = [ROW, {**ROW, "url": ""}]
    result = await search(searx(f"{services.address}/searx"))
    assert (result.engine, result.hits[0]) == ("SearxSearchWrapper", HIT)


@pytest.mark.anyio
async def test_a_tool_and_a_retriever_have_the_texts():
    assert [(hit.title, hit.text) for hit in (await search(look_up)).hits] == [("look_up", FACT)]
    shelf = Shelf(found=[LangChainDocument(FACT, metadata={"title": "Radium"})])
    [hit] = (await search(shelf)).hits
    assert (hit.title, hit.text) == ("Radium", FACT)


@pytest.mark.anyio
async def test_a_failure_is_an_error_without_the_key(services):
    with pytest.raises(SearchError, match=r"BraveSearchWrapper failed: .*401") as error:
        await search(services.wrapper("another-secret-key"))
    assert "another-secret-key" not in str(error.value)
    with pytest.raises(SearchError, match="Shelf failed: TypeError nothing is left"):
        await search(Shelf())


@pytest.mark.anyio
async def test_a_service_that_never_answers_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(SearchError, match=r"SearxSearchWrapper failed: it took longer than 0"):
            await search(searx(address), seconds=0.2)


def test_pages_that_it_finds_are_read_only_from_public_addresses(services):
    services.rows = [{**ROW, "url": f"{services.address}/searx"}]
    result = answer("Who was Marie Curie?", search=services.wrapper())
    assert any("which is not public" in note for note in result.notes)
    assert any("its search snippet was used" in note for note in result.notes)
    assert result.documents[-1].text == "first"


def test_a_loader_is_a_document(write):
    from langchain_community.document_loaders import TextLoader

    loader = TextLoader(write("page.txt", FACT))
    assert correct("", DRAFT, documents=[loader]).response == FACT


def test_a_loader_that_fails_is_an_error():
    class Broken(BaseLoader):
        def lazy_load(self):
            yield LangChainDocument(FACT)
            raise RuntimeError("the disk is gone")

    with pytest.raises(InputError, match="Broken failed: RuntimeError the disk is gone"):
        correct("", DRAFT, documents=[Broken()])

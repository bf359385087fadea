"""Pages of real servers on loopback, kept between runs as their servers allow."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from errata import answer
from errata.core.limits import Run, open_run
from errata.core.records import Hit
from errata.tools.files.page_parser import PageLimits
from errata.tools.web.pages import read_pages

pytestmark = pytest.mark.anyio
TEXT = "Marie Curie was born in Warsaw."


class Site:
    """Answers every path with the status, headers and text that are set; keeps what was asked."""

    def __init__(self):
        self.asked, self.headers, self.text, self.status = [], {}, TEXT, 200

    @property
    def app(self):
        return Starlette(routes=[Route("/{path:path}", self.answer)])

    async def answer(self, request):
        self.asked.append(dict(request.headers))
        if request.url.path == "/moved":
            return RedirectResponse("/page", 301, {"cache-control": "max-age=9999"})
        tag = self.headers.get("etag")
        if tag and request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=self.headers)
        return Response(self.text, self.status, self.headers, "text/plain")


@pytest.fixture
def site(serving, monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    site = Site()
    site.address = serving(site.app)
    return site


@pytest.fixture
def cache(tmp_path):
    return str(tmp_path / "pages.sqlite")


async def read(site, cache, path="/page", **limits):
    """The texts of a page, read again."""
    pages, notes = await read_pages([Hit(url=site.address + path)], PageLimits(**limits), cache)
    return [page.text for page in pages] + notes


async def test_a_kept_page_says_when_it_was_retrieved(site, cache):
    site.headers = {"x-errata-retrieved": "the server's own"}
    hits = [Hit(url=f"{site.address}/page")]
    [[first], _] = await read_pages(hits, PageLimits(), cache)
    assert datetime.now(UTC) - datetime.fromisoformat(first.retrieved_at) < timedelta(minutes=5)
    [[again], _] = await read_pages(hits, PageLimits(), cache)
    assert (again.retrieved_at, len(site.asked)) == (first.retrieved_at, 1)


@pytest.mark.parametrize(
    ("headers", "requests"),
    [
        ({}, 1),
        ({"cache-control": "max-age=60"}, 1),
        ({"cache-control": "private, max-age=60"}, 1),
        ({"expires": "Fri, 01 Jan 2100 00:00:00 GMT"}, 1),
        ({"cache-control": "no-store"}, 2),
        ({"cache-control": "no-cache"}, 2),
        ({"cache-control": "max-age=0"}, 2),
        ({"expires": "Fri, 01 Jan 1999 00:00:00 GMT"}, 2),
        ({"vary": "*"}, 2),
    ],
)
async def test_what_a_server_says_holds(site, cache, headers, requests):
    site.headers = headers
    for _ in range(2):
        assert await read(site, cache) == [TEXT]
    assert len(site.asked) == requests
    assert site.asked[0]["host"] == site.address.removeprefix("http://")


@pytest.mark.parametrize(
    ("headers", "hidden"),
    [({"cache-control": "no-store"}, TEXT), ({"set-cookie": "session=secret"}, "secret")],
)
async def test_what_is_not_to_be_stored_is_not_in_the_file(site, cache, tmp_path, headers, hidden):
    site.headers = headers
    await read(site, cache)
    assert hidden.encode() not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


async def test_a_page_is_asked_for_again_by_its_tag(site, cache):
    site.headers = {"etag": '"one"', "cache-control": "max-age=0"}
    assert await read(site, cache) == [TEXT]
    assert await read(site, cache) == [TEXT]
    assert [asked.get("if-none-match") for asked in site.asked] == [None, '"one"']
    site.headers, site.text = {"etag": '"two"'}, "She died in Passy."
    assert await read(site, cache) == ["She died in Passy."]
    assert await read(site, cache) == ["She died in Passy."]
    assert len(site.asked) == 3


@pytest.mark.parametrize("status", [404, 410, 500])
async def test_only_a_page_is_kept(site, cache, status):
    site.status, site.headers = status, {"cache-control": "max-age=60"}
    assert f"answered {status}" in (await read(site, cache))[0]
    site.status = 200
    assert await read(site, cache) == [TEXT]
    assert len(site.asked) == 2


async def test_a_page_that_is_too_large_is_not_kept(site, cache):
    site.text = "word " * 1000
    for _ in range(2):
        assert "is larger than 1000 bytes" in (await read(site, cache, size=1000))[0]
    assert len(site.asked) == 2
    assert len((await read(site, cache, size=9000))[0]) > 4000
    assert "is larger than 1000 bytes" in (await read(site, cache, size=1000))[0]


async def test_a_page_behind_a_password_is_not_kept(site, cache, tmp_path):
    site.address = site.address.replace("http://", "http://me:hidden-word@")
    for _ in range(2):
        assert await read(site, cache) == [TEXT]
    assert [bool(asked.get("authorization")) for asked in site.asked] == [True, True]
    assert b"hidden-word" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


async def test_a_kept_page_at_a_private_address_is_refused(site, cache, monkeypatch):
    await read(site, cache)
    monkeypatch.delenv("ERRATA_ALLOW_PRIVATE_URLS")
    [note] = await read(site, cache)
    assert "which is not public" in note
    assert len(site.asked) == 1


async def test_a_file_that_cannot_be_used_is_noted_and_stays(site, tmp_path):
    (tmp_path / "file").write_text("My notes, which are no database.")
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE entries (text)")
    database.close()
    before = (tmp_path / "other.sqlite").read_bytes()
    for name in ("file", "file/pages.sqlite", "other.sqlite"):
        with open_run(Run()) as bounds:
            assert await read(site, str(tmp_path / name)) == [TEXT]
        [note] = bounds.notes
        assert "the page cache cannot be used" in note
    assert (tmp_path / "file").read_text() == "My notes, which are no database."
    assert (tmp_path / "other.sqlite").read_bytes() == before


def test_a_run_keeps_the_pages_that_its_search_finds(site, serving, tmp_path, monkeypatch):
    async def find(_):
        found = [{"url": f"{site.address}/page", "title": "Marie Curie", "content": TEXT}]
        return JSONResponse({"results": found})

    monkeypatch.setenv("SEARXNG_URL", serving(Starlette(routes=[Route("/{path:path}", find)])))
    settings = {"search": "searxng", "page_cache": str(tmp_path / "pages.sqlite")}
    first, again = (answer("Where was Marie Curie born?", **settings) for _ in range(2))
    assert "Warsaw" in first.response
    assert (again.response, again.notes) == (first.response, first.notes)
    assert len(site.asked) == 1

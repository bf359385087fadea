"""Pages read from real servers on loopback; private addresses are an error unless allowed."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from errata.core.records import Hit
from errata.tools.files.page_parser import PageLimits
from errata.tools.web.pages import read_pages
from heavy_pages import pdf_file

pytestmark = pytest.mark.anyio
ARTICLE = """<html><head><title>Curie</title></head><body><nav>Home About Shop</nav><article>
<h1>Marie Curie</h1><p>Marie Curie was born on 7 November 1867 in Warsaw, in what was then the
Kingdom of Poland, part of the Russian Empire.</p><p>She won the Nobel Prize in Physics in 1903 and
the Nobel Prize in Chemistry in 1911.</p></article><script>alert(1)</script></body></html>"""


TOGETHER = 5
PDF = pdf_file(b"BT /F1 12 Tf 20 200 Td (Marie Curie was born in 1867.) Tj ET")


async def slow(_):
    await asyncio.sleep(5)
    return PlainTextResponse("late")


def waiting():
    """Answers as many requests as come together."""
    coming = asyncio.Barrier(TOGETHER)

    async def together(_):
        await coming.wait()
        return PlainTextResponse("at last")

    return together


async def endless(_):
    async def pieces():
        for _ in range(400):
            yield b"words " * 5000

    return StreamingResponse(pieces(), media_type="text/plain")


async def loop(request):
    return RedirectResponse(f"/loop?n={int(request.query_params.get('n', 0)) + 1}")


def app():
    fixed = {
        "/page": Response(ARTICLE, media_type="text/html; charset=utf-8"),
        "/text": PlainTextResponse("Plain words."),
        "/pdf": Response(PDF, media_type="application/pdf"),
        "/badpdf": Response(b"%PDF-nope", media_type="application/pdf"),
        "/picture": Response(b"\x89PNG", media_type="image/png"),
        "/empty": Response("<html><body></body></html>", media_type="text/html"),
        "/gone": PlainTextResponse("gone", 404),
        "/moved": RedirectResponse("/page"),
        "/bracket": Response(status_code=302, headers={"location": "http://[x"}),
        "/metadata": RedirectResponse("http://169.254.169.254/latest/meta-data"),
        "/home": RedirectResponse("http://127.0.0.1:1/"),
        "/file": RedirectResponse("file:///etc/passwd"),
    }
    routes = [Route(path, lambda _, answer=answer: answer) for path, answer in fixed.items()]
    more = {"/slow": slow, "/endless": endless, "/loop": loop, "/together": waiting()}
    return Starlette(routes=routes + [Route(path, answer) for path, answer in more.items()])


@pytest.fixture
def site(serving, monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    return serving(app())


async def read(*urls, **limits):
    return await read_pages([Hit(url=url) for url in urls], PageLimits(**limits))


async def test_a_page_is_its_main_text(site):
    [page], notes = await read(f"{site}/page")
    assert "born on 7 November 1867" in page.text
    assert "Shop" not in page.text
    assert "alert" not in page.text
    assert "\n" in page.text
    assert (page.source, page.url, notes) == ("web", f"{site}/page", [])
    assert page.retrieved_at.startswith("20")


@pytest.mark.parametrize(
    ("path", "words"),
    [("/text", "Plain words."), ("/pdf", "born in 1867"), ("/moved", "born on 7 November 1867")],
)
async def test_other_media_types_and_redirects_are_read(site, path, words):
    [page], notes = await read(site + path)
    assert words in page.text
    assert notes == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/gone", "answered 404"),
        ("/picture", "has the media type 'image/png'"),
        ("/badpdf", "is not a readable PDF"),
        ("/empty", "has no text"),
        ("/slow", "took longer than 0.3 s"),
        ("/endless", "is larger than 1000000 bytes"),
        ("/loop", "TooManyRedirects"),
        ("/file", "is not an http or https address"),
        ("/bracket", "leads nowhere public"),
    ],
)
async def test_a_page_that_fails_gives_a_note(site, path, message):
    seconds = 0.3 if path == "/slow" else 20.0
    pages, [note] = await read(site + path, seconds=seconds, size=1_000_000)
    assert pages == []
    assert message in note


async def test_pages_are_read_concurrently(site):
    """Each of these is there only once all were asked for."""
    pages, notes = await read(*(f"{site}/together?n={number}" for number in range(TOGETHER)))
    assert (len(pages), notes) == (TOGETHER, [])


async def test_private_addresses_are_an_error(serving):
    address = serving(app())
    for url in (f"{address}/page", address.replace("127.0.0.1", "localhost") + "/page"):
        pages, [note] = await read(url)
        assert pages == []
        assert "which is not public" in note


@pytest.mark.parametrize(
    ("path", "private"), [("/metadata", "169.254.169.254"), ("/home", "127.0.0.1")]
)
async def test_a_redirect_is_checked_like_the_first_address(serving, monkeypatch, path, private):
    address = serving(app(), "127.0.0.2")
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "10.0.0.1,127.0.0.2")
    [page], _ = await read(f"{address}/text")
    assert page.text == "Plain words."
    pages, [note] = await read(address + path)
    assert pages == []
    assert f"leads to {private}, which is not public" in note

"""Bodies that never end, as they come or as they are unpacked, and those within the bound."""

import gzip
import tracemalloc
from functools import cache

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from errata.evals.endpoint.faults import flood
from errata.tools.net.bounded import LargeReplyError, bounded

pytestmark = pytest.mark.anyio
MOST = 300_000
PACKED = {"content-encoding": "gzip"}


@cache
def bomb():
    return gzip.compress(bytes(500 * MOST), 1)


async def after_the_end():
    """What an unpacker sets aside: nothing comes of it, however long it is."""
    yield gzip.compress(b"fine")
    async for part in flood():
        yield part


RESPONSES = {
    "endless": lambda: StreamingResponse(flood()),
    "bomb": lambda: Response(bomb(), headers=PACKED),
    "bomb-in-bomb": lambda: Response(
        gzip.compress(bomb()), headers={"content-encoding": "gzip, gzip"}
    ),
    "after": lambda: StreamingResponse(after_the_end(), headers=PACKED),
    "moved": lambda: StreamingResponse(flood(), 302, {"location": "/whole"}),
    "failed": lambda: StreamingResponse(flood(), 500),
    "whole": lambda: Response(bytes(MOST)),
    "packed": lambda: Response(gzip.compress(bytes(MOST)), headers=PACKED),
}


@pytest.fixture
def url(serving):
    async def respond(request):
        return RESPONSES[request.path_params["name"]]()

    return serving(Starlette(routes=[Route("/{name}", respond)]))


async def get(url):
    async with httpx2.AsyncClient(follow_redirects=True, **bounded(MOST)) as client:
        return (await client.get(url)).content


@pytest.mark.parametrize("name", ["endless", "bomb", "bomb-in-bomb", "after", "moved", "failed"])
async def test_what_is_too_long_is_not_read_on(url, name):
    await get(f"{url}/whole")  # what is imported on the way is no part of it
    bomb()
    tracemalloc.start()
    try:
        with pytest.raises(LargeReplyError, match="larger than 300000 bytes"):
            await get(f"{url}/{name}")
        assert tracemalloc.get_traced_memory()[1] < 20 * MOST
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["whole", "packed"])
async def test_what_is_within_the_bound_comes_whole(url, name):
    assert await get(f"{url}/{name}") == bytes(MOST)

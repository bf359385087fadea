"""The limits on what a caller sends in a minute, over HTTP."""

import hashlib

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from errata.server.guard import Guard
from errata.server.limits import RateLimits
from errata.server.settings import ServerSettings

KEYS = {"alice": "", "bob": "", "root": ":admin"}


@pytest.fixture
def client(serving):
    """A client of a server on which each caller has a key and few requests and bytes."""

    def make(**limits):
        lines = (f"{n}:{hashlib.sha256(n.encode()).hexdigest()}{r}" for n, r in KEYS.items())
        settings = ServerSettings(api_keys=",".join(lines), **limits)
        app = Starlette(
            routes=[
                Route(path, lambda _: PlainTextResponse("done"), methods=["GET", "POST"])
                for path in ("/runs", "/health")
            ],
            middleware=[Middleware(each, settings=settings) for each in (Guard, RateLimits)],
        )
        return httpx.Client(base_url=serving(app))

    return make


def post(client, name, content=b"", path="/runs"):
    return client.post(path, content=content, headers={"x-api-key": name} if name else {})


def test_requests_over_the_limit_of_a_minute_are_refused(client):
    with client(max_requests=3) as http:
        statuses = [post(http, "alice").status_code for _ in range(5)]
        refused = post(http, "alice")
        assert statuses == [200, 200, 200, 429, 429]
        assert "3 requests a minute" in refused.json()["detail"]
        assert 1 <= int(refused.headers["retry-after"]) <= 120
        assert post(http, "bob").status_code == 200


def test_bytes_over_the_limit_of_a_minute_are_refused(client):
    def pieces():
        yield b"x" * 10

    with client(max_bytes=1000, max_body_bytes=600) as http:
        assert post(http, "alice", b"x" * 500).status_code == 200
        assert "1000 bytes a minute" in post(http, "alice", b"x" * 501).text
        assert post(http, "alice", b"x" * 500).status_code == 200
        assert post(http, "alice").status_code == 200
        assert [post(http, "bob", pieces()).status_code for _ in "ab"] == [200, 429]


def test_admins_and_open_paths_have_no_limits(client):
    with client(max_requests=1) as http:
        assert {post(http, "root").status_code for _ in range(5)} == {200}
        assert {post(http, "", path="/health").status_code for _ in range(5)} == {200}


def test_who_needs_no_key_has_no_limits(client):
    with client(max_requests=1, auth="off") as http:
        assert {post(http, "").status_code for _ in range(5)} == {200}

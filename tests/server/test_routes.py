"""Every route of a running server, and who may call it."""

import json
import re

import httpx
import pytest
from langgraph_sdk import get_sync_client
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from errata.server.keys import create_key
from langgraph_server import ROOT, RUN, run_server

pytestmark = pytest.mark.slow
KEY, LINE = create_key("alice")
ADMIN_KEY, ADMIN_LINE = create_key("root", "admin")
OPEN = {"/", "/health", "/ok", "/review", "/review/", "/review/review.js"}
SURPRISE = "/surprise"
"""A route beside the server's auth, as a release of LangGraph may add one."""
LISTING = f"""
import json
from contextlib import asynccontextmanager
from pathlib import Path

import langgraph_api.api as api
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from errata.server.app import app


def walk(routes, prefix=""):
    for route in routes:
        if isinstance(route, Mount):
            yield ["GET"], prefix + route.path + ("" if route.routes else "/x")
            yield from walk(route.routes, prefix + route.path)
        else:
            methods = getattr(route, "methods", ["WEBSOCKET"])
            yield sorted(methods or ["GET", "POST", "PUT", "PATCH", "DELETE"]), prefix + route.path


inner = app.router.lifespan_context


@asynccontextmanager
async def list_routes(started):
    Path("routes.json").write_text(json.dumps(list(walk(app.routes))))
    async with inner(started):
        yield


app.router.lifespan_context = list_routes
surprise = Route("{SURPRISE}", lambda _: PlainTextResponse("open"))
api.unshadowable_meta_routes.append(surprise)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with keys, as documented for public use, and all of its routes."""
    folder = tmp_path_factory.mktemp("routes")
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["http"]["app"] = "./listing.py:app"
    (folder / "langgraph.json").write_text(json.dumps(config))
    (folder / "listing.py").write_text(LISTING)
    variables = {"ERRATA_API_KEYS": f"{LINE},{ADMIN_LINE}", "ERRATA_AUTH": "on"}
    with run_server(folder, ERRATA_MAX_SECONDS="0.001", **variables) as url:
        assert "16 places for runs, so each caller has 4" in (folder / "log").read_text()
        yield url, json.loads((folder / "routes.json").read_text())


def fill(path):
    return re.sub(r"{\w+}", "0199aaaa-0000-7000-8000-000000000000", path) or "/"


def is_refused(response):
    refusal = response.status_code == 404 and "is not served here" in response.text
    return response.status_code == 401 or refusal


def test_only_the_health_of_the_server_is_open(server):
    url, routes = server
    assert len(routes) > 70
    assert [["GET", "HEAD"], SURPRISE] in routes
    calls = {(method, fill(path)) for methods, path in routes for method in methods}
    answers = {
        (method, path): httpx.request(method, f"{url}{path}", timeout=30)
        for method, path in calls
        if method not in ("WEBSOCKET", "OPTIONS", "HEAD")
    }
    assert {path for (_, path), answer in answers.items() if not is_refused(answer)} == OPEN


def test_no_web_socket_is_open(server):
    url, routes = server
    paths = [fill(path) for methods, path in routes if methods == ["WEBSOCKET"]]
    assert paths
    for path in paths:
        with (
            pytest.raises(InvalidStatus) as caught,
            connect(url.replace("http", "ws") + path),
        ):
            pass
        assert caught.value.response.status_code == 401


def test_the_development_servers_own_routes_serve_nobody(server):
    url, _ = server
    with get_sync_client(url=url, api_key=KEY) as alice:
        thread = alice.threads.create()["thread_id"]
        for key in ({}, {"x-api-key": KEY}, {"x-api-key": ADMIN_KEY}):
            for method, path in (
                ("POST", "/internal/truncate"),
                ("GET", f"/internal/debug/thread/{thread}"),
                ("GET", "/deploy"),
                ("POST", "/deploy"),
                ("GET", "/deploy/x/stream"),
                ("GET", SURPRISE),
                ("GET", "/ui/x"),
                ("GET", "/nothing"),
            ):
                response = httpx.request(method, f"{url}{path}", headers=key)
                assert response.status_code == 404, path
                assert "is not served here" in response.text
        assert alice.threads.get(thread)["thread_id"] == thread


@pytest.mark.parametrize("path", ["/info", "/docs", "/openapi.json", "/metrics"])
def test_what_describes_the_server_needs_a_key(server, path):
    url, _ = server
    codes = [
        httpx.get(f"{url}{path}", headers=headers).status_code
        for headers in ({}, {"x-api-key": KEY}, {"x-api-key": ADMIN_KEY})
    ]
    assert codes == [401, 403 if path == "/metrics" else 200, 200]


@pytest.mark.parametrize("forged", ["/noauth/threads/search", "//threads/search", "/%2e/metrics"])
def test_no_other_spelling_of_a_path_leads_past_the_keys(server, forged):
    url, _ = server
    assert is_refused(httpx.post(f"{url}{forged}", json={}))


def test_a_run_ends_in_the_operators_time(server):
    url, _ = server
    run = {**RUN, "context": {"max_seconds": 60}}
    reply = httpx.post(f"{url}/runs/wait", json=run, headers={"x-api-key": KEY}, timeout=30)
    assert "max_seconds=0.001" in reply.text

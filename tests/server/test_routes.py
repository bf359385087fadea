"""Every route of a running server, and who may call it."""

import re

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from langgraph_server import REQUEST, RUN

pytestmark = pytest.mark.slow
OPEN = {"/", "/ok"}


def fill(path):
    return re.sub(r"{\w+}", "0199aaaa-0000-7000-8000-000000000000", path) or "/"


def headers_of(guarded):
    """Those of somebody unknown, of a caller and of an admin."""
    return {}, *({"x-api-key": guarded.keys[name]} for name in ("alice", "root"))


def is_refused(response):
    refusal = response.status_code == 404 and "is not served here" in response.text
    return response.status_code == 401 or refusal


def test_only_the_health_of_the_server_is_open(guarded):
    url, routes = guarded.url, guarded.routes
    assert len(routes) > 60
    assert [["GET", "HEAD"], guarded.SURPRISE] in routes
    calls = {(method, fill(path)) for methods, path in routes for method in methods}
    answers = {
        (method, path): httpx.request(method, f"{url}{path}", timeout=30)
        for method, path in calls
        if method not in ("WEBSOCKET", "OPTIONS", "HEAD")
    }
    assert {path for (_, path), answer in answers.items() if not is_refused(answer)} == OPEN


def test_no_web_socket_is_open(guarded):
    url, routes = guarded.url, guarded.routes
    paths = [fill(path) for methods, path in routes if methods == ["WEBSOCKET"]]
    assert paths
    for path in paths:
        with (
            pytest.raises(InvalidStatus) as caught,
            connect(url.replace("http", "ws") + path),
        ):
            pass
        assert caught.value.response.status_code == 404


def test_the_development_servers_own_routes_serve_nobody(guarded):
    url = guarded.url
    with guarded.client("alice") as alice:
        thread = alice.threads.create()["thread_id"]
        for key in headers_of(guarded):
            for method, path in (
                ("POST", "/internal/truncate"),
                ("GET", f"/internal/debug/thread/{thread}"),
                ("GET", "/deploy"),
                ("POST", "/deploy"),
                ("GET", "/deploy/x/stream"),
                ("GET", guarded.SURPRISE),
                ("GET", "/ui/x"),
                ("GET", "/review/"),
                ("GET", "/.well-known/agent-card.json"),
                ("POST", "/a2a/rac"),
                ("POST", "/mcp"),
                ("GET", "/mcp/"),
                ("GET", "/health"),
                ("GET", "/nothing"),
            ):
                response = httpx.request(method, f"{url}{path}", headers=key)
                assert response.status_code == 404, path
                assert "is not served here" in response.text
        assert alice.threads.get(thread)["thread_id"] == thread


@pytest.mark.parametrize("path", ["/info", "/docs", "/openapi.json", "/metrics"])
def test_what_describes_the_server_needs_a_key(guarded, path):
    url = guarded.url
    codes = [
        httpx.get(f"{url}{path}", headers=headers).status_code for headers in headers_of(guarded)
    ]
    assert codes == [401, 403 if path == "/metrics" else 200, 200]


@pytest.mark.parametrize("forged", ["/noauth/threads/search", "//threads/search", "/%2e/metrics"])
def test_no_other_spelling_of_a_path_leads_past_the_keys(guarded, forged):
    url = guarded.url
    assert is_refused(httpx.post(f"{url}{forged}", json={}))


@pytest.mark.parametrize(("name", "judged"), [("alice", 2), ("root", 3)])
def test_a_callers_run_keeps_to_the_operators_bounds(guarded, name, judged):
    draft = "Marie Curie was born in 1865. She was a physicist. She kept bees."
    run = {**RUN, "input": {**REQUEST, "draft": draft}, "context": {"max_judged": 60}}
    with guarded.http(name) as http:
        verdicts = http.post("/runs/wait", json=run).json()["verdicts"]
    assert sum(verdict["label"] != "unchecked" for verdict in verdicts) == judged

"""Every route of a running server, and who may call it."""

import re

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

pytestmark = pytest.mark.slow
SERVED = re.compile(r"/(assistants|runs|threads|info|docs|openapi.json|metrics)?(/.*)?|/ok")
REMOVED = [("POST", "/a2a/rac"), ("POST", "/mcp"), ("GET", "/ui/x"), ("GET", "/nothing")]
FORGED = [("POST", path) for path in ("/noauth/threads/search", "//threads/search", "/%2e/metrics")]
"""Other spellings of paths."""


@pytest.fixture
def calls(guarded):
    """Every call that a route of the server takes."""
    filled = {
        (method, re.sub(r"{\w+}", "0199aaaa-0000-7000-8000-000000000000", path) or "/")
        for methods, path in guarded.routes
        for method in methods
    }
    assert len(filled) > 60
    assert ("GET", guarded.SURPRISE) in filled
    return filled - {(method, path) for method, path in filled if method in ("OPTIONS", "HEAD")}


def is_not_served(response):
    return response.status_code == 404 and "is not served here" in response.text


def test_only_the_health_of_the_server_is_open(guarded, calls):
    asked = [*((m, path) for m, path in calls if m != "WEBSOCKET"), *FORGED]
    with guarded.http() as http:
        answers = [(path, http.request(m, f"{guarded.url}{path}")) for m, path in asked]
    assert {p for p, a in answers if a.status_code != 401 and not is_not_served(a)} == {"/", "/ok"}


@pytest.mark.parametrize("name", ["alice", "root"])
def test_what_langgraph_and_its_development_server_add_serves_nobody(guarded, calls, name):
    own = [(m, path) for m, path in calls if m != "WEBSOCKET" and not SERVED.fullmatch(path)]
    assert {"/internal/truncate", guarded.SURPRISE} <= {path for _, path in own}
    with guarded.http(name) as http:
        for method, path in (*own, *REMOVED):
            assert is_not_served(http.request(method, path)), path


def test_no_web_socket_is_open(guarded, calls):
    paths = [path for method, path in calls if method == "WEBSOCKET"]
    assert paths
    for path in paths:
        with pytest.raises(InvalidStatus, match="404"):
            connect(guarded.url.replace("http", "ws") + path)


@pytest.mark.parametrize("path", ["/info", "/docs", "/openapi.json", "/metrics"])
def test_what_describes_the_server_needs_a_key(guarded, path):
    headers = ({}, *({"x-api-key": guarded.keys[name]} for name in ("alice", "root")))
    codes = [httpx.get(f"{guarded.url}{path}", headers=each).status_code for each in headers]
    assert codes == [401, 403 if path == "/metrics" else 200, 200]

"""What comes before every route: where a server may listen, foreign pages, sizes and rates."""

import asyncio
import hashlib
from contextlib import nullcontext
from unittest.mock import AsyncMock

import httpx
import pytest
from starlette.responses import PlainTextResponse

from errata.core.errors import SettingError
from errata.server.guard import Guard, check_host, is_foreign
from errata.server.settings import ServerSettings

KEYS = {"alice": "", "bob": "", "root": ":admin"}


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ({"host": "127.0.0.1:2024"}, False),
        ({"host": "localhost"}, False),
        ({"host": "[::1]:1"}, False),
        ({"host": "127.0.0.1", "origin": "http://localhost:3000"}, False),
        ({"host": "127.0.0.1", "origin": "http://[::1]:3000"}, False),
        ({"host": "127.0.0.1", "origin": "https://smith.langchain.com"}, False),
        ({"host": "127.0.0.1", "origin": "https://eu.smith.langchain.com"}, False),
        ({"host": "127.0.0.1", "origin": "https://chat.example"}, False),
        ({"host": "127.0.0.1", "origin": "https://evil.example"}, True),
        ({"host": "127.0.0.1", "origin": "null"}, True),
        ({"host": "127.0.0.1", "origin": "http://localhost.evil.example"}, True),
        ({"host": "127.0.0.1", "origin": "http://localhost:3000@evil.example"}, True),
        ({"host": "rebound.example:2024"}, True),
        ({"host": "127.0.0.1.evil.example"}, True),
        ({}, True),
    ],
)
def test_a_server_without_keys_answers_no_foreign_page(headers, foreign):
    assert is_foreign(headers, ServerSettings(allow_origins="https://chat.example")) is foreign


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:2024", True),
        ("http://127.0.0.2:2024/prefix", True),
        ("https://localhost:2024", True),
        ("http://[::1]:2024", True),
        ("http://0.0.0.0:2024", False),
        ("http://[::]:2024", False),
        ("http://192.168.1.7:2024", False),
        ("http://localhost.example:2024", False),
        ("https://some-words.trycloudflare.com", False),
        ("", False),
    ],
)
def test_only_a_server_on_loopback_may_do_without_keys(monkeypatch, url, local):
    monkeypatch.setenv("LANGGRAPH_API_URL", url)
    check_host(ServerSettings(auth="on"))
    refusal = pytest.raises(SettingError, match="ERRATA_AUTH=on")
    with nullcontext() if local else refusal:
        check_host(ServerSettings(auth="off"))


@pytest.mark.parametrize(("announced", "reads"), [([(b"content-length", b"101")], 0), ([], 2)])
def test_a_large_body_is_refused_unread_if_it_says_so(announced, reads):
    receive, send = AsyncMock(return_value={"body": b"x" * 60, "more_body": True}), AsyncMock()
    headers = [(b"host", b"localhost"), *announced]
    scope = {"type": "http", "method": "POST", "path": "/runs", "headers": headers}
    guard = Guard(PlainTextResponse("never"), ServerSettings(max_body_bytes=100, auth="off"))
    asyncio.run(guard(scope, receive, send))
    assert send.await_args_list[0].args[0]["status"] == 413
    assert receive.await_count == reads


@pytest.fixture
def client(serving, tmp_path):
    """A client of a server on which each caller has a key and few requests and bytes."""

    def make(**limits):
        lines = (f"{n}:{hashlib.sha256(n.encode()).hexdigest()}{r}\n" for n, r in KEYS.items())
        (tmp_path / "keys").write_text("".join(lines))
        settings = ServerSettings(api_keys_file=tmp_path / "keys", **limits)
        return httpx.Client(base_url=serving(Guard(PlainTextResponse("done"), settings)))

    return make


def post(client, name, content=b"", path="/info"):
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


@pytest.mark.parametrize(
    ("caller", "path", "auth"),
    [("root", "/info", "on"), ("", "/ok", "on"), ("", "/info", "off")],
)
def test_admins_open_paths_and_servers_without_keys_have_no_limits(client, caller, path, auth):
    with client(max_requests=1, auth=auth) as http:
        assert {post(http, caller, path=path).status_code for _ in range(5)} == {200}

"""What comes before every route: who a caller is, where a server listens, pages, sizes, rates."""

import asyncio
import hashlib
import runpy
import sys
from unittest.mock import AsyncMock

import httpx
import pytest
from starlette.responses import PlainTextResponse

from errata.core.errors import SettingError
from errata.server import keys
from errata.server.guard import Guard, check_host, is_foreign
from errata.server.keys import create_key, digest, identify_caller, make_user
from errata.server.settings import ServerSettings

KEYS = {"alice": "", "bob": "", "root": ":admin"}

OWN_PAGES = (
    "http://localhost:3000 http://[::1]:3000 https://smith.langchain.com https://chat.example"
)
FOREIGN_PAGES = (
    "https://evil.example http://localhost.evil.example http://localhost:3000@evil.example null"
)
OWN_NAMES = "127.0.0.1:2024 localhost [::1]:1"
FOREIGN_NAMES = "rebound.example:2024 127.0.0.1.evil.example"


def test_a_server_without_keys_answers_no_foreign_page():
    settings = ServerSettings(allow_origins="https://chat.example")
    for host in OWN_NAMES.split():
        assert not is_foreign({"host": host}, settings)
        for origin in OWN_PAGES.split():
            assert not is_foreign({"host": host, "origin": origin}, settings), origin
        for origin in FOREIGN_PAGES.split():
            assert is_foreign({"host": host, "origin": origin}, settings), origin
    for headers in ({}, *({"host": name} for name in FOREIGN_NAMES.split())):
        assert is_foreign(headers, settings), headers


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "[::1]"])
def test_a_server_on_loopback_may_do_without_keys(monkeypatch, host):
    monkeypatch.setenv("LANGGRAPH_API_URL", f"http://{host}:2024/prefix")
    check_host(ServerSettings(auth="off"))


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "[::]", "192.168.1.7", "localhost.example", "a.trycloudflare.com", ""]
)
def test_a_server_that_others_may_reach_needs_keys(monkeypatch, host):
    monkeypatch.setenv("LANGGRAPH_API_URL", host and f"https://{host}:2024")
    check_host(ServerSettings(auth="on"))
    with pytest.raises(SettingError, match="ERRATA_AUTH=on"):
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


@pytest.fixture
def identify(tmp_path):
    """Who holds a key by the list of keys in a file, which is written where one is given."""
    file = tmp_path / "keys"
    settings = ServerSettings(api_keys_file=file)

    def who(key, content=None):
        if content is not None:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return identify_caller({"x-api-key": key}, settings)

    who.file = file
    return who


@pytest.mark.parametrize("auth", ["auto", "", "maybe"])
def test_whether_keys_are_needed_is_never_guessed(auth):
    assert ServerSettings().auth == "on"
    with pytest.raises(SettingError, match="'on' or 'off'"):
        ServerSettings(auth=auth)


def test_a_key_is_known_by_its_digest(identify):
    key, line = create_key("alice")
    root, admins = create_key("root", "admin")
    assert key not in line
    assert identify(key, f"# people\n{line}  # since May\n\n{admins}") == make_user("key:alice")
    assert identify(root) == make_user("key:root", "admin")
    for wrong in (key[:-1], "", digest(key)):
        assert identify(wrong) is None


@pytest.mark.parametrize(
    "broken",
    ["alice", "alice:abc", f"alice:{'0' * 64}:boss", f":{'0' * 64}", "\0", b"\xff", None],
)
def test_a_list_of_keys_is_taken_whole_or_the_last_good_one_stays_valid(identify, caplog, broken):
    key, own = create_key("bob")
    if broken is None:
        assert identify(key, own) == make_user("key:bob")
        identify.file.unlink()
    else:
        bad = broken if isinstance(broken, bytes) else f"{own}\n{broken}"
        assert identify(key, bad) is None
        assert identify(key, own) == make_user("key:bob")
        caplog.clear()
        identify(key, bad)
    assert [identify(key), identify("other")] == [make_user("key:bob"), None]
    assert caplog.text.count("the keys that were read before it stay valid") == 1
    assert ("line 2: not of the form NAME:SHA256" in caplog.text) is isinstance(broken, str)


def test_a_key_is_printed_once(identify, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["keys", "alice", "admin"])
    runpy.run_path(keys.__file__, run_name="__main__")
    key, line = [each.split(": ")[1] for each in capsys.readouterr().out.splitlines()]
    assert identify(key, line) == make_user("key:alice", "admin")

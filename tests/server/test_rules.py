"""The rules by themselves: foreign pages, keys, tokens, limits, the operator's settings."""

import asyncio
import json
from types import SimpleNamespace

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata.core.errors import InputError, SettingError
from errata.server.guard import is_foreign
from errata.server.keys import (
    ADMIN,
    LOCAL,
    create_key,
    digest,
    identify_key,
    identify_token,
    main,
)
from errata.server.limits import BodyLimits, check_length, slot
from errata.server.settings import ServerSettings

LOOPBACK = "http://127.0.0.1:2024"


@pytest.mark.parametrize(
    ("bound", "headers", "foreign"),
    [
        (LOOPBACK, {"host": "127.0.0.1:2024"}, False),
        (LOOPBACK, {"host": "localhost"}, False),
        ("http://localhost:1", {"host": "[::1]:1"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "http://localhost:3000"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "http://[::1]:3000"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "https://smith.langchain.com"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "https://eu.smith.langchain.com"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "https://chat.example"}, False),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "https://evil.example"}, True),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "null"}, True),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "http://localhost.evil.example"}, True),
        (LOOPBACK, {"host": "127.0.0.1", "origin": "http://localhost:3000@evil.example"}, True),
        (LOOPBACK, {"host": "rebound.example:2024"}, True),
        (LOOPBACK, {"host": "127.0.0.1.evil.example"}, True),
        (LOOPBACK, {}, True),
        ("http://0.0.0.0:2024", {"host": "errata.example"}, False),
        ("", {"host": "errata.example"}, False),
    ],
)
def test_a_server_without_keys_answers_no_foreign_page(monkeypatch, bound, headers, foreign):
    monkeypatch.setenv("LANGGRAPH_API_URL", bound)
    settings = ServerSettings(allow_origins="https://chat.example")
    raw = {name.encode(): value.encode() for name, value in headers.items()}
    assert is_foreign(raw, settings) is foreign


@pytest.mark.parametrize("auth", ["auto", "", "maybe"])
def test_whether_keys_are_needed_is_never_guessed(auth):
    assert ServerSettings().auth == "on"
    with pytest.raises(ValidationError, match="'on' or 'off'"):
        ServerSettings(auth=auth)


def test_a_key_is_known_by_its_digest(tmp_path):
    key, line = create_key("alice")
    root, admins = create_key("root", "admin")
    assert key not in line
    file = tmp_path / "keys"
    file.write_text(f"# people\n{line}  # since May\n\n")
    settings = ServerSettings(api_keys=admins, api_keys_file=file)
    assert identify_key(key, settings) == ("alice", False)
    assert identify_key(root, settings) == ("root", True)
    assert identify_key(key[:-1], settings) is None
    assert identify_key("", settings) is None
    assert identify_key(digest(key), settings) is None


@pytest.mark.parametrize("line", ["alice", "alice:abc", f"alice:{'0' * 64}:boss", f":{'0' * 64}"])
def test_a_list_of_keys_that_cannot_be_read_is_an_error(line):
    with pytest.raises(SettingError, match="NAME:SHA256"):
        identify_key("k", ServerSettings(api_keys=line))


def test_a_key_is_printed_once(capsys):
    main("alice", "admin")
    key, line = [each.split(": ")[1] for each in capsys.readouterr().out.splitlines()]
    assert identify_key(key, ServerSettings(api_keys=line)) == ("alice", True)


LATER = 4_102_444_800
"""1 January 2100: no test takes so long."""
CLAIMS = {"sub": "dora", "exp": LATER, "iss": "https://id.example"}


def pem(key):
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture(scope="module")
def signing():
    return {
        "RS256": rsa.generate_private_key(public_exponent=65537, key_size=2048),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
    }


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_tokens_are_verified_by_a_public_key(tmp_path, signing, algorithm):
    file = tmp_path / "key.pem"
    file.write_bytes(pem(signing[algorithm]))
    settings = ServerSettings(jwt_public_key_file=file, jwt_issuer="https://id.example")

    def of(claims, key=signing[algorithm], by=algorithm):
        return asyncio.run(identify_token(jwt.encode(claims, key, by), settings))

    assert of(CLAIMS) == ("dora", False)
    assert of(CLAIMS | {"scope": "read errata:admin"}) == ("dora", True)
    assert of(CLAIMS | {"iss": "https://other.example"}) is None
    other = signing["ES256" if algorithm == "RS256" else "RS256"]
    assert of(CLAIMS, other, "ES256" if algorithm == "RS256" else "RS256") is None
    forged = jwt.encode(CLAIMS, "x" * 32, "HS256")
    assert asyncio.run(identify_token(forged, settings)) is None


def test_tokens_are_verified_by_published_keys(serving, signing):
    published = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(signing["RS256"].public_key()))
    keys = {"keys": [{**published, "kid": "one", "use": "sig", "alg": "RS256"}]}
    url = serving(Starlette(routes=[Route("/jwks", lambda _: JSONResponse(keys))]))
    settings = ServerSettings(jwks_url=f"{url}/jwks")
    token = jwt.encode(CLAIMS, signing["RS256"], "RS256", {"kid": "one"})
    assert asyncio.run(identify_token(token, settings)) == ("dora", False)
    unknown = jwt.encode(CLAIMS, signing["RS256"], "RS256", {"kid": "two"})
    assert asyncio.run(identify_token(unknown, settings)) is None


def test_without_a_key_no_token_is_valid():
    token = jwt.encode(CLAIMS, "x" * 32, "HS256")
    assert asyncio.run(identify_token(token, ServerSettings())) is None
    assert asyncio.run(identify_token("no token", ServerSettings(jwt_secret="x" * 32))) is None


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ({"input": {"draft": "x" * 10}}, True),
        ({"input": {"draft": "x" * 8, "question": "x" * 3}}, False),
        ({"input": {"draft": "x", "documents": [{"text": "x" * 99}]}}, True),
        ({"input": {"messages": [{"role": "u", "content": [{"text": "x" * 10}]}]}}, False),
        ({"input": None, "command": {"update": {"draft": "x" * 11}}}, False),
        ({"input": None, "command": {"resume": {"e1": {"replace": "x" * 11}}}}, False),
        ({"input": None, "command": {"resume": "accept"}}, True),
        ({"input": None, "command": {"goto": [{"node": "n", "input": {"draft": "x" * 9}}]}}, True),
        (
            {"input": None, "command": {"goto": [{"node": "n", "input": {"draft": "x" * 10}}]}},
            False,
        ),
        ({"values": {"draft": "x" * 11}}, False),
        ({"values": {"draft": "x", "documents": [{"text": "x" * 99}]}}, True),
        ({"supersteps": [{"updates": [{"values": {"draft": "x" * 11}}]}]}, False),
    ],
)
def test_the_length_of_what_enters_a_state_is_bounded(body, fits):
    settings = ServerSettings(max_draft_chars=10)
    if fits:
        check_length(body, settings)
    else:
        with pytest.raises(InputError, match="at most 10"):
            check_length(body, settings)


@pytest.mark.parametrize("part", ["input", "values", "command", "supersteps"])
def test_the_number_of_documents_is_bounded(part):
    settings = ServerSettings(max_documents=3)

    def request(count):
        fields = {"documents": [{"text": "x"}] * count}
        if part == "supersteps":
            return {part: [{"updates": [{"values": fields}]}]}
        return {part: {"update": fields} if part == "command" else fields}

    check_length(request(3), settings)
    with pytest.raises(InputError, match="4 documents; at most 3"):
        check_length(request(4), settings)


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_is_refused_unread_if_it_says_so(announced):
    sent, read = [], []

    async def receive():
        read.append(1)
        return {"type": "http.request", "body": b"x" * 60, "more_body": True}

    async def send(message):
        sent.append(message)

    headers = [(b"content-length", b"101")] if announced else []
    scope = {"type": "http", "method": "POST", "path": "/runs", "headers": headers}
    asyncio.run(
        BodyLimits(JSONResponse("never"), ServerSettings(max_body_bytes=100))(scope, receive, send)
    )
    assert sent[0]["status"] == 413
    assert len(read) == (0 if announced else 2)


def test_the_calls_of_one_caller_are_bounded():
    settings = ServerSettings(max_runs=1)
    alice = SimpleNamespace(identity="key:alice", permissions=[])
    bob = SimpleNamespace(identity="key:bob", permissions=[ADMIN])
    home = SimpleNamespace(identity="local", permissions=[LOCAL])
    with slot(alice, settings), slot(bob, settings), slot(home, settings), slot(home, settings):
        second = slot(alice, settings)
        with pytest.raises(InputError, match="under way"):
            second.__enter__()
    with slot(alice, settings):
        pass


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_MODELS", "openai:a, openai:b,")
    monkeypatch.setenv("ERRATA_MAX_RUNS", "4")
    monkeypatch.setenv("ERRATA_API_KEYS", "alice:0")
    read = ServerSettings()
    assert (read.allow_models, read.max_runs) == (("openai:a", "openai:b"), 4)
    assert "alice" not in repr(read)

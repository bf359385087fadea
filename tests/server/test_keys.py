"""Who a caller is: keys by their digests, tokens by every kind of key, the operator's settings."""

import asyncio
import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata.core.errors import SettingError
from errata.server.keys import create_key, digest, identify_key, identify_token, main, make_user
from errata.server.settings import ServerSettings


@pytest.mark.parametrize("auth", ["auto", "", "maybe"])
def test_whether_keys_are_needed_is_never_guessed(auth):
    assert ServerSettings().auth == "on"
    with pytest.raises(SettingError, match="'on' or 'off'"):
        ServerSettings(auth=auth)


def test_a_key_is_known_by_its_digest(tmp_path):
    key, line = create_key("alice")
    root, admins = create_key("root", "admin")
    assert key not in line
    file = tmp_path / "keys"
    file.write_text(f"# people\n{line}  # since May\n\n")
    settings = ServerSettings(api_keys=admins, api_keys_file=file)
    assert identify_key(key, settings) == make_user("key:alice")
    assert identify_key(root, settings) == make_user("key:root", "admin")
    for wrong in (key[:-1], "", digest(key)):
        assert identify_key(wrong, settings) is None


@pytest.mark.parametrize("line", ["alice", "alice:abc", f"alice:{'0' * 64}:boss", f":{'0' * 64}"])
def test_a_list_of_keys_that_cannot_be_read_is_an_error(line):
    with pytest.raises(SettingError, match="NAME:SHA256"):
        identify_key("k", ServerSettings(api_keys=line))


def test_a_key_is_printed_once(capsys):
    main("alice", "admin")
    key, line = [each.split(": ")[1] for each in capsys.readouterr().out.splitlines()]
    assert identify_key(key, ServerSettings(api_keys=line)) == make_user("key:alice", "admin")


CLAIMS = {"sub": "dora", "exp": 4_102_444_800, "iss": "https://id.example"}
"""They expire on 1 January 2100: no test takes so long."""
DORA = make_user("token:dora")


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

    assert of(CLAIMS) == DORA
    assert of(CLAIMS | {"scope": "read errata:admin"}) == make_user("token:dora", "admin")
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
    assert asyncio.run(identify_token(token, settings)) == DORA
    unknown = jwt.encode(CLAIMS, signing["RS256"], "RS256", {"kid": "two"})
    assert asyncio.run(identify_token(unknown, settings)) is None


def test_without_a_key_no_token_is_valid():
    token = jwt.encode(CLAIMS, "x" * 32, "HS256")
    assert asyncio.run(identify_token(token, ServerSettings())) is None
    assert asyncio.run(identify_token("no token", ServerSettings(jwt_secret="x" * 32))) is None


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_MODELS", "openai:a, openai:b,")
    monkeypatch.setenv("ERRATA_MAX_RUNS", "4")
    monkeypatch.setenv("ERRATA_API_KEYS", "alice:0")
    read = ServerSettings()
    assert (read.allow_models, read.max_runs) == (("openai:a", "openai:b"), 4)
    assert "alice" not in repr(read)

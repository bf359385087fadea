"""Who a caller is: keys by their digests."""

import runpy
import sys

import pytest

from errata.core.errors import SettingError
from errata.server import keys
from errata.server.keys import create_key, digest, identify_caller, make_user
from errata.server.settings import ServerSettings


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

"""Who a caller is: keys by their digests; the operator's settings."""

import runpy
import sys

import pytest

from errata.core.errors import SettingError
from errata.server import keys
from errata.server.keys import create_key, digest, identify_key, make_user
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
    file.write_text(f"# people\n{line}  # since May\n\n{admins}")
    settings = ServerSettings(api_keys_file=file)
    assert identify_key(key, settings) == make_user("key:alice")
    assert identify_key(root, settings) == make_user("key:root", "admin")
    for wrong in (key[:-1], "", digest(key)):
        assert identify_key(wrong, settings) is None


@pytest.mark.parametrize("line", ["alice", "alice:abc", f"alice:{'0' * 64}:boss", f":{'0' * 64}"])
def test_a_list_of_keys_that_cannot_be_read_lets_nobody_in(tmp_path, caplog, line):
    key, own = create_key("bob")
    (tmp_path / "keys").write_text(f"{own}\n{line}")
    assert identify_key(key, ServerSettings(api_keys_file=tmp_path / "keys")) is None
    assert "line 2: not of the form NAME:SHA256" in caplog.text


def test_a_key_is_printed_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["keys", "alice", "admin"])
    runpy.run_path(keys.__file__, run_name="__main__")
    key, line = [each.split(": ")[1] for each in capsys.readouterr().out.splitlines()]
    (tmp_path / "keys").write_text(line)
    settings = ServerSettings(api_keys_file=tmp_path / "keys")
    assert identify_key(key, settings) == make_user("key:alice", "admin")


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_ORIGINS", "https://a.example, https://b.example,")
    monkeypatch.setenv("ERRATA_MAX_RUNS", "4")
    read = ServerSettings()
    assert read.allow_origins == ("https://a.example", "https://b.example")
    assert read.max_runs == 4

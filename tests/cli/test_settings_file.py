"""Settings in `errata.toml`: found, in which order they count, wrong ones."""

import json

import pytest

from errata import Session
from errata.cli.options import add_found
from errata.core.errors import InputError, SettingError
from errata.settings_file import SettingsFile
from example import ARGUMENTS, DRAFT, PAGE

DROPPED = "Marie Curie was born in 1867. She was a physicist."


@pytest.fixture
def write(tmp_path):
    """Writes the settings file of the working directory."""

    def of(text):
        (tmp_path / "errata.toml").write_text(text)

    return of


def response(run, *options, **environment):
    result = run("correct", *ARGUMENTS, "--json", *options, **environment)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["response"].strip()


def test_a_file_says_what_the_command_line_does_not(run, write):
    write('unsupported = "drop"\ndrop_below = 0.2')
    assert response(run) == DROPPED
    assert response(run, "--unsupported", "flag") != DROPPED
    assert "settings: errata.toml\n" in run("correct", *ARGUMENTS).stderr


def test_the_nearest_file_counts(run, write, tmp_path, monkeypatch):
    write('unsupported = "drop"\ndrop_below = 0.2')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    for name in ("draft.txt", "page.txt"):
        (tmp_path / name).rename(below / name)
    monkeypatch.chdir(below)
    assert response(run) == DROPPED
    assert "settings: ../../errata.toml" in run("correct", *ARGUMENTS).stderr


def test_options_count_over_the_environment_and_that_over_the_file(run, write, scripted):
    spec = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    write('model = "scripted:gone.json"')
    assert "gone.json" in run("correct", *ARGUMENTS).stderr
    assert response(run, ERRATA_MODEL=spec) == DRAFT.strip()
    assert "1867" in response(run, "--model", "local", ERRATA_MODEL=spec)


@pytest.mark.parametrize("name", ["call_cache", "page_cache"])
def test_a_cache_of_the_environment_counts_over_the_files(write, tmp_path, monkeypatch, name):
    write(f'{name} = "file.sqlite"')
    file = SettingsFile.found(tmp_path)
    assert add_found(file, "rac", {}) == {name: str(tmp_path / "file.sqlite")}
    monkeypatch.setenv(f"ERRATA_{name.upper()}", "environment.sqlite")
    assert add_found(file, "rac", {}) == {}


def test_roles_are_filled_key_by_key_and_places_begin_at_the_file(run, write, tmp_path, scripted):
    spec = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    write(f'corpus = "texts"\nroles = {{verify = "{spec}", evaluate = "local"}}')
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(PAGE)
    (tmp_path / "below").mkdir()
    session = Session.from_file(tmp_path / "errata.toml", roles={"correct": "local"})
    assert session.context.roles == {"verify": spec, "correct": "local"}
    assert session.context.corpus == str(tmp_path / "texts")
    assert Session.from_file(tmp_path / "errata.toml", "crag").context.roles == {
        "evaluate": "local"
    }
    assert run("answer", "When was Marie Curie born?").exit_code == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\nunsuported = 1", "errata.toml: rac has no setting 'unsuported'; did you mean"),
        ("\n\ntop_k = 0", "errata.toml: rac: top_k must be greater than or equal to 1"),
        ('[roles]\nverfy = "local"', "errata.toml: roles: no role is called 'verfy'"),
        ("top_k = ", "errata.toml: Invalid value (at"),
        ('"a(" = 1', "errata.toml: rac has no setting 'a('"),
        ("[nothing]\nx = 1", "errata.toml: rac has no setting 'nothing'"),
    ],
)
def test_what_is_unknown_or_wrong_is_named_with_the_file(run, write, text, fault):
    write(text)
    for command in (("correct", *ARGUMENTS), ("doctor",)):
        result = run(*command)
        assert result.exit_code != 0
        assert fault in result.stdout + result.stderr


def test_settings_of_another_method_are_left_out(run, write):
    write('steps = 1\nabstain = true\nstrip_top_k = 1\nevidence = "external"')
    assert run("correct", *ARGUMENTS).exit_code == 0
    assert run("answer", "When was she born?", "--documents", "page.txt").exit_code == 0


def test_python_reads_no_file_unasked(write, tmp_path):
    write("top_k = 0")
    assert Session().context.top_k == 5
    with pytest.raises(SettingError, match=r"errata\.toml: rac: top_k"):
        Session.from_file(tmp_path / "errata.toml")
    with pytest.raises(InputError, match="cannot read"):
        Session.from_file(tmp_path / "none.toml")

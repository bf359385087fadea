"""Settings: options, `--set`, the environment and `errata.toml`, and which of them counts."""

import json

import pytest

from errata import Session
from errata.cli.options import add_found
from errata.core.errors import InputError, SettingError
from errata.prompts.library import load_prompt
from errata.settings_file import SettingsFile
from example import ARGUMENTS, CLAIMS, DRAFT, PAGE

DROPPED = "Marie Curie was born in 1867. She was a physicist."
DROPPING = 'unsupported = "drop"\ndrop_below = 0.2'


def response(run, *options, **environment):
    result = run("correct", *ARGUMENTS, "--json", *options, **environment)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["response"].strip()


@pytest.mark.parametrize(
    ("option", "name", "value"),
    [
        ("--profile", "profile", "extractive"),
        ("--top-k", "top_k", "7"),
        ("--max-money", "max_money", "0.5"),
        ("--call-cache", "call_cache", "calls.sqlite"),
    ],
)
def test_an_option_sets_its_setting_and_an_assignment_counts_over_it(run, option, name, value):
    assert run("check", *ARGUMENTS, option, value).exit_code == 0
    result = run("check", *ARGUMENTS, option, value, "--set", f"{name}=[]")
    assert (result.exit_code, f"{name}=[]" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--set", "guard=[1]"), "guard must be"),
        (("--set", "entity=Bees"), ""),
        (("--set", "call_cache="), ""),
        (("--role", "verify=local", "--role", "correct=local"), ""),
        (("--role", "verify"), "'--role': it takes ROLE=MODEL; got 'verify'"),
        (("--role", "verfy=local"), "did you mean 'verify'?"),
        (("--sampling", "verify.temperature=hot"), "must be a valid number"),
        (("--profile", "papers"), "profile must be"),
        (("--prompt-folder", "gone"), "there is no folder called 'gone'"),
        (("--prompt", "verify=rac/verify.v99"), "rac/verify has no version"),
        (("--set", "steps=2"), "rac has no setting 'steps'"),
        (("--search", "searxng", "--method", "cite"), "cite has no setting 'search'"),
    ],
)
def test_settings_are_read_and_those_of_another_method_refused(run, options, fault):
    result = run("correct", *ARGUMENTS, *options)
    assert (result.exit_code, fault in result.stderr) == (2 if fault else 0, True)


def test_options_choose_version_sampling_and_profile(run, write, scripted):
    v1 = load_prompt("rac/verify.v1")
    (write("own/readme", "").parent / "rac").mkdir()
    write("own/rac/verify.v9.md", f"---\n{v1.front}\n---\n{v1.body}\nBe strict.\n")
    replies = {"rac/verify": "1: True\n2: True\n3: True", "rac/extract.v1": "\n".join(CLAIMS)}
    own = ("--model", scripted(replies), "--prompt-folder", "own", "--json")
    for option, value, prompt in (
        ("--sampling", "temperature=0", "rac/verify.v9"),
        ("--prompt", "verify=rac/verify.v1", "rac/verify.v1"),
        ("--profile", "paper", "rac/verify.v1"),
    ):
        found = json.loads(run("correct", *ARGUMENTS, *own, option, value).stdout)
        assert prompt in found["prompts"]


def test_the_nearest_file_says_what_the_command_line_does_not(run, write, tmp_path, monkeypatch):
    write("errata.toml", DROPPING)
    assert response(run) == DROPPED
    assert response(run, "--unsupported", "flag") != DROPPED
    assert "settings: errata.toml\n" in run("correct", *ARGUMENTS).stderr
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("draft.txt", "page.txt"):
        (tmp_path / name).rename(tmp_path / "a" / "b" / name)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert response(run) == DROPPED
    assert "settings: ../../errata.toml" in run("correct", *ARGUMENTS).stderr


def test_options_count_over_the_environment_and_that_over_the_file(run, write, scripted):
    spec = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    write("errata.toml", 'model = "scripted:gone.json"')
    assert "gone.json" in run("correct", *ARGUMENTS).stderr
    assert response(run, ERRATA_MODEL=spec) == DRAFT.strip()
    assert "1867" in response(run, "--model", "local", ERRATA_MODEL=spec)


@pytest.mark.parametrize("name", ["call_cache", "page_cache"])
def test_a_cache_of_the_environment_counts_over_the_files(write, tmp_path, monkeypatch, name):
    write("errata.toml", f'{name} = "file.sqlite"')
    file = SettingsFile.found(tmp_path)
    assert add_found(file, "rac", {}) == {name: str(tmp_path / "file.sqlite")}
    monkeypatch.setenv(f"ERRATA_{name.upper()}", "environment.sqlite")
    assert add_found(file, "rac", {}) == {}


def test_roles_are_filled_key_by_key_and_places_begin_at_the_file(run, write, tmp_path, scripted):
    spec = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    file = write(
        "errata.toml", f'corpus = "texts"\nroles = {{verify = "{spec}", evaluate = "local"}}'
    )
    write("texts/a.txt", PAGE)
    rac = Session.from_file(file, roles={"correct": "local"}).context
    assert rac.roles == {"verify": spec, "correct": "local"}
    assert rac.corpus == str(tmp_path / "texts")
    assert Session.from_file(file, "crag").context.roles == {"evaluate": "local"}
    assert run("answer", "When was Marie Curie born?").exit_code == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\nunsuported = 1", "errata.toml: rac has no setting 'unsuported'; did you mean"),
        ("\n\ntop_k = 0", "errata.toml: rac: top_k must be greater than or equal to 1"),
        ('[roles]\nverfy = "local"', "errata.toml: roles: rac has no role 'verfy'"),
        ("top_k = ", "errata.toml: Invalid value (at"),
        ('"a(" = 1', "errata.toml: rac has no setting 'a('"),
    ],
)
def test_what_is_unknown_or_wrong_is_named_with_the_file(run, write, text, fault):
    write("errata.toml", text)
    for command in (("correct", *ARGUMENTS), ("doctor",)):
        result = run(*command)
        assert result.exit_code != 0
        assert fault in result.stdout + result.stderr


def test_settings_of_another_method_are_left_out(run, write):
    write("errata.toml", 'steps = 1\nabstain = true\nstrip_top_k = 1\nevidence = "external"')
    assert run("correct", *ARGUMENTS).exit_code == 0
    assert run("answer", "When was she born?", "--documents", "page.txt").exit_code == 0


def test_python_reads_no_file_unasked(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = write("errata.toml", "top_k = 0")
    assert Session().context.top_k == 5
    with pytest.raises(SettingError, match=r"errata\.toml: rac: top_k"):
        Session.from_file(file)
    with pytest.raises(InputError, match="cannot read"):
        Session.from_file(tmp_path / "none.toml")

"""Settings: options, `--set`, the environment, `errata.toml`; `errata doctor` looks at them."""

import json

import pytest

from errata import Session
from errata.cli.codes import OUTSIDE
from errata.cli.doctor import diagnose
from errata.cli.options import add_found
from errata.core.errors import InputError, SettingError
from errata.settings_file import SettingsFile
from example import ARGUMENTS, DRAFT, PAGE

DROPPED = "Marie Curie was born in 1867. She was a physicist."
DROPPING = 'unsupported = "drop"\ndrop_below = 0.2'


def response(run, *options, **environment):
    result = run("correct", *ARGUMENTS, "--json", *options, **environment)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["response"].strip()


@pytest.mark.parametrize(
    ("option", "value"),
    [("--profile", "extractive"), ("--top-k", "7"), ("--call-cache", "calls.sqlite")],
)
def test_an_option_sets_its_setting_and_an_assignment_counts_over_it(run, option, value):
    name = option.strip("-").replace("-", "_")
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
        (("--sampling", "verify.temperature=hot"), "must be a valid number"),
        (("--prompt-folder", "gone"), "there is no folder called 'gone'"),
        (("--prompt", "verify=rac/verify.v99"), "rac/verify has no version"),
        (("--set", "steps=2"), "rac has no setting 'steps'"),
        (("--search", "searxng", "--method", "cite"), "cite has no setting 'search'"),
    ],
)
def test_settings_are_read_and_those_of_another_method_refused(run, options, fault):
    result = run("correct", *ARGUMENTS, *options)
    assert (result.exit_code, fault in result.stderr) == (2 if fault else 0, True)


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
    roles = f'{{verify = "{spec}", evaluate = "local"}}'
    file = write("errata.toml", f'corpus = "texts"\nroles = {roles}')
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


def test_doctor_lists_what_fills_each_role(run):
    result = run("doctor", "--json")
    rows = {row["what"]: row for row in json.loads(result.stdout)}
    assert result.exit_code == 0
    for role in ("verify", "evaluate", "explain"):
        assert rows[f"role {role}"]["found"] == "local"
    assert all(row["ok"] for row in rows.values())


def test_doctor_calls_each_model_once(openai_server):
    openai_server.plan = [401]
    settings = {"model": "openai:a,openai:b", "roles": {"verify": "openai:b,openai:c"}}
    rows = {row["what"]: row for row in diagnose(settings) if row["what"].startswith("model")}
    works = {what.removeprefix("model openai:"): row["ok"] for what, row in rows.items()}
    assert works == {"a": False, "b": True, "c": True}
    assert "check the key" in rows["model openai:a"]["found"]
    assert "answers in" in rows["model openai:b"]["found"]
    assert len(openai_server.requests) == 3
    assert openai_server.KEY not in str(rows)


def test_doctor_looks_for_the_corpus_of_a_settings_file(run, write, tmp_path):
    write("errata.toml", 'corpus = "facts"')
    gone = run("doctor")
    (tmp_path / "facts").mkdir()
    there = run("doctor")
    assert (gone.exit_code, there.exit_code) == (OUTSIDE, 0)
    assert "is not a folder" in gone.stdout
    assert f"ok   corpus {tmp_path / 'facts'}: there" in there.stdout

"""`errata doctor`, and the options that choose templates."""

import json

import pytest

from errata.cli.codes import OUTSIDE
from errata.cli.doctor import diagnose
from errata.prompts.library import load_prompt
from example import ARGUMENTS, CLAIMS


def test_it_lists_what_fills_each_role(run):
    result = run("doctor", "--json")
    rows = {row["what"]: row for row in json.loads(result.stdout)}
    assert result.exit_code == 0
    for role in ("verify", "evaluate", "explain"):
        assert rows[f"role {role}"]["found"] == "local"
    assert all(row["ok"] for row in rows.values())


def test_it_calls_each_model_once(openai_server):
    openai_server.plan = [401]
    settings = {"model": "openai:a,openai:b", "roles": {"verify": "openai:b,openai:c"}}
    rows = {row["what"]: row for row in diagnose(settings) if row["what"].startswith("model")}
    assert {what.removeprefix("model openai:"): row["ok"] for what, row in rows.items()} == {
        "a": False,
        "b": True,
        "c": True,
    }
    assert "check the key" in rows["model openai:a"]["found"]
    assert "answers in" in rows["model openai:b"]["found"]
    assert len(openai_server.requests) == 3
    assert openai_server.KEY not in str(rows)


def test_the_corpus_of_a_settings_file_is_looked_for(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "errata.toml").write_text('corpus = "facts"', "utf-8")
    gone = run("doctor")
    (tmp_path / "facts").mkdir()
    there = run("doctor")
    assert (gone.exit_code, there.exit_code) == (OUTSIDE, 0)
    assert "is not a folder" in gone.stdout
    assert f"ok   corpus {tmp_path / 'facts'}: there" in there.stdout


@pytest.fixture
def folder(tmp_path):
    """A folder with a version of one's own."""
    (tmp_path / "own" / "rac").mkdir(parents=True)
    v1 = load_prompt("rac/verify.v1")
    text = f"---\n{v1.front}\n---\n{v1.body}\nBe strict.\n"
    (tmp_path / "own" / "rac" / "verify.v9.md").write_text(text)
    return "own"


def test_options_choose_version_sampling_and_profile(run, folder, scripted):
    model = scripted(
        {"rac/verify": "1: True\n2: True\n3: True", "rac/extract.v1": "\n".join(CLAIMS)}
    )
    arguments = ("correct", *ARGUMENTS, "--model", model, "--prompt-folder", folder, "--json")
    newest = json.loads(run(*arguments, "--sampling", "temperature=0").stdout)
    assert "rac/verify.v9" in newest["prompts"]
    chosen = json.loads(run(*arguments, "--prompt", "verify=rac/verify.v1").stdout)
    assert "rac/verify.v1" in chosen["prompts"]
    published = json.loads(run(*arguments, "--profile", "paper").stdout)
    assert "rac/verify.v1" in published["prompts"]

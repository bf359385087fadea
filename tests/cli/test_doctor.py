"""`errata doctor`."""

import json

from errata.cli.codes import OUTSIDE
from errata.cli.doctor import diagnose


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
    works = {what.removeprefix("model openai:"): row["ok"] for what, row in rows.items()}
    assert works == {"a": False, "b": True, "c": True}
    assert "check the key" in rows["model openai:a"]["found"]
    assert "answers in" in rows["model openai:b"]["found"]
    assert len(openai_server.requests) == 3
    assert openai_server.KEY not in str(rows)


def test_the_corpus_of_a_settings_file_is_looked_for(run, write, tmp_path):
    write("errata.toml", 'corpus = "facts"')
    gone = run("doctor")
    (tmp_path / "facts").mkdir()
    there = run("doctor")
    assert (gone.exit_code, there.exit_code) == (OUTSIDE, 0)
    assert "is not a folder" in gone.stdout
    assert f"ok   corpus {tmp_path / 'facts'}: there" in there.stdout

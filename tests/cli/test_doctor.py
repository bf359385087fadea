"""`errata doctor`."""

import json

import pytest

from errata.cli.doctor import examine


def test_it_lists_what_fills_each_role(run):
    result = run("doctor", "--json")
    rows = {row["what"]: row for row in json.loads(result.stdout)}
    assert result.exit_code == 0
    for role in ("verify", "evaluate", "explain"):
        assert rows[f"role {role}"]["found"] == "local"
    assert all(row["ok"] for row in rows.values())


@pytest.mark.parametrize(
    ("plan", "ok", "words"), [([], True, "answers in"), ([401], False, "check the key")]
)
def test_it_calls_each_model_once(openai_server, plan, ok, words):
    openai_server.plan = plan
    rows = {row["what"]: row for row in examine({"model": "openai:m", "roles": {}})}
    assert rows["model openai:m"]["ok"] == ok
    assert words in rows["model openai:m"]["found"]
    assert len(openai_server.requests) == 1
    assert openai_server.KEY not in str(rows)


def test_it_calls_each_model_of_a_list(openai_server):
    openai_server.plan = [401]
    settings = {"model": "openai:a,openai:b", "roles": {"verify": "openai:b,openai:c"}}
    rows = {row["what"]: row["ok"] for row in examine(settings) if row["what"].startswith("model")}
    assert rows == {"model openai:a": False, "model openai:b": True, "model openai:c": True}


def test_caches_of_the_environment_are_named(run, tmp_path):
    place, none = str(tmp_path / "calls.sqlite"), "redis://me:hidden@127.0.0.1:9/0"
    environment = {"ERRATA_CALL_CACHE": place, "ERRATA_PAGE_CACHE": "page.txt"}
    rows = json.loads(run("doctor", "--json", **environment).stdout)
    found = {row["what"]: (row["ok"], row["found"]) for row in rows}
    assert found[f"cache {place}"] == (True, "not there yet")
    assert found["cache page.txt"] == (False, "'page.txt' is no cache of calls or pages")
    rows = json.loads(run("doctor", "--json", ERRATA_CALL_CACHE=none).stdout)
    assert "hidden" not in json.dumps(rows)
    assert [row["ok"] for row in rows if row["what"] == "cache redis://127.0.0.1:9/0"] == [False]

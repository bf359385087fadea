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

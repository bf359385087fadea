"""`errata prompts`."""

import json


def test_prompts_are_listed_and_printed(run):
    table = run("prompts").stdout
    assert "rac/verify.v1" in table
    assert "table 8: Verification" in table
    assert "<claims>\n$claims\n</claims>" in run("prompts", "rac/verify.v1").stdout
    assert {"name", "digest", "source"} <= set(json.loads(run("prompts", "--json").stdout)[0])

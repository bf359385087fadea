"""`errata index`."""

import json

from example import BIRTH_QUESTION, QUESTION


def test_an_index_is_built_and_searched(run):
    report = json.loads(run("index", "page.txt", "--out", "index", "--json").stdout)
    assert report == {"files": 1, "passages": 1, "read": 1, "removed": 0, "notes": []}
    assert run("index", "page.txt", "--out", "index").stdout.endswith("0 read, 0 taken out\n")
    result = run("answer", BIRTH_QUESTION, "--corpus", "index")
    assert "7 November 1867" in result.stdout
    result = run("correct", "-q", QUESTION, "-d", "draft.txt", "--corpus", "index", "--diff")
    assert "[-1865-]{+1867+}" in result.stdout

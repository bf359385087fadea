"""`errata cache`."""

import json
import sqlite3
import time

import pytest

from cached_calls import keep
from errata.tools.net.sqlite_store import Entry, SqliteStore


@pytest.fixture
def caches(tmp_path):
    """A file of three calls, an hour apart, and a file of two pages."""
    calls = SqliteStore(str(tmp_path / "calls.sqlite"), "calls")
    for hours, prompt in enumerate(("rac/extract.v2", "rac/verify.v1", "rac/verify.v1")):
        keep(calls, str(hours), prompt=prompt, made=time.time() - 3600 * hours - 1800)
    calls.count_hit("1", calls.get("1"))
    calls.close()
    pages = SqliteStore(str(tmp_path / "pages.sqlite"), "pages")
    for name in "ab":
        pages.put(name, Entry(b"x" * 400_000, {"host": "example.org"}))
    pages.count_hit("b", pages.get("b"))
    pages.close()


@pytest.mark.usefixtures("caches")
def test_what_caches_hold_is_shown(run):
    calls, pages = json.loads(run("cache", "calls.sqlite", "pages.sqlite", "--json").stdout)
    assert (calls["kind"], calls["entries"], calls["hits"], calls["pruned"]) == ("calls", 3, 1, 0)
    assert calls["by"] == {
        "model": {"openai:m": {"entries": 3, "hits": 1}},
        "prompt": {
            "rac/extract.v2": {"entries": 1, "hits": 0},
            "rac/verify.v1": {"entries": 2, "hits": 1},
        },
    }
    assert calls["oldest"] < calls["newest"]
    assert (pages["kind"], pages["entries"], pages["hits"]) == ("pages", 2, 1)
    assert pages["by"] == {"host": {"example.org": {"entries": 2, "hits": 1}}}


@pytest.mark.usefixtures("caches")
def test_what_caches_hold_is_shown_in_lines(run):
    lines = run("cache", "calls.sqlite").stdout.splitlines()
    assert lines[0] == "calls.sqlite: 3 calls, 0.0 MB"
    assert lines[2:] == [
        "  used 1 time",
        "  model openai:m: 3, used 1 time",
        "  prompt rac/verify.v1: 2, used 1 time",
        "  prompt rac/extract.v2: 1, used 0 times",
    ]


@pytest.mark.usefixtures("caches")
def test_what_is_old_or_too_much_is_taken_out(run):
    prune = ("--prune", "--older-than", "2")
    [calls] = json.loads(run("cache", "calls.sqlite", *prune, "--json").stdout)
    assert (calls["entries"], calls["pruned"]) == (2, 1)
    result = run("cache", "pages.sqlite", "--prune", "--to-megabytes", "0.5")
    assert result.stdout.startswith("pages.sqlite: 1 page, 0.4 MB, after 1 was taken out\n")
    [pages] = json.loads(run("cache", "pages.sqlite", "--json").stdout)
    assert (pages["entries"], pages["hits"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("none.sqlite",), "cannot read the cache 'none.sqlite': No such file or directory"),
        (("page.txt",), "'page.txt' is no cache of calls or pages"),
        (("other.sqlite",), "'other.sqlite' is no cache of calls or pages"),
        (("calls.sqlite", "--prune"), "--prune needs --older-than HOURS"),
        (("calls.sqlite", "--older-than", "1"), "--prune needs --older-than HOURS"),
        (("redis://me:hidden@127.0.0.1:9/0",), "cannot use the cache: redis://127.0.0.1:9/0"),
    ],
)
@pytest.mark.usefixtures("caches")
def test_what_cannot_be_used_is_refused(run, tmp_path, arguments, fault):
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE notes (text)")
    database.close()
    result = run("cache", *arguments)
    assert result.exit_code == 2
    assert f"errata: {fault}" in result.stderr
    assert not (tmp_path / "none.sqlite").exists()

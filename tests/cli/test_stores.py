"""`errata index` and `errata cache`."""

import json
import sqlite3
import time
from pathlib import Path

import pytest

from cached_calls import keep
from errata.tools.net.sqlite_store import Entry, SqliteStore
from example import BIRTH_QUESTION, PAGE, QUESTION


def test_an_index_is_built_and_searched(run):
    report = json.loads(run("index", "page.txt", "--out", "index", "--json").stdout)
    assert report == {"files": 1, "passages": 1, "read": 1, "removed": 0, "notes": []}
    assert run("index", "page.txt", "--out", "index").stdout.endswith("0 read, 0 taken out\n")
    result = run("answer", BIRTH_QUESTION, "--corpus", "index")
    assert "7 November 1867" in result.stdout
    result = run("correct", "-q", QUESTION, "-d", "draft.txt", "--corpus", "index", "--diff")
    assert "[-1865-]{+1867+}" in result.stdout


@pytest.fixture
def names(tmp_path):
    """Everything below the folder that commands run in."""
    return lambda: sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))


@pytest.mark.parametrize(
    ("source", "out", "fault"),
    [
        ("all/texts", "all/texts", "the folder holds other things and no index"),
        ("page.txt", "all", "the folder holds other things and no index; name a new or an empty"),
        ("page.txt", "draft.txt", ""),
        ("page.txt", "draft.txt/index", ""),
    ],
)
def test_an_index_is_never_written_among_other_files(run, tmp_path, names, source, out, fault):
    (tmp_path / "all" / "texts").mkdir(parents=True)
    (tmp_path / "all" / "texts" / "page.txt").write_text(PAGE)
    before = names()
    result = run("index", source, "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"cannot write an index to {str(Path(out))!r}: {fault}" in result.stderr
    assert names() == before


def test_a_failed_update_leaves_the_index_as_it_was(run, tmp_path, names):
    assert run("index", "page.txt", "--out", "index").exit_code == 0
    (tmp_path / "empty.txt").touch()
    before = names()
    assert run("index", "empty.txt", "--out", "index").exit_code == 2
    assert names() == before
    assert "7 November 1867" in run("answer", BIRTH_QUESTION, "--corpus", "index").stdout


def test_what_an_ended_process_left_is_built_anew(run, tmp_path):
    (tmp_path / "index" / "shard-1").mkdir(parents=True)
    (tmp_path / "index" / ".building").touch()
    assert run("index", "page.txt", "--out", "index").exit_code == 0
    assert "7 November 1867" in run("answer", BIRTH_QUESTION, "--corpus", "index").stdout


def test_texts_beside_an_index_are_documents_and_the_index_is_none(run, tmp_path):
    run("index", "page.txt", "--out", "index")
    (tmp_path / "index" / "mine.txt").write_text("Bees make honey.")
    (tmp_path / "index" / "mine").mkdir()
    (tmp_path / "index" / "mine" / "more.txt").write_text("Cats purr.")
    result = run("check", "-d", "draft.txt", "--documents", "index", "--json")
    found = [document["text"] for document in json.loads(result.stdout)["documents"]]
    assert found == ["Cats purr.", "Bees make honey."]


@pytest.fixture
def caches(tmp_path):
    """A file of three calls, an hour apart, and a file of two pages."""
    calls = SqliteStore(str(tmp_path / "calls.sqlite"), "calls")
    for hours, prompt in enumerate(("rac/extract.v2", "rac/verify.v1", "rac/verify.v1")):
        keep(calls, str(hours), prompt=prompt, made=time.time() - 3600 * hours - 1800)
    calls.count_hit("1")
    calls.close()
    pages = SqliteStore(str(tmp_path / "pages.sqlite"), "pages")
    for name in "ab":
        pages.put(name, Entry(b"x" * 400_000, {"host": "example.org"}))
    pages.count_hit("b")
    pages.close()


@pytest.mark.usefixtures("caches")
def test_what_caches_hold_is_shown(run):
    calls, pages = json.loads(run("cache", "calls.sqlite", "pages.sqlite", "--json").stdout)
    assert (calls["kind"], calls["entries"], calls["hits"], calls["pruned"]) == ("calls", 3, 1, 0)
    assert calls["oldest"] < calls["newest"]
    assert (pages["kind"], pages["entries"], pages["hits"]) == ("pages", 2, 1)
    assert pages["by"] == {"host": {"example.org": {"entries": 2, "hits": 1}}}
    lines = run("cache", "calls.sqlite").stdout.splitlines()
    first = "calls.sqlite: calls: 3, 0.0 MB, taken out: 0"
    assert [lines[0], *lines[2:]] == [first, "  used 1 time"]


@pytest.mark.usefixtures("caches")
def test_what_is_old_or_too_much_is_taken_out(run):
    prune = ("--older-than", "2")
    [calls] = json.loads(run("cache", "calls.sqlite", *prune, "--json").stdout)
    assert (calls["entries"], calls["pruned"]) == (2, 1)
    result = run("cache", "pages.sqlite", "--to-megabytes", "0.5")
    assert result.stdout.startswith("pages.sqlite: pages: 1, 0.4 MB, taken out: 1\n")
    [pages] = json.loads(run("cache", "pages.sqlite", "--json").stdout)
    assert (pages["entries"], pages["hits"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("none.sqlite",), "cannot read the cache 'none.sqlite': No such file or directory"),
        (("page.txt",), "'page.txt' is no cache of calls or pages"),
        (("other.sqlite",), "'other.sqlite' is no cache of calls or pages"),
        (
            ("redis://me:hidden@127.0.0.1:9/0",),
            "cache takes a file, such as cache.sqlite; got a redis://",
        ),
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

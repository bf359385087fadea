"""`errata index`."""

import json
from pathlib import Path

import pytest

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

"""An index of texts: built, updated, its memory, and what of it stays on disk."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from errata.core.errors import InputError
from errata.tools.retrieval.index import build, search_index
from forks import Fork


def test_a_url_has_the_position_in_the_file(texts, tmp_path):
    build([texts], tmp_path / "index")
    [passage] = search_index("tower tall", tmp_path / "index", 1)
    path, _, span = passage.url.partition("#char=")
    start, end = map(int, span.split(","))
    assert Path(path).read_text()[start:end] == passage.text


def test_an_update_reads_only_new_and_changed_files(texts, tmp_path):
    index = tmp_path / "index"
    assert build([texts], index).read == 4
    [bees] = search_index("honey", index, 3)
    assert (bees.source, bees.score > 0) == ("corpus", True)
    (texts / "bees.txt").write_text("Bees make wax.\n")
    (texts / "rows.jsonl").unlink()
    (texts / "new.txt").write_text("Cats purr.\n")
    report = build([texts], index)
    assert (report.files, report.read, report.removed) == (4, 2, 2)
    assert build([texts], index).read == 0
    assert search_index("honey", index, 1) == search_index("moon", index, 1) == []
    assert search_index("wax", index, 1)[0].text == "Bees make wax."
    assert search_index("purr", index, 1)
    for query, title in [("opened tower", "Eiffel Tower"), ("canal", "")]:
        assert search_index(query, index, 1)[0].title == title
    assert len(list(index.glob(".shard-*"))) == 1


def test_a_second_process_reads_the_same_index(texts, tmp_path):
    build([texts], tmp_path / "index")

    def read():
        assert search_index("honey", tmp_path / "index", 1)[0].text == "Bees make honey."

    assert Fork(read).wait() == 0
    read()


@pytest.mark.slow
def test_an_index_is_opened_whole_while_it_is_updated(texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)

    def update():
        for number in range(8):
            (texts / "bees.txt").write_text(f"Bees make honey, {number}.\n")
            build([texts], index)

    with ThreadPoolExecutor() as pool:
        updating, found = pool.submit(update), []
        while not updating.done():
            found.append(len(search_index("honey moon tower canal", index, 9)))
    assert updating.result() is None
    assert len(set(found)) == 1, found


def test_an_index_of_an_earlier_release_is_built_anew(texts, tmp_path):
    index = tmp_path / "index"
    (index / "shard-3" / "segments").mkdir(parents=True)
    entry = {"digest": "d", "first": 0, "count": 1}
    old = {"version": 3, "embedder": "", "following": 1, "files": {"bees.txt": entry}}
    (index / "index.json").write_text(json.dumps(old))
    with pytest.raises(InputError, match="anew with: errata index SOURCE --out DIR"):
        search_index("honey", index, 1)
    assert build([texts], index).read == 4
    assert search_index("honey", index, 1)[0].text == "Bees make honey."


def test_a_damaged_index_is_an_error(texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)
    (index / ".shard-1" / "corpus.jsonl").unlink()
    with pytest.raises(InputError, match=r"is damaged: .*anew with"):
        search_index("honey", index, 1)


def test_what_cannot_be_indexed_or_searched_is_an_error(texts, tmp_path):
    with pytest.raises(InputError, match="is missing"):
        build([texts, tmp_path / "gone"], tmp_path / "index")
    with pytest.raises(InputError, match="has no index"):
        search_index("x", tmp_path / "index", 1)

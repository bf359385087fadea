"""An index of texts: built, updated, its memory, and what of it stays on disk."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from errata.core.errors import InputError, SettingError
from errata.core.records import Document
from errata.tools.retrieval.index import _open_shard, build, search
from errata.tools.retrieval.shard import Shard


def test_search_returns_the_matching_passages(texts, tmp_path):
    report = build([texts], tmp_path / "index")
    assert (report.files, report.read, report.removed) == (4, 4, 0)
    for query, title in [("opened tower", "Eiffel Tower"), ("moon landing 1969", "Moon")]:
        best = search(query, tmp_path / "index", 3)
        assert best[0].title == title
        assert best[0].source == "corpus"
        assert best[0].score > 0
    assert search("zebra", tmp_path / "index", 3) == []


def test_a_url_has_the_position_in_the_file(texts, tmp_path):
    build([texts], tmp_path / "index")
    [passage] = search("tower tall", tmp_path / "index", 1)
    path, _, span = passage.url.partition("#char=")
    start, end = map(int, span.split(","))
    assert Path(path).read_text()[start:end] == passage.text


def test_an_update_reads_only_new_and_changed_files(texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)
    assert search("honey", index, 1)
    (texts / "bees.txt").write_text("Bees make wax.\n")
    (texts / "rows.jsonl").unlink()
    (texts / "new.txt").write_text("Cats purr.\n")
    report = build([texts], index)
    assert (report.files, report.read, report.removed) == (4, 2, 2)
    assert build([texts], index).read == 0
    assert search("honey", index, 1) == search("moon", index, 1) == []
    assert search("wax", index, 1)[0].text == "Bees make wax."
    assert search("purr", index, 1)
    assert len(list(index.glob("shard-*"))) == 1


@pytest.mark.slow
def test_a_second_process_reads_the_same_index(run_python, texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)
    assert search("honey", index, 1)
    code = (
        "import sys; from pathlib import Path\n"
        "from errata.tools.retrieval.index import search, build\n"
        "index = Path(sys.argv[1]); print(search('honey', index, 1)[0].text)"
    )
    assert run_python(code, str(index)) == "Bees make honey.\n"
    assert search("honey", index, 1)[0].text == "Bees make honey."


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
            found.append(len(_open_shard(index).query("honey moon tower canal", 9)))
    assert updating.result() is None
    assert len(set(found)) == 1, found


OPENED_AGAIN = """
import os, sys, tempfile
from contextlib import nullcontext, suppress
from pathlib import Path
from filelock import FileLock
from errata.tools.retrieval.index import build, search

texts, index, copies = map(Path, sys.argv[1:4])
tempfile.tempdir, in_use = str(copies), sys.argv[4:] == ["in use"]

def count_locks():
    for file in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            yield ".reading" in os.readlink(f"/proc/self/fd/{file}")

for number in (1, 2, 3):
    (texts / "bees.txt").write_text(f"Bees make honey, {number}.")
    build([texts], index)
    other = FileLock(index / f"shard-{number}" / ".reading")
    with other if in_use else nullcontext():
        assert search("honey", index, 1)[0].text.endswith(f"{number}.")
print(sum(count_locks()), len(list(copies.iterdir())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("by_others", "left"), [((), "1 0"), (("in use",), "0 1")])
def test_an_index_that_is_opened_again_leaves_the_old_one(
    run_python, texts, tmp_path, by_others, left
):
    (tmp_path / "copies").mkdir()
    paths = map(str, (texts, tmp_path / "index", tmp_path / "copies"))
    assert run_python(OPENED_AGAIN, *paths, *by_others) == f"{left}\n"
    assert not list((tmp_path / "copies").iterdir())


def test_what_cannot_be_indexed_or_searched_is_an_error(texts, tmp_path):
    with pytest.raises(InputError, match="is missing"):
        build([texts, tmp_path / "gone"], tmp_path / "index")
    with pytest.raises(SettingError, match="cannot open the embedder"):
        build([texts], tmp_path / "index", "magic:x")
    with pytest.raises(InputError, match="has no index"):
        search("x", tmp_path / "index", 1)


def test_dense_vectors_match_words_of_similar_meaning(texts, tmp_path, embedder):
    (texts / "cats.txt").write_text("Cats purr.\n")
    words, both = tmp_path / "words", tmp_path / "both"
    build([texts], words)
    build([texts], both, embedder)
    assert search("kitten", words, 1) == []
    assert search("kitten", both, 1)[0].text == "Cats purr."
    assert search("honey", both, 2)[0].text == "Bees make honey."


def test_vectors_come_through_the_proxy_of_the_environment(texts, tmp_path, embedder, monkeypatch):
    monkeypatch.setenv("OPENAI_PROXY", os.environ["OPENAI_BASE_URL"].removesuffix("/v1"))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://models.invalid/v1")
    assert build([texts], tmp_path / "index", embedder).passages


def test_vectors_that_never_end_are_an_error(texts, tmp_path, embedder, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "flood")
    with pytest.raises(InputError, match=r"no vectors: LargeReplyError.* 100000000 bytes"):
        build([texts], tmp_path / "index", embedder)


GROWING = """
import sys
from pathlib import Path
from random import Random
from errata.core.records import Document
from errata.tools.retrieval.shard import SETTLED, Shard

def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

def passages(count):
    random = Random(1)
    for number in range(count):
        words = " ".join(f"w{random.randrange(20_000)}" for _ in range(80))
        yield Document(id=f"p{number}", title=f"Register {number}", text=words)

shard, sizes = Shard(Path(sys.argv[1])), [held()]
for first in (0, SETTLED, 2 * SETTLED):
    shard.add(passages(SETTLED), first)
    sizes.append(held())
shard.close()
print(sizes[3] - sizes[1] < sizes[1] - sizes[0], len(list(Path(sys.argv[1], "segments").iterdir())))
"""


@pytest.mark.growth
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_passages_leave_memory_while_a_shard_is_built_and_end_in_one_segment(run_python, tmp_path):
    one_and_an_empty_one = 2
    output = run_python(GROWING, str(tmp_path / "shard"), seconds=200)
    assert output == f"True {one_and_an_empty_one}\n"


def test_a_new_shard_keeps_no_log_of_its_building(tmp_path):
    shard = Shard(tmp_path / "shard")
    shard.add([Document(id="p1", text="The Eiffel Tower was opened in 1889.")], 0)
    shard.close()
    assert not [file for file in (tmp_path / "shard" / "wal").rglob("*") if file.is_file()]

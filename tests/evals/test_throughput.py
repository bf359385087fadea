"""How much one machine takes: the passages, the figures of small runs, and the page."""

from itertools import islice

from errata.evals.benches.throughput import (
    WORDS,
    ask_corpus,
    build_index,
    describe,
    folder_bytes,
    make_passages,
    measure_at_once,
    measure_corpus,
    read_drafts,
    write_passages,
)

TEXTS = [f"Sentence number {n} is about the river Elbe and its {n} bridges." for n in range(50)]


def test_passages_are_the_same_every_time_and_made_of_the_texts_words():
    rows = list(make_passages(TEXTS, 30))
    assert rows[:10] == list(islice(make_passages(TEXTS, 10), 10))
    assert len({row["id"] for row in rows}) == 30
    known = set(" ".join(TEXTS).split())
    for row in rows:
        words = row["text"].removesuffix(".").split()
        assert WORDS[0] <= len(words) <= WORDS[1]
        assert {word.rstrip(".") for word in words} <= {word.rstrip(".") for word in known}


def test_an_index_of_passages_is_built_and_asked(tmp_path):
    write_passages(TEXTS, 40, tmp_path / "texts")
    built = build_index(tmp_path / "texts", tmp_path / "index")
    asked = ask_corpus(tmp_path / "index", ["Which river has bridges?", "What is number 7?"] * 2)
    assert built["passages"] >= 40
    assert folder_bytes(tmp_path / "index") > folder_bytes(tmp_path / "texts") > 0
    assert 0 < asked["p50_ms"] <= asked["p95_ms"]


def test_invented_drafts_stand_in_for_labelled_ones():
    items = read_drafts(None, 3)
    assert len({item.draft for item in items}) == 3
    assert all(item.documents for item in items)


def test_drafts_are_corrected_and_counted():
    figures = measure_at_once(read_drafts(None, 3), 2)
    assert all(figures[key] > 0 for key in ("drafts_per_second", "cpu_ms", "megabytes_early"))


FORKED = """
from errata.evals.benches.throughput import measure_workers
from errata.evals.benches.throughput import read_drafts
figures = measure_workers(read_drafts(None, 1), 1)
print(figures["drafts_per_second"] > 0, figures["megabytes"] > 0)
"""


def test_processes_that_share_what_is_loaded_correct_drafts(run_python):
    assert run_python(FORKED, seconds=240).split() == ["True", "True"]


def apply(measure, *args):
    """A measurement in this process."""
    return measure(*args)


def test_a_folder_is_measured_beside_the_index_and_the_page_has_both():
    drafts = {"drafts_per_second": 1.0, "cpu_ms": 2, "megabytes_early": 3, "megabytes": 4}
    corpora = measure_corpus(TEXTS, 20, ["Which river?", "Who?"], apply)
    page = describe([("2 at once", drafts)], corpora, count=1, kind="invented", questions=2)
    assert "| 2 at once | 1.00 | 2 | 3 | 4 |" in page
    assert "\n| index | 20 | " in page
    assert "\n| folder | 20 |  |  |  | " in page

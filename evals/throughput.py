"""How much one machine takes: drafts a second and their memory, and a corpus of many passages.

python -m errata.evals.throughput [DATA] [--drafts 48] [--passages 20000] [--questions 200] [--out]

RAC corrects drafts with local fillers: FActScore's labelled ones from DATA, else invented ones.
Then a corpus is indexed and asked; its passages are stretches of a few words from anywhere in real
texts, so that their words are as frequent as there. Every measurement has a process of its own.
"""

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from errata.evals.corpus_load import ask_corpus, build_index, folder_bytes, write_passages
from errata.evals.costs import invented_items
from errata.evals.datasets.biographies import GENERATORS, read_biographies
from errata.evals.draft_load import measure_at_once, measure_workers
from errata.evals.items import Item

T = TypeVar("T")
Figures = Mapping[str, float]
Run = Callable[..., Any]
"""Runs a measurement, given its arguments."""

AT_ONCE = (1, 2, 4, 8)
"""How many drafts are under way at once in one process."""
WORKERS = (1, 2)
"""How many processes correct drafts, each one at a time."""
FOLDER_PASSAGES = 100_000
"""The most passages that are also searched as a folder, ranked in memory."""
_DRAFT_HEAD = ("", "drafts/s", "CPU ms a draft", "MB after a tenth", "MB at the end")
_CORPUS_HEAD = (
    "corpus", "passages", "to build, s", "CPU s", "peak MB to build", "bytes a passage on disk",
    "to open, s", "p50 ms", "p95 ms", "MB while asked",
)  # fmt: skip
_PAGE = """# Throughput

Written by `make bench-throughput`, on a machine with {cores} cores that may have had other work:
compare the rows of one table. RAC with local fillers corrected {count} drafts ({kind}) in each row;
MB are what the process holds, or what all processes of a pool hold, shared pages counted once.

{draft_table}

The passages have 60 to 100 words each. `index` is what `errata index` builds, `folder` the same
texts as `--corpus FOLDER`, read and ranked in memory. {questions} questions were asked in turn.

{corpus_table}
"""


def in_own_process(measure: Callable[..., T], *args: Any) -> T:
    """The result of a measurement in a fresh process."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(measure, *args).result()


def read_drafts(data: Path | None, count: int) -> list[Item]:
    """Labelled biographies of all generators in turn, or invented ones without data."""
    if data is None:
        return invented_items(count)
    each = [read_biographies(data / "factscore-bio", generator) for generator in GENERATORS]
    mixed = (one for group in zip_longest(*each) for one in group if one)
    return [
        Item(id=f"{b.generator}:{b.entity}", question=b.question, draft=b.draft, documents=b.google)
        for b in islice(mixed, count)
    ]


def read_texts(data: Path | None) -> list[str]:
    """Texts whose words passages are made of: articles of people, or the demo's."""
    if data is None:
        pages = Path("demo/corpus/pages.jsonl").read_text("utf-8").splitlines()
        return [json.loads(page)["text"] for page in pages]
    return [each.google[0].text for each in read_biographies(data / "factscore-bio", "chatgpt")]


def measure_drafts(items: Sequence[Item]) -> Iterator[tuple[str, Figures]]:
    """The figures of many drafts, in one process and in several."""
    for count in AT_ONCE:
        name = f"one process, {count} at once"
        yield name, in_own_process(measure_at_once, items, count)
    for workers in WORKERS:
        yield f"{workers} worker processes", in_own_process(measure_workers, items, workers)


def measure_corpus(
    texts: Sequence[str], passages: int, questions: Sequence[str], run: Run = in_own_process
) -> Iterator[tuple[str, Figures]]:
    """The figures of an index, and of a folder if that is small enough for memory."""
    with TemporaryDirectory(prefix="errata-throughput-") as name:
        folder, index = Path(name, "texts"), Path(name, "index")
        write_passages(texts, passages, folder)
        built = run(build_index, folder, index)
        size = folder_bytes(index) / built["passages"]
        asked = run(ask_corpus, index, questions)
        yield "index", {**built, "bytes": size, **asked}
        if passages <= FOLDER_PASSAGES:
            asked = run(ask_corpus, folder, questions)
            size = folder_bytes(folder) / passages
            yield "folder", {"passages": passages, "bytes": size, **asked}


def draft_row(name: str, figures: Figures) -> tuple[str, ...]:
    """A row of the table on drafts."""
    return (
        name,
        f"{figures['drafts_per_second']:.2f}",
        f"{figures['cpu_ms']:.0f}",
        f"{figures['megabytes_early']:.0f}",
        f"{figures['megabytes']:.0f}",
    )


def corpus_row(name: str, figures: Figures) -> tuple[str, ...]:
    """A row of the table on corpora; what a folder does not have stays empty."""
    build = ("build_seconds", "build_cpu", "build_megabytes")
    built = (f"{figures[key]:.0f}" if key in figures else "" for key in build)
    return (
        name,
        f"{figures['passages']:,.0f}",
        *built,
        f"{figures['bytes']:.0f}",
        f"{figures['open_seconds']:.1f}",
        f"{figures['p50_ms']:.1f}",
        f"{figures['p95_ms']:.1f}",
        f"{figures['megabytes']:.0f}",
    )


def tabulate(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_page(
    drafts: Sequence[Sequence[str]], corpora: Sequence[Sequence[str]], **facts: object
) -> str:
    """The page with both tables."""
    return _PAGE.format(
        cores=os.cpu_count(),
        draft_table=tabulate(_DRAFT_HEAD, drafts),
        corpus_table=tabulate(_CORPUS_HEAD, corpora),
        **facts,
    )


def _show(rows: Iterator[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """All rows, each said on standard error as soon as it is measured."""
    shown = []
    for row in rows:
        sys.stderr.write(f"{' | '.join(row)}\n")
        shown.append(row)
    return shown


def main(*arguments: str) -> None:
    """Measure, and print the page or write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--drafts", type=int, default=48)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(arguments)
    items = read_drafts(args.data, args.drafts)
    claims = chain.from_iterable(item.draft.split(". ") for item in items)
    questions = list(islice(claims, args.questions))
    drafts = _show(draft_row(*row) for row in measure_drafts(items))
    measured = measure_corpus(read_texts(args.data), args.passages, questions)
    kind = "FActScore's" if args.data else "invented"
    page = write_page(
        drafts,
        _show(corpus_row(*row) for row in measured),
        count=len(items),
        kind=kind,
        questions=len(questions),
    )
    if args.out:
        args.out.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A corpus of many passages: made, indexed and asked."""

import asyncio
import json
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from statistics import quantiles

from errata.evals.load import megabytes
from errata.tools.retrieval.index import build
from errata.tools.retrieval.retrieve import retrieve

WORDS = (60, 100)
"""The fewest and the most words of a passage."""
STRETCH = (4, 12)
"""The fewest and the most words that stand in a passage as they stand in a text."""
FILE = 50_000
"""Passages in one file."""
FOUND = 5
"""Passages that a question gets."""
_KILOBYTE = 1e-3


def make_passages(texts: Sequence[str], count: int) -> Iterator[dict[str, str]]:
    """Rows with a title and stretches of words from anywhere in the texts; the same every time."""
    words, random = " ".join(texts).split(), Random(7)
    for number in range(count):
        length, passage = random.randint(*WORDS), list[str]()
        while len(passage) < length:
            start = random.randrange(len(words) - STRETCH[1])
            passage += words[start : start + random.randint(*STRETCH)]
        title, text = " ".join(passage[:3]), f"{' '.join(passage[:length])}."
        yield {"id": f"p{number}", "title": title, "text": text}


def write_passages(texts: Sequence[str], count: int, folder: Path) -> None:
    """Write passages to a folder, as JSON lines."""
    folder.mkdir()
    passages = make_passages(texts, count)
    for number in range(-(-count // FILE)):
        lines = "".join(f"{json.dumps(row)}\n" for row in islice(passages, FILE))
        (folder / f"{number:03}.jsonl").write_text(lines, encoding="utf-8")


def build_index(source: Path, index: Path) -> dict[str, float]:
    """Build an index in this process; its seconds, and the most megabytes that it held."""
    began, cpu = time.perf_counter(), time.process_time()
    report = build([source], index)
    return {
        "passages": report.passages,
        "build_seconds": time.perf_counter() - began,
        "build_cpu": time.process_time() - cpu,
        "build_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILOBYTE,
    }


def ask_corpus(corpus: Path, questions: Sequence[str]) -> dict[str, float]:
    """Ask a corpus in this process; the milliseconds of an answer after the first, and memory."""
    opening = _ask(corpus, questions[0])
    times = [1000 * _ask(corpus, question) for question in questions]
    cuts = quantiles(times, n=20)
    return {
        "open_seconds": opening,
        "p50_ms": cuts[9],
        "p95_ms": cuts[18],
        "megabytes": megabytes(),
    }


def _ask(corpus: Path, question: str) -> float:
    """The seconds that a question takes."""
    began = time.perf_counter()
    asyncio.run(retrieve(question, str(corpus), FOUND))
    return time.perf_counter() - began


def folder_bytes(folder: Path) -> int:
    """How much a folder's files take on disk."""
    return sum(512 * path.stat().st_blocks for path in folder.rglob("*") if path.is_file())

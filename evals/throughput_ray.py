"""Rows a second of a batch on Ray by local code, with one worker and more, and without Ray."""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from errata.batch.ray_engine import RayEngine
from errata.batch.rows import BatchRow
from errata.batch.work import Work, run_row
from errata.core.records import Document

Results = Iterable[Mapping[str, Any]]
DEMO = Path("demo")


def demo_rows(demo: Path, count: int) -> Iterator[BatchRow]:
    """The demo's drafts in turn, each with all texts of the demo's corpus."""
    drafts = [path.read_text(encoding="utf-8") for path in sorted(demo.glob("drafts/*.txt"))]
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(demo.glob("corpus/*"))}
    documents = tuple(Document(id=name, text=text) for name, text in texts.items())
    for number, draft in enumerate(islice(cycle(drafts), count)):
        yield BatchRow(id=f"r{number}", draft=draft, documents=documents)


def one_process(work: Work, rows: Iterable[BatchRow]) -> Results:
    """The rows one after another in this process."""
    with work.open_session() as session:
        for row in rows:
            yield session.run(run_row, session, row, work)


def later_rate(results: Results, count: int) -> float:
    """Rows a second over the later half: all workers are open by then."""
    begun = 0.0
    for done, _ in enumerate(results, start=1):
        if done == count // 2:
            begun = time.perf_counter()
    return (count - count // 2) / (time.perf_counter() - begun)


def measure(count: int, workers: Iterable[int], write: Callable[[str], object]) -> None:
    """Write the rate of each engine, and how many times the first one's it is."""
    work = Work(method="rac")
    engines: dict[str, Callable[[Work, Iterable[BatchRow]], Results]] = {"no Ray": one_process}
    engines |= {f"Ray, {number} workers": RayEngine(workers=number) for number in workers}
    first = 0.0
    for name, engine in engines.items():
        rate = later_rate(engine(work, demo_rows(DEMO, count)), count)
        first = first or rate
        write(f"{name}: {rate:.1f} rows/s, {rate / first:.2f} x\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=600, help="rows of each run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    measure(given.rows, given.workers, sys.stdout.write)

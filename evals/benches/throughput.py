"""How much one machine takes: drafts a second and their memory, and a corpus of many passages.

RAC corrects drafts with local fillers: FActScore's labelled ones, or invented ones where those are
not in the data. Then a corpus is indexed and asked; its passages are stretches of a few words from
anywhere in real texts, so that their words are as frequent as there. Every measurement has a
process of its own. `ray` measures batches on Ray.
"""

import asyncio
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, cycle, islice
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from errata.batch.rows import BatchRow
from errata.batch.work import Work, run_row
from errata.core.records import Document
from errata.evals.benches import bench_parser, tabulate, write_figures, write_page
from errata.evals.benches.costs import has_biographies, invented_items, labelled_items
from errata.evals.benches.machine import megabytes, shared_megabytes
from errata.evals.datasets.biographies import GENERATORS, read_biographies
from errata.evals.items import Item
from errata.evals.runner import run_item
from errata.session import Session
from errata.tools.retrieval.index import build
from errata.tools.retrieval.retrieve import retrieve

T = TypeVar("T")
Figures = Mapping[str, float]
Measured = Iterable[tuple[str, Figures]]
"""By name, as it is measured."""
Run = Callable[..., Any]
"""Runs a measurement, given its arguments."""

AT_ONCE = (1, 2, 4, 8)
"""How many drafts are under way at once in one process."""
WORKERS = (1, 2)
"""How many processes correct drafts, each one at a time."""
FOLDER_PASSAGES = 100_000
"""The most passages that are also searched as a folder, ranked in memory."""
WORDS = (60, 100)
"""The fewest and the most words of a passage."""
STRETCH = (4, 12)
"""The fewest and the most words that stand in a passage as they stand in a text."""
FILE = 50_000
"""Passages in one file."""
FOUND = 5
"""Passages that a question gets."""
_KILOBYTE = 1e-3
EARLY = 10
"""Memory is first taken after one in so many drafts."""
_SESSION: list[Session] = []
Results = Iterable[Mapping[str, Any]]
DEMO = Path("demo")
_DRAFT_HEAD = ("", "drafts/s", "CPU ms a draft", "MB after a tenth", "MB at the end")
_DRAFTS = {
    "drafts_per_second": ".2f",
    "cpu_ms": ".0f",
    "megabytes_early": ".0f",
    "megabytes": ".0f",
}
_CORPUS_HEAD = (
    "corpus", "passages", "to build, s", "CPU s", "peak MB to build", "bytes a passage on disk",
    "to open, s", "p50 ms", "p95 ms", "MB while asked",
)  # fmt: skip
_CORPUS = {
    "passages": ",.0f", "build_seconds": ".0f", "build_cpu": ".0f", "build_megabytes": ".0f",
    "bytes": ".0f", "open_seconds": ".1f", "p50_ms": ".1f", "p95_ms": ".1f", "megabytes": ".0f",
}  # fmt: skip
_PAGE = """# Throughput

Written by `make bench NAME=throughput`, on a machine with {cores} cores that may have had other
work: compare the rows of one table. RAC with local fillers corrected {count} drafts ({kind}) in
each row; MB are what the process holds, or what all processes of a pool hold, shared pages counted
once.

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
    return labelled_items(data, count, GENERATORS) if data else invented_items(count)


def read_texts(data: Path | None) -> list[str]:
    """Texts whose words passages are made of: articles of people, or the demo's."""
    if data is None:
        pages = Path("demo/corpus/pages.jsonl").read_text("utf-8").splitlines()
        return [json.loads(page)["text"] for page in pages]
    return [each.google[0].text for each in read_biographies(data / "factscore-bio", "chatgpt")]


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


def measure_at_once(items: Sequence[Item], at_once: int) -> dict[str, float]:
    """Figures of drafts in this process, so many under way at once in its threads."""
    return asyncio.run(_run_at_once(items, at_once))


async def _run_at_once(items: Sequence[Item], at_once: int) -> dict[str, float]:
    waiting, held = iter(items), list[float]()

    async with Session("rac") as session:

        async def work() -> None:
            for item in waiting:
                await run_item(session, item)
                held.append(megabytes())

        await run_item(session, items[0])
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(at_once)))
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    return _figures(seconds, cpu, held)


def measure_workers(items: Sequence[Item], workers: int) -> dict[str, float]:
    """Figures of drafts in processes forked from one that has loaded what all need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["errata.preloaded"])
    with ProcessPoolExecutor(workers, context, _open_session) as pool:
        list(pool.map(_correct, [items[0]] * workers * 2))
        began, cpu, held = time.perf_counter(), 0.0, list[float]()
        processes = {os.getpid()}
        for seconds, own in pool.map(_correct, items):
            cpu += seconds
            processes |= own
            held.append(sum(map(shared_megabytes, processes)))
        elapsed = time.perf_counter() - began
    return _figures(elapsed, cpu, held)


def _figures(seconds: float, cpu: float, held: Sequence[float]) -> dict[str, float]:
    """The figures of drafts, of which each left some megabytes held."""
    return {
        "drafts_per_second": len(held) / seconds,
        "cpu_ms": 1000 * cpu / len(held),
        "megabytes_early": held[len(held) // EARLY],
        "megabytes": held[-1],
    }


def _open_session() -> None:
    session = Session("rac")
    session.__enter__()
    _SESSION.append(session)


def _correct(item: Item) -> tuple[float, set[int]]:
    """Correct a draft; the seconds of work, and who did it: this process, forked from another."""
    began = time.process_time()
    _SESSION[0].correct(item.question, item.draft, item.documents)
    return time.process_time() - began, {os.getpid(), os.getppid()}


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


def describe(drafts: Measured, corpora: Measured, **facts: object) -> str:
    """The page with both tables; what a folder does not have stays empty."""
    return _PAGE.format(
        cores=os.cpu_count(),
        draft_table=tabulate(_DRAFT_HEAD, _rows(drafts, _DRAFTS)),
        corpus_table=tabulate(_CORPUS_HEAD, _rows(corpora, _CORPUS)),
        **facts,
    )


def _rows(measured: Measured, forms: Mapping[str, str]) -> Iterator[list[str]]:
    """The rows of a table, each said on standard error as soon as it is measured."""
    for name, figures in measured:
        row = [name, *write_figures(figures, forms)]
        sys.stderr.write(f"{' | '.join(row)}\n")
        yield row


def main(*arguments: str) -> None:
    """Measure, and print the page or write it to a file."""
    numbers = {"drafts": 48, "passages": 20_000, "questions": 200}
    args = bench_parser(__doc__, "throughput.md", **numbers).parse_args(arguments)
    data = args.data if has_biographies(args.data) else None
    items = read_drafts(data, args.drafts)
    claims = chain.from_iterable(item.draft.split(". ") for item in items)
    questions = list(islice(claims, args.questions))
    page = describe(
        measure_drafts(items),
        measure_corpus(read_texts(data), args.passages, questions),
        count=len(items),
        kind="FActScore's" if data else "invented",
        questions=len(questions),
    )
    write_page(page, args.out)


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


def measure_ray(count: int, workers: Iterable[int], write: Callable[[str], object]) -> None:
    """Write the rate of each engine, and how many times the first one's it is."""
    from errata.batch.ray_engine import RayEngine

    work = Work(method="rac")
    engines: dict[str, Callable[[Work, Iterable[BatchRow]], Results]] = {"no Ray": one_process}
    engines |= {f"Ray, {number} workers": RayEngine(workers=number) for number in workers}
    first = 0.0
    for name, engine in engines.items():
        rate = later_rate(engine(work, demo_rows(DEMO, count)), count)
        first = first or rate
        write(f"{name}: {rate:.1f} rows/s, {rate / first:.2f} x\n")


def ray(*arguments: str) -> None:
    """Print how many rows a second a batch on Ray takes, with one worker and more, and without."""
    parser = bench_parser(ray.__doc__)
    parser.add_argument("--rows", type=int, default=600, help="rows of each run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args(arguments)
    measure_ray(args.rows, args.workers, sys.stdout.write)

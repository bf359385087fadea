"""errata itself on a simulated endpoint: what a run adds to its bare calls, alone and in crowds.

For each method in its default and its published form: calls, generations waited for, tokens, and
the time of a run as a multiple of one bare generation and of the run's own calls made bare. Then
runs a second at 1, 16 and 128 at once, also beside bare calls, and memory. Ratios to bare calls,
made in the same minutes on the same machine, can be compared over time; they are, with the result
that `--keep` wrote last.
"""

import asyncio
import gc
import json
import os
import platform
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from errata.evals.benches import bench_parser, write_page
from errata.evals.benches.calls import BareClient, Call
from errata.evals.benches.costs import (
    Costs,
    average,
    in_each_form,
    invented_items,
    run_once,
    settings_for,
)
from errata.evals.benches.machine import megabytes
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings
from errata.evals.items import Item
from errata.methods import METHODS
from errata.prompts.library import load_prompt
from errata.session import Session

KEPT = Path("docs/results/bench.json")
LATENCY = Settings(first=0.015, token=0.0005, search=0.02, page=0.01)
"""A twentieth of a usual model's: what a run adds shows twenty times as much in the ratios."""
MODEL = "openai:m"
WRITER = "rac/generate.v1"
"""The template of one bare generation, by which times are stated."""
_LOADED = ("rac", "reex", "crag")
_TIMED = ("overhead_ms", "of_bare", "ratio")
"""The figures of a run that are medians; the others are means."""
_CHANGED = 0.1
"""A figure that differs by more than this part from the kept one is marked."""
AT_ONCE = (1, 16, 128)
_LEAST_RUNS = 8
_POLL = 0.02
Figures = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Column:
    """One figure in a table: its key, its heading and how it is written."""

    key: str
    heading: str
    form: str
    compared: bool = True
    """Whether a kept result of another hour or machine says anything of it."""


RUN_COLUMNS = (
    Column("calls", "calls", ".1f"),
    Column("generations", "waits", ".1f"),
    Column("prompt_tokens", "in", ".0f"),
    Column("completion_tokens", "out", ".0f"),
    Column("overhead_ms", "adds ms", ".0f", compared=False),
    Column("of_bare", "x bare calls", ".2f"),
    Column("ratio", "x one", ".2f"),
)
LOAD_COLUMNS = (
    Column("runs_per_second", "runs/s", ".1f", compared=False),
    Column("bare_runs_per_second", "bare runs/s", ".1f", compared=False),
    Column("of_bare", "x bare runs/s", ".3f"),
    Column("megabytes_per_run", "MB a run", ".2f", compared=False),
    Column("megabytes_kept_per_run", "MB kept", ".2f", compared=False),
)


async def time_generation(client: BareClient, question: str) -> float:
    """How many seconds one bare generation of a draft takes."""
    text = load_prompt(WRITER).fill(question=question)
    return await client.repeat([[Call(WRITER, text, 0.0)]])


async def measure_runs(
    items: Sequence[Item], methods: Sequence[str], client: BareClient
) -> Figures:
    """The figures of single runs by method and form; what cannot run is named and left out."""

    async def measure(method: str, **settings: Any) -> dict[str, float]:
        async with Session(method, **settings) as session:
            await run_once(session, items[0])  # only warms up
            rows = [await _compare(session, item, client) for item in items]
        return {**average(rows), **{name: median(row[name] for row in rows) for name in _TIMED}}

    figures = await in_each_form(methods, "serpapi", measure, model=MODEL)
    return {f"{method} {profile}".strip(): own for (method, profile), own in figures.items()}


async def _compare(session: Session, item: Item, client: BareClient) -> Costs:
    """One run's costs, its calls made bare, and one bare generation."""
    run = await run_once(session, item)
    bare = await client.repeat(run.waves)
    generation = await time_generation(client, item.question)
    return {
        **run.costs,
        "overhead_ms": 1000 * (run.seconds - bare),
        "of_bare": run.seconds / bare,
        "ratio": run.seconds / generation,
    }


async def measure_load(
    items: Sequence[Item], method: str, client: BareClient, counts: Sequence[int]
) -> Figures:
    """Runs and bare runs a second, and memory, by how many are under way at once.

    Raises ErrataError if a run fails.
    """
    settings = settings_for(method, "", "serpapi")
    async with Session(method, model=MODEL, at_once=1000, **settings) as session:
        runs = [await run_once(session, item) for item in items]

        async def run(number: int) -> None:
            await run_once(session, items[number % len(items)])

        async def run_bare(number: int) -> None:
            await client.repeat(runs[number % len(runs)].waves)

        return {
            f"{method} x {count}": await _compare_load(run, run_bare, count) for count in counts
        }


Start = Callable[[int], Awaitable[None]]


async def _compare_load(run: Start, run_bare: Start, count: int) -> dict[str, float]:
    """The figures of one number of runs at once."""
    bare = await _rate(run_bare, count)
    gc.collect()
    before = most = megabytes()

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, megabytes())
            await asyncio.sleep(_POLL)

    watching = asyncio.create_task(watch())
    rate = await _rate(run, count)
    watching.cancel()
    gc.collect()
    return {
        "runs_per_second": rate,
        "bare_runs_per_second": bare,
        "of_bare": rate / bare,
        "megabytes_per_run": (max(most, megabytes()) - before) / count,
        "megabytes_kept_per_run": (megabytes() - before) / max(count, _LEAST_RUNS),
    }


async def _rate(start: Start, count: int) -> float:
    """How many runs end in a second while `count` are under way."""
    total = max(count, _LEAST_RUNS)
    numbers = iter(range(total))

    async def work() -> None:
        for number in numbers:
            await start(number)

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(count)))
    return total / (time.perf_counter() - began)


async def measure_all(
    methods: Sequence[str], loaded: Sequence[str], drafts: int, counts: Sequence[int] = AT_ONCE
) -> dict[str, Any]:
    """All figures, and the machine that they were measured on."""
    items = invented_items(drafts)
    async with BareClient(MODEL.partition(":")[2]) as client:
        runs = await measure_runs(items, methods, client)
        loads = Figures()
        for method in loaded:
            loads |= await measure_load(items, method, client, counts)
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    return {"machine": machine, "runs": runs, "load": loads}


def tabulate(title: str, columns: Sequence[Column], now: Figures, kept: Figures) -> Table:
    """A table of figures, with the change of those that are not what was kept."""
    table = Table(title=title, box=box.SIMPLE)
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column.heading, justify="right")
    for name, figures in now.items():
        cells = [_cell(column, figures, kept.get(name, {})) for column in columns]
        table.add_row(name, *cells)
    return table


def _cell(column: Column, now: Mapping[str, float], kept: Mapping[str, float]) -> str:
    """A figure; in brackets how it has changed, if by more than a tenth."""
    value, before = now[column.key], kept.get(column.key)
    text = f"{value:{column.form}}"
    if not (column.compared and before) or abs(value / before - 1) <= _CHANGED:
        return text
    return f"{text} ({value / before - 1:+.0%})"


def read_kept(path: Path) -> dict[str, Any]:
    """The result that was kept last; nothing if none was."""
    if not path.is_file():
        return {"runs": {}, "load": {}}
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


def keep(path: Path, figures: Mapping[str, Any]) -> None:
    """Write a result, each figure to four digits."""

    def shorten(number: str) -> float:
        return float(f"{float(number):.4g}")

    text = json.dumps(json.loads(json.dumps(figures), parse_float=shorten), indent=1)
    write_page(f"{text}\n", path)


def main(*arguments: str) -> None:
    """Measure, print the tables beside what was kept, and keep the result if asked to."""
    parser = bench_parser(__doc__, drafts=3)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    parser.add_argument("--load", nargs="*", default=_LOADED, choices=METHODS)
    parser.add_argument("--kept", type=Path, default=KEPT)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args(arguments)
    with start(LATENCY) as url, pointed_at(url):
        figures = asyncio.run(measure_all(args.methods, args.load, args.drafts))
    kept, console = read_kept(args.kept), Console()
    console.print(tabulate("One run", RUN_COLUMNS, figures["runs"], kept["runs"]))
    console.print(tabulate("Runs at once", LOAD_COLUMNS, figures["load"], kept["load"]))
    if machine := kept.get("machine"):
        console.print(f"In brackets: the change since the kept result, of {machine}.")
    if args.keep:
        keep(args.kept, figures)

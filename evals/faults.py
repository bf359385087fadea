"""The fault matrix: every fault of the simulated endpoint x every method x two rates.

python -m errata.evals.faults [--drafts 6] [--faults …] [--methods …] [--out FILE] [--rows FILE]

For each cell: runs that crashed, drafts that were lost, planted errors that a verdict calls
supported though the faultless run does not, claims without a verdict, requests, and time. Exits
with 1 if a run crashed, a draft was lost, a fault's own words stand in a response, or a fault
made something false pass.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx2

from errata.core.edits import apply_edits
from errata.core.errors import AccessError, ErrataError
from errata.core.records import Correction, Usage
from errata.evals.costs import invented_items, run_once, settings_for
from errata.evals.endpoint.faults import EVERY_LABEL, NONSENSE, REFUSAL
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import FAULTS, Settings
from errata.evals.fault_tables import write_page
from errata.evals.items import Item
from errata.evals.planted import falsely_supported
from errata.methods import METHODS
from errata.session import Session
from errata.tools.net.endpoints import forget_endpoints

EVERY = (*FAULTS, "search_failing")
RATES = (1.0, 0.3)
LATENCY = Settings(first=0.005, token=0.0, search=0.005, page=0.005)
TIMEOUT, RETRIES = 2.0, 1
"""Of every call of every run: short, as the endpoint answers at once."""
_PROCESSES = 3
"""Runs wait for their time-outs, so that three share two cores well."""
_OWN_WORDS = (REFUSAL, *NONSENSE, *EVERY_LABEL.splitlines())


@dataclass
class Cell:
    """What came of the runs of one method under one fault."""

    method: str
    fault: str = "none"
    rate: float = 0.0
    runs: int = 0
    errors: int = 0
    """Runs that ended in an error of our own, where there is nothing to hand out."""
    crashed: int = 0
    """Runs that ended in any other error."""
    lost: int = 0
    """Responses that are not the draft after its edits, or empty, or have a fault's words."""
    changed: int = 0
    """Responses that differ from the draft."""
    supported_falsely: list[tuple[str, str]] = field(default_factory=list)
    """The planted errors that a verdict calls supported, each with its item."""
    claims: int = 0
    unchecked: int = 0
    unreadable: int = 0
    calls: int = 0
    """Calls that brought a reply."""
    retries: float = 0.0
    requests: int = 0
    """What the endpoint was asked, repeats included."""
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)
    """What crashed or was lost, in words."""

    def count(self, item: Item, result: object) -> None:
        """Add one run: its result or the error that it ended in."""
        self.runs += 1
        if isinstance(result, BaseException):
            self._count_error(result)
            return
        self._count_usage(getattr(result, "usage", Usage()))
        if isinstance(result, Correction):
            self._count_correction(item, result)

    def _count_error(self, error: BaseException) -> None:
        if not isinstance(error, ErrataError):
            self.crashed += 1
            self.faults.append(f"crashed: {error!r}")
            return
        self.errors += 1
        if METHODS[self.method].corrects and not isinstance(error, AccessError):
            self.lost += 1
            self.faults.append(f"no draft handed out: {error!r}")

    def _count_usage(self, usage: Usage) -> None:
        self.calls += usage.model_calls
        self.retries += sum(each.get("retries", 0) for each in usage.by_model.values())

    def _count_correction(self, item: Item, result: Correction) -> None:
        labels = [verdict.label for verdict in result.verdicts]
        self.claims += len(labels)
        self.unchecked += labels.count("unchecked")
        self.unreadable += labels.count("unreadable")
        self.changed += result.response != item.draft
        self.supported_falsely += sorted(falsely_supported(item, result))
        if fault := loss_in(item, result):
            self.lost += 1
            self.faults.append(f"{item.id}: {fault}")

    def new_false(self, faultless: "Cell") -> int:
        """How many planted errors pass as supported that do not in the faultless runs."""
        return len(
            {*map(tuple, self.supported_falsely)} - {*map(tuple, faultless.supported_falsely)}
        )

    def broken_invariants(self, faultless: "Cell") -> list[str]:
        """What must not be, in words."""
        name = f"{self.method}, {self.fault} at {self.rate:.0%}"
        found = [f"{name}: {fault}" for fault in self.faults]
        if passed := self.new_false(faultless):
            found.append(f"{name}: {passed} planted errors pass as supported")
        return found


def loss_in(item: Item, result: Correction) -> str:
    """How a response fails to be the draft after its edits; empty if it is."""
    if not result.response.strip():
        return "the response is empty"
    if result.draft != item.draft or apply_edits(item.draft, result.edits) != result.response:
        return "the response is not the draft after its edits"
    own = [words for words in _OWN_WORDS if words in result.response]
    return f"the response says {own[0]!r}" if own else ""


async def run_cell(
    cell: Cell,
    items: Sequence[Item],
    url: str,
    *,
    timeout: float = TIMEOUT,  # noqa: ASYNC109  the setting of the runs
    retries: int = RETRIES,
) -> Cell:
    """The runs of a cell, all at once; the environment points at the endpoint at the URL."""
    settings = settings_for(cell.method, "", "serpapi")
    settings |= {"model": "openai:m", "timeout": timeout, "retries": retries}
    forget_endpoints()
    before, began = _requests(url), time.perf_counter()
    async with Session(cell.method, **settings) as session:
        ends = await asyncio.gather(*(run_once(session, i) for i in items), return_exceptions=True)
    cell.seconds = time.perf_counter() - began
    cell.requests = _requests(url) - before
    for item, end in zip(items, ends, strict=True):
        cell.count(item, end if isinstance(end, BaseException) else end.result)
    return cell


def _requests(url: str) -> int:
    return int(httpx2.get(f"{url}/counts").json().get("calls", 0))


def with_fault(fault: str, rate: float) -> Settings:
    """The endpoint's settings with one fault at a rate; none for the name `none`."""
    faulty: dict[str, Any] = {fault: rate} if rate else {}
    return replace(LATENCY, **faulty)


def run_fault(fault: str, rate: float, methods: Sequence[str], drafts: int) -> list[Cell]:
    """The cells of all methods under one fault, on an endpoint of its own."""
    items = invented_items(drafts)
    settings = with_fault(fault, rate)
    cells = [Cell(method, fault, rate) for method in methods]
    with start(settings) as url, pointed_at(url):
        return [asyncio.run(run_cell(cell, items, url)) for cell in cells]


def run_matrix(
    faults: Sequence[str], methods: Sequence[str], rates: Sequence[float], drafts: int
) -> Iterator[Cell]:
    """All cells, the faultless ones first, then those of a fault and rate as they are done."""
    yield from run_fault("none", 0.0, methods, drafts)
    jobs = [(fault, rate) for fault in faults for rate in rates]
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(run_fault, *job, methods, drafts) for job in jobs]:
            yield from done.result()


def find_broken(cells: Sequence[Cell]) -> list[str]:
    """All that must not be, in words."""
    faultless = {cell.method: cell for cell in cells if not cell.rate}
    return [fault for cell in cells for fault in cell.broken_invariants(faultless[cell.method])]


def _rows(cells: Sequence[Cell]) -> list[Mapping[str, Any]]:
    faultless = {cell.method: cell for cell in cells if not cell.rate}
    return [asdict(cell) | {"new_false": cell.new_false(faultless[cell.method])} for cell in cells]


def main(*arguments: str) -> int:
    """Run the matrix, write the page, and say what is broken; 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=6)
    parser.add_argument("--faults", nargs="+", default=EVERY, choices=EVERY)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--rates", nargs="+", type=float, default=RATES)
    parser.add_argument("--out", type=Path, help="the page")
    parser.add_argument("--rows", type=Path, help="every cell as a line of JSON")
    args = parser.parse_args(arguments)
    cells = list[Cell]()
    for cell in run_matrix(args.faults, args.methods, args.rates, args.drafts):
        cells.append(cell)
        sys.stderr.write(f"{cell.method}, {cell.fault} at {cell.rate:.0%}: {cell.seconds:.1f} s\n")
    rows, broken = _rows(cells), find_broken(cells)
    if args.rows:
        args.rows.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    page = write_page(rows, args.drafts)
    if args.out:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
    sys.stderr.writelines(f"{fault}\n" for fault in broken)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

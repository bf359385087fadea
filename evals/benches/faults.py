"""The fault matrix: every fault of the simulated endpoint x every method x two rates.

For each cell: runs that crashed, drafts that were lost, planted errors that a verdict calls
supported though the faultless run does not, claims without a verdict, requests, and time. Exits
with 1 if a run crashed, a draft was lost, a fault's own words stand in a response, or a fault
made something false pass.
"""

import asyncio
import json
import re
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
from errata.evals.benches import bench_parser, tabulate, write_page
from errata.evals.benches.costs import invented_items, run_once, settings_for
from errata.evals.endpoint.faults import EVERY_LABEL, NONSENSE, REFUSAL
from errata.evals.endpoint.matching import clauses_of, find_nearest, tell_apart
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import FAULTS, Settings
from errata.evals.items import Item
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

_INTRODUCTION = """\
# Faults

Every fault of the simulated endpoint x every method x two rates, on {drafts} invented biographies
with six or seven planted errors each. Written by `make bench NAME=faults`, which fails if a run
crashed, a draft was lost, or a fault made a planted error pass as supported.

- **limited** 429, **failing** 500, **hanging** no answer within the time-out, **dropped** the
  connection closes in the middle of the body, **broken** no JSON, **cut** half of the reply with
  the finish reason `length`, **empty** no text, **denied** 401, **refusing** the model declines,
  **garbage** random words, **hostile** every label at once for every number, **echoing** the
  prompt itself and every label, **flooding** a body that never ends;
  **search_failing** searches get a 500;
- **errors**: runs that end in an error of errata's own, as there is nothing to hand out: an answer
  that nobody wrote, a refused key; **crashed**: any other error; **lost**: a response that is
  empty, not the draft after its edits, or has the fault's words;
- **false passed**: planted errors called supported that are not in the faultless runs;
- **unchecked**, **unreadable**: of all claims that have a verdict;
- **retries**: repeated calls, as usage counts them; **requests**, **time**: as multiples of the
  faultless runs' (three processes on two cores: the time is rough). A call is repeated once,
  and given up after 2 s. After some 500s, broken connections or silences in a row the breaker
  refuses calls for 30 s, longer than many cells take: so few requests where all calls fail. Each
  cell begins with the breaker closed.

"""
_SUMS = (
    *("runs", "errors", "crashed", "lost", "new_false"),
    *("claims", "unchecked", "unreadable", "requests", "seconds", "retries"),
)
_HEAD = (
    *("fault", "rate", "runs", "errors", "crashed", "lost", "false passed"),
    *("unchecked", "unreadable", "requests", "retries", "time"),
)
FigureRow = Mapping[str, Any]


@dataclass(frozen=True)
class Planted:
    """One false clause of a draft."""

    clause: str
    wrong: str
    """The words that make it false; the whole clause where the page has nothing like it."""

    def stated_by(self, claim: str) -> bool:
        """Whether a claim states it: the claim is nearest to the clause, and has the words."""
        said = re.search(rf"(?<!\w){re.escape(self.wrong)}(?!\w)", claim)
        return bool(said) and find_nearest(claim.rstrip("."), self.clause).close


def find_planted(item: Item) -> Iterator[Planted]:
    """The clauses of a draft that its page does not have."""
    page = item.documents[0].text
    for clause in clauses_of(item.draft):
        nearest = find_nearest(clause, page)
        if nearest.contradicts:
            yield Planted(clause, tell_apart(clause, nearest.text)[0])
        elif not nearest.close:
            yield Planted(clause, clause)


def falsely_supported(item: Item, result: Correction) -> set[tuple[str, str]]:
    """The false clauses that a verdict calls supported, each with its item.

    A claim whose words all stand in one clause of the page is true, whatever clause it is near.
    """
    supported = {v.claim for v in result.verdicts if v.label == "supported"}
    claims = [claim.text for claim in result.claims if claim.id in supported]
    page = item.documents[0].text
    doubtful = [c for c in claims if find_nearest(c.rstrip("."), page).share < 1]
    return {
        (item.id, planted.clause)
        for planted in find_planted(item)
        if any(planted.stated_by(claim) for claim in doubtful)
    }


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
        return len({*self.supported_falsely} - {*faultless.supported_falsely})

    def broken(self, faultless: "Cell") -> list[str]:
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


def run_fault(fault: str, rate: float, methods: Sequence[str], drafts: int) -> list[Cell]:
    """The cells of all methods under one fault, on an endpoint of its own."""
    items = invented_items(drafts)
    faulty: dict[str, Any] = {fault: rate} if rate else {}
    settings = replace(LATENCY, **faulty)
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
    return [fault for cell, base in _beside_faultless(cells) for fault in cell.broken(base)]


def _beside_faultless(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Each cell, and that of its method without a fault."""
    faultless = {cell.method: cell for cell in cells if not cell.rate}
    return ((cell, faultless[cell.method]) for cell in cells)


def describe(rows: Sequence[FigureRow], drafts: int) -> str:
    """A table by fault and rate over all methods, and one by method at the lower rate."""
    names = list(dict.fromkeys((row["fault"], row["rate"]) for row in rows))
    groups = {name: [r for r in rows if (r["fault"], r["rate"]) == name] for name in names}
    base = _added(groups["none", 0.0])
    lines = [_row(*name, _added(group), base) for name, group in groups.items()]
    tables = [tabulate(_HEAD, lines)]
    for rate in sorted({row["rate"] for row in rows if row["rate"]}):
        tables.append(f"\n## Claims with a verdict, by method, at a rate of {rate:.0%}\n")
        tables.append(_by_method([row for row in rows if row["rate"] == rate]))
    return _INTRODUCTION.format(drafts=drafts) + "\n".join(tables) + "\n"


def _added(rows: Sequence[FigureRow]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) for name in _SUMS}


def _row(fault: str, rate: float, sums: Mapping[str, float], base: FigureRow) -> tuple[str, ...]:
    counts = [f"{sums[name]:.0f}" for name in (*_SUMS[:5], "retries")]
    shares = [_share(sums[name], sums["claims"]) for name in ("unchecked", "unreadable")]
    requests, seconds = (f"{sums[name] / base[name]:.2f}" for name in ("requests", "seconds"))
    return (fault, f"{rate:.0%}", *counts[:-1], *shares, requests, counts[-1], seconds)


def _by_method(rows: Sequence[FigureRow]) -> str:
    """The share of claims that were judged: a row a method, a column a fault."""
    faults = list(dict.fromkeys(row["fault"] for row in rows))
    cells = {(row["method"], row["fault"]): row for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows if row["claims"])
    lines = [(method, *(_judged(cells[method, each]) for each in faults)) for method in methods]
    return tabulate(("method", *faults), lines)


def _judged(row: FigureRow) -> str:
    return _share(row["claims"] - row["unchecked"] - row["unreadable"], row["claims"])


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def main(*arguments: str) -> int:
    """Run the matrix, write the page, and say what is broken; 1 if anything is."""
    parser = bench_parser(__doc__, "faults.md", drafts=6)
    parser.add_argument("--faults", nargs="+", default=EVERY, choices=EVERY)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--rates", nargs="+", type=float, default=RATES)
    parser.add_argument("--rows", type=Path, help="every cell as a line of JSON")
    args = parser.parse_args(arguments)
    cells = list[Cell]()
    for cell in run_matrix(args.faults, args.methods, args.rates, args.drafts):
        cells.append(cell)
        sys.stderr.write(f"{cell.method}, {cell.fault} at {cell.rate:.0%}: {cell.seconds:.1f} s\n")
    rows = [asdict(cell) | {"new_false": cell.new_false(b)} for cell, b in _beside_faultless(cells)]
    broken = find_broken(cells)
    if args.rows:
        args.rows.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    write_page(describe(rows, args.drafts), args.out)
    sys.stderr.writelines(f"{fault}\n" for fault in broken)
    return 1 if broken else 0

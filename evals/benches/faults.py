"""The fault matrix: every fault of the simulated endpoint x every method x two rates.

For each cell: runs that crashed, drafts that were lost, planted errors that a verdict calls
supported though the faultless run does not, claims without a verdict, and requests. Exits
with 1 if a run crashed, a draft was lost, a fault's own words stand in a response, or a fault
made something false pass.
"""

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

import httpx2

from errata.core.edits import apply_edits
from errata.core.errors import AccessError, ErrataError
from errata.core.records import Correction
from errata.evals.benches import bench_parser, tabulate, write_page
from errata.evals.benches.costs import METHODS_MEASURED, invented_items, settings_for
from errata.evals.endpoint.faults import EVERY_LABEL, NONSENSE, REFUSAL
from errata.evals.endpoint.matching import find_nearest
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import EVERY, Settings
from errata.evals.items import Item
from errata.evals.runner import run_item
from errata.methods import METHODS
from errata.session import Session
from errata.tools.net.endpoints import forget_endpoints

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

- **errors**: runs that end in an error of errata's own, as there is nothing to hand out; **lost**:
  a response that is empty, not the draft after its edits, or has the fault's words;
- **false passed**: planted errors called supported that are not in the faultless runs;
- **requests**: as a multiple of the faultless runs'. A call is repeated once, and given up after
  2 s; where all calls fail the breaker opens, so there are few.

"""
_HEAD = (
    *("fault", "rate", "runs", "errors", "crashed", "lost", "false passed"),
    *("unchecked", "unreadable", "requests"),
)


def falsely_supported(item: Item, result: Correction) -> set[tuple[str, str]]:
    """The false clauses that a verdict calls supported, each with its item.

    A claim states one that is nearest to it and whose wrong words it has. A claim whose words all
    stand in one clause of the page is true, whatever clause it is near.
    """
    supported = {v.claim for v in result.verdicts if v.label == "supported"}
    claims = [claim.text.rstrip(".") for claim in result.claims if claim.id in supported]
    page = item.documents[0].text
    return {
        (item.id, clause)
        for clause, wrong in item.gold["planted"]
        for claim in claims
        if re.search(rf"(?<!\w){re.escape(wrong)}(?!\w)", claim)
        and find_nearest(claim, clause).close
        and find_nearest(claim, page).share < 1
    }


def loss_in(item: Item, result: Correction) -> str:
    """How a response fails to be the draft after its edits; empty if it is."""
    if not result.response.strip():
        return "the response is empty"
    if result.draft != item.draft or apply_edits(item.draft, result.edits) != result.response:
        return "the response is not the draft after its edits"
    own = [words for words in _OWN_WORDS if words in result.response]
    return f"the response says {own[0]!r}" if own else ""


@dataclass
class Cell:
    """What came of the runs of one method under one fault."""

    method: str
    fault: str = "none"
    rate: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    """`runs`; `errors` of our own, with nothing to hand out; `crashed` ones in any other error;
    `lost` responses; `claims`, `unchecked` and `unreadable` ones; `requests`."""
    supported_falsely: set[tuple[str, str]] = field(default_factory=set)
    """The planted errors that a verdict calls supported, each with its item."""
    faults: list[str] = field(default_factory=list)
    """What crashed or was lost, in words."""

    def count(self, item: Item, end: object) -> None:
        """Add one run: its result or the error that it ended in."""
        self.counts["runs"] += 1
        if isinstance(end, BaseException):
            self._count_error(end)
            return
        if isinstance(end, Correction):
            self.counts["claims"] += len(end.verdicts)
            self.counts.update(verdict.label for verdict in end.verdicts)
            self.supported_falsely |= falsely_supported(item, end)
            if loss := loss_in(item, end):
                self._say("lost", f"{item.id}: {loss}")

    def _count_error(self, error: BaseException) -> None:
        if not isinstance(error, ErrataError):
            self._say("crashed", f"crashed: {error!r}")
            return
        self.counts["errors"] += 1
        if METHODS[self.method].corrects and not isinstance(error, AccessError):
            self._say("lost", f"no draft handed out: {error!r}")

    def _say(self, kind: str, fault: str) -> None:
        self.counts[kind] += 1
        self.faults.append(fault)


async def run_cell(
    cell: Cell,
    items: Sequence[Item],
    url: str,
    *,
    timeout: float = TIMEOUT,  # noqa: ASYNC109  the setting of the runs
    retries: int = RETRIES,
) -> Cell:
    """The runs of a cell, all at once; the environment points at the endpoint at the URL."""

    def requests() -> int:
        return int(httpx2.get(f"{url}/counts").json().get("calls", 0))

    settings = settings_for(cell.method, "", "serpapi")
    settings |= {"model": "openai:m", "timeout": timeout, "retries": retries}
    forget_endpoints()
    before = requests()
    async with Session(cell.method, **settings) as session:
        ends = await asyncio.gather(*(run_item(session, i) for i in items), return_exceptions=True)
    cell.counts["requests"] = requests() - before
    for item, end in zip(items, ends, strict=True):
        cell.count(item, end)
    return cell


def run_fault(fault: str, rate: float, methods: Sequence[str], drafts: int) -> list[Cell]:
    """The cells of all methods under one fault, on an endpoint of its own."""
    with start(replace(LATENCY, rates={fault: rate} if rate else {})) as url, pointed_at(url):
        cells = (Cell(method, fault, rate) for method in methods)
        return [asyncio.run(run_cell(cell, invented_items(drafts), url)) for cell in cells]


def run_matrix(faults: Sequence[str], methods: Sequence[str], drafts: int) -> Iterator[Cell]:
    """All cells, the faultless ones first, then those of a fault and rate as they are done."""
    yield from run_fault("none", 0.0, methods, drafts)
    jobs = [(fault, rate) for fault in faults for rate in RATES]
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(run_fault, *job, methods, drafts) for job in jobs]:
            yield from done.result()


def compare_cells(cells: Sequence[Cell]) -> list[str]:
    """Count what passes in cells and not in those of their methods without a fault.

    All that must not be, in words.
    """
    faultless = {cell.method: cell for cell in cells if not cell.rate}
    broken = list[str]()
    for cell in cells:
        name = f"{cell.method}, {cell.fault} at {cell.rate:.0%}"
        passed = len(cell.supported_falsely - faultless[cell.method].supported_falsely)
        cell.counts["false passed"] = passed
        broken += [f"{name}: {fault}" for fault in cell.faults]
        if passed:
            broken.append(f"{name}: {passed} planted errors pass as supported")
    return broken


def describe(cells: Sequence[Cell], drafts: int) -> str:
    """A table by fault and rate, over all methods."""
    sums = dict[tuple[str, float], Counter[str]]()
    for cell in cells:
        sums.setdefault((cell.fault, cell.rate), Counter()).update(cell.counts)
    lines = [
        (
            *(fault, f"{rate:.0%}", *(str(counts[name]) for name in _HEAD[2:7])),
            *(_share(counts[name], counts["claims"]) for name in ("unchecked", "unreadable")),
            f"{counts['requests'] / sums['none', 0.0]['requests']:.2f}",
        )
        for (fault, rate), counts in sums.items()
    ]
    return _INTRODUCTION.format(drafts=drafts) + tabulate(_HEAD, lines) + "\n"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def main(*arguments: str) -> int:
    """Run the matrix, write the page, and say what is broken; 1 if anything is."""
    parser = bench_parser(__doc__, "faults.md", drafts=6)
    parser.add_argument("--faults", nargs="+", default=EVERY, choices=EVERY)
    parser.add_argument("--methods", nargs="+", default=METHODS_MEASURED, choices=METHODS)
    args = parser.parse_args(arguments)
    cells = list[Cell]()
    for cell in run_matrix(args.faults, args.methods, args.drafts):
        cells.append(cell)
        sys.stderr.write(f"{cell.method}, {cell.fault} at {cell.rate:.0%}\n")
    broken = compare_cells(cells)
    write_page(describe(cells, args.drafts), args.out)
    sys.stderr.writelines(f"{fault}\n" for fault in broken)
    return 1 if broken else 0

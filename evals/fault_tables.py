"""The page of the fault matrix."""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
_INTRODUCTION = """\
# Faults

Every fault of the simulated endpoint x every method x two rates, on {drafts} invented biographies
with six or seven planted errors each. Written by `make bench-faults`, which fails if a run crashed,
a draft was lost, or a fault made a planted error pass as supported.

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


def write_page(rows: Sequence[Row], drafts: int) -> str:
    """A table by fault and rate over all methods, and one by method at the lower rate."""
    names = list(dict.fromkeys((row["fault"], row["rate"]) for row in rows))
    groups = {name: [r for r in rows if (r["fault"], r["rate"]) == name] for name in names}
    base = _added(groups["none", 0.0])
    lines = [_row(*name, _added(group), base) for name, group in groups.items()]
    tables = [_table(_HEAD, lines)]
    for rate in sorted({row["rate"] for row in rows if row["rate"]}):
        tables.append(f"\n## Claims with a verdict, by method, at a rate of {rate:.0%}\n")
        tables.append(_by_method([row for row in rows if row["rate"] == rate]))
    return _INTRODUCTION.format(drafts=drafts) + "\n".join(tables) + "\n"


def _added(rows: Sequence[Row]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) for name in _SUMS}


def _row(fault: str, rate: float, sums: Mapping[str, float], base: Row) -> tuple[str, ...]:
    counts = [f"{sums[name]:.0f}" for name in _SUMS[:5]]
    shares = [_share(sums[name], sums["claims"]) for name in ("unchecked", "unreadable")]
    requests, seconds = (f"{sums[name] / base[name]:.2f}" for name in ("requests", "seconds"))
    return (fault, f"{rate:.0%}", *counts, *shares, requests, f"{sums['retries']:.0f}", seconds)


def _by_method(rows: Sequence[Row]) -> str:
    """The share of claims that were judged: a row a method, a column a fault."""
    faults = list(dict.fromkeys(row["fault"] for row in rows))
    cells = {(row["method"], row["fault"]): row for row in rows}
    methods = dict.fromkeys(row["method"] for row in rows if row["claims"])
    lines = [(method, *(_judged(cells[method, each]) for each in faults)) for method in methods]
    return _table(("method", *faults), lines)


def _judged(row: Row) -> str:
    return _share(row["claims"] - row["unchecked"] - row["unreadable"], row["claims"])


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = (head, ["---"] * len(head), *lines)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)

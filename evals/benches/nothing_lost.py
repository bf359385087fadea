"""1,000 drafts through `errata batch`: with faults, killed three times on the way, nothing lost.

Runs the same drafts with local fillers and by a model on the simulated endpoint: as it is, with
faults (10% 429, 5% 500, 5% cut off, 2% without an answer), and with faults and `kill -9` at random
instants. Then checks that every id is in the output exactly once and every failed row keeps its
draft. Exits with 1 if that does not hold.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from errata.evals.benches import bench_parser, tabulate, write_figures, write_page
from errata.evals.benches.costs import invented_items
from errata.evals.benches.machine import Process, run_and_kill
from errata.evals.endpoint.people import people
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings

MODEL = "openai:gpt-4o-mini"
LATENCY = Settings(first=0.05, token=0.001)
FAULTS = replace(LATENCY, limited=0.1, failing=0.05, cut=0.05, hanging=0.02)
TIMEOUT = 10
"""Seconds until a call that gets no answer is given up."""
_SEED = 19
_INTRODUCTION = """\
# Nothing lost

{drafts:,} drafts through `errata batch --method {method}`, with local fillers and by a model on the
simulated endpoint: as it is, with faults (10% 429, 5% 500, 5% cut off, 2% without an answer), and
with faults and `kill -9` of all its processes {kills} times at random instants, each time gone on
with by the same command. Failed rows are tried again once (`--retry-failed`). Written by
`make bench NAME=nothing_lost`, which fails if an id is missing or twice, a line is no row, or a row
has not its draft and a response.

- **drafts/s** over all starts; **memory** the most that all processes took at once (PSS);
- **requests**, **tokens** that the endpoint saw, those of killed runs with them; **money** what the
  rows say that they cost, by the price table.

"""
_HEAD = (
    *("batch", "kills", "rows", "missing", "twice", "failed", "drafts/s", "memory, MB"),
    *("requests", "faults", "tokens", "money"),
)
_WRITTEN = {
    **dict.fromkeys(("kills", "rows", "missing", "twice", "failed"), ""),
    "rate": ".1f",
    "megabytes": ".0f",
    "requests": ",",
    "faults": ",",
    "tokens": ",",
    "money": ".2f",
}


@dataclass(frozen=True)
class Plan:
    """One batch: what answers it, how it fails and how often it is killed."""

    name: str
    endpoint: Settings | None = None
    """None: local fillers."""
    kills: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a batch's output holds, and what it took."""

    plan: Plan
    process: Process
    figures: Mapping[str, float]
    """By name; `broken`: lines that are no rows, `lost`: rows without their draft or a response."""

    @property
    def broken_promises(self) -> list[str]:
        """What must not be, in words."""
        counts = ("missing", "twice", "broken", "lost")
        wrong = [f"{self.figures[name]} {name}" for name in counts if self.figures[name]]
        return [f"{self.plan.name}: {each}" for each in wrong]


def write_drafts(path: Path, count: int) -> dict[str, str]:
    """Write so many rows, each of another question, and return the drafts by id."""
    items = invented_items(min(count, len(people())))
    rows = [_row(number, items[number % len(items)]) for number in range(count)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return {row["id"]: row["draft"] for row in rows}


def _row(number: int, item: Any) -> dict[str, Any]:
    question = f"{item.question[:-1]}, number {number} of the register?"
    documents = [document.text for document in item.documents]
    return {"id": f"r{number}", "question": question, "draft": item.draft, "documents": documents}


def run_plan(plan: Plan, folder: Path, count: int, method: str, pause: float) -> Outcome:
    """One batch from its first row to its last, with failed rows tried again once."""
    out = folder / f"{plan.name.replace(' ', '_')}.jsonl"
    drafts = write_drafts(folder / "in.jsonl", count)
    arguments = ["batch", str(folder / "in.jsonl"), "--out", str(out), "--method", method]
    if plan.endpoint:
        arguments += ["--model", MODEL, "--set", f"timeout={TIMEOUT}"]
    random = Random(_SEED)
    pauses = [pause * random.uniform(0.3, 1.0) for _ in range(plan.kills)]
    with _served(plan.endpoint) as url:
        process = run_and_kill(arguments, pauses)
        process += run_and_kill([*arguments, "--retry-failed"], ())
        counts = httpx2.get(f"{url}/counts").json() if url else {}
    return read_outcome(plan, out, drafts, process, counts)


@contextmanager
def _served(endpoint: Settings | None) -> Iterator[str]:
    """The URL of an endpoint with these settings, which models are on; empty without."""
    if endpoint is None:
        yield ""
        return
    with start(endpoint) as url, pointed_at(url):
        yield url


def read_outcome(
    plan: Plan, out: Path, drafts: dict[str, str], process: Process, counts: dict[str, Any]
) -> Outcome:
    """What the output of a batch holds."""
    rows, broken = _read(out)
    ids = [row["id"] for row in rows]
    usages = [row.get("usage") or {} for row in rows]
    figures = {
        "kills": plan.kills,
        "rows": len(rows),
        "missing": len(drafts.keys() - set(ids)),
        "twice": len(ids) - len(set(ids)),
        "broken": broken,
        "failed": sum("error" in row for row in rows),
        "lost": sum(_is_lost(row, drafts.get(row["id"], "")) for row in rows),
        "rate": len(rows) / process.seconds,
        "megabytes": process.megabytes,
        "requests": counts.get("calls", 0),
        "faults": sum(counts.get(name, 0) for name in ("limited", "failing", "cut", "hanging")),
        "tokens": counts.get("prompt_tokens", 0) + counts.get("completion_tokens", 0),
        "money": sum(usage.get("money", 0) for usage in usages),
    }
    return Outcome(plan, process, figures)


def _read(out: Path) -> tuple[list[dict[str, Any]], int]:
    rows, broken = [], 0
    with out.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                rows.append(json.loads(line))
            except ValueError:
                broken += 1
    return rows, broken


def _is_lost(row: dict[str, Any], draft: str) -> bool:
    return row.get("draft") != draft or not row.get("response")


def run_all(count: int, kills: int, method: str, folder: Path) -> list[Outcome]:
    """Every batch, each killed one after the same batch that is not."""
    plans = (
        (Plan("local"), Plan("local killed", None, kills)),
        (Plan("model", LATENCY),),
        (Plan("faults", FAULTS), Plan("faults killed", FAULTS, kills)),
    )
    outcomes = list[Outcome]()
    for group in plans:
        pause = 0.0
        for plan in group:
            outcome = run_plan(plan, folder, count, method, pause)
            sys.stderr.write(f"{outcome}\n")
            outcomes.append(outcome)
            pause = outcome.process.seconds / (kills + 1)
    return outcomes


def describe(outcomes: Sequence[Outcome], drafts: int, kills: int, method: str) -> str:
    """The table, and what faults and kills cost."""
    table = tabulate(_HEAD, ([o.plan.name, *write_figures(o.figures, _WRITTEN)] for o in outcomes))
    by_name = {outcome.plan.name: outcome for outcome in outcomes}
    costs = "\n".join(
        f"- {what}: {_more(by_name[before], by_name[after])}."
        for what, before, after in (
            ("Cost of the faults", "model", "faults"),
            ("Cost of the kills, with faults", "faults", "faults killed"),
        )
    )
    head = _INTRODUCTION.format(drafts=drafts, kills=kills, method=method)
    return f"{head}{table}\n\n{costs}\n"


def _more(before: Outcome, after: Outcome) -> str:
    requests, tokens = (
        after.figures[name] / max(before.figures[name], 1) - 1 for name in ("requests", "tokens")
    )
    seconds = after.process.seconds / max(before.process.seconds, 1e-9) - 1
    return f"{requests:+.1%} requests, {tokens:+.1%} tokens, {seconds:+.0%} time"


def main(*arguments: Any) -> int:
    """Run the batches, write the page; 1 if anything was lost."""
    parser = bench_parser(__doc__, "nothing_lost.md", drafts=1000, kills=3)
    parser.add_argument("--method", default="rac")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = run_all(args.drafts, args.kills, args.method, Path(folder))
    write_page(describe(outcomes, args.drafts, args.kills, args.method), args.out)
    broken = [fault for outcome in outcomes for fault in outcome.broken_promises]
    sys.stderr.writelines(f"{fault}\n" for fault in broken)
    return 1 if broken else 0

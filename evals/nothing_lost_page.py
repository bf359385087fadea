"""The page of the batches that were killed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.evals.nothing_lost import Outcome

_INTRODUCTION = """\
# Nothing lost

{drafts:,} drafts through `errata batch --method {method}`, with local fillers and by a model on the
simulated endpoint: as it is, with faults (10% 429, 5% 500, 5% cut off, 2% without an answer), and
with faults and `kill -9` of all its processes {kills} times at random instants, each time gone on
with by the same command. Failed rows are tried again once (`--retry-failed`). Written by
`make bench-nothing-lost`, which fails if an id is missing or twice, a line is no row, or a row
has not its draft and a response.

- **drafts/s** over all starts; **memory** the most that all processes took at once (PSS);
- **requests**, **tokens** that the endpoint saw, those of killed runs with them; **money** what the
  rows say that they cost, by the price table.

"""
_HEAD = (
    *("batch", "kills", "rows", "missing", "twice", "failed", "drafts/s", "memory, MB"),
    *("requests", "faults", "tokens", "money"),
)


def write_page(outcomes: Sequence["Outcome"], drafts: int, kills: int, method: str) -> str:
    """The table, and what faults and kills cost."""
    rows = (_HEAD, ["---"] * len(_HEAD), *map(_row, outcomes))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
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


def _row(outcome: "Outcome") -> tuple[str, ...]:
    counts = (outcome.plan.kills, outcome.rows, outcome.missing, outcome.twice, outcome.failed)
    return (
        outcome.plan.name,
        *map(str, counts),
        f"{outcome.rows / outcome.seconds:.1f}",
        f"{outcome.megabytes:.0f}",
        f"{outcome.requests:,}",
        f"{outcome.faults:,}",
        f"{outcome.tokens:,}",
        f"{outcome.money:.2f}",
    )


def _more(before: "Outcome", after: "Outcome") -> str:
    requests = after.requests / max(before.requests, 1) - 1
    tokens = after.tokens / max(before.tokens, 1) - 1
    seconds = after.seconds / max(before.seconds, 1e-9) - 1
    return f"{requests:+.1%} requests, {tokens:+.1%} tokens, {seconds:+.0%} time"

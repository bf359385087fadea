"""What a result cost: calls, tokens, generations, searches, pages, time, money."""

from collections.abc import Mapping

from errata.core.records import Usage
from errata.evals.items import Item
from errata.evals.metrics.estimate import SHARE, Counts
from errata.evals.metrics.family import Family, Measure, Said, mean_of
from errata.evals.scoring import Row
from errata.methods import Result
from errata.tools.models.prices import Prices

COUNTED = (
    "calls",
    "generations",
    "prompt_tokens",
    "completion_tokens",
    "tokens",
    "searches",
    "pages",
    "money",
)


class Cost(Family):
    """The means of what runs cost, and their latency in generations.

    `generations` are waits for a model: one for each role that asked, as its calls go side by side.
    `latency` is RAC's (section 8, table 5): the time of the runs over that of writing the same
    answers once, uncorrected, in the run's own step `generate`. A failed run's cost is not known;
    `failed` says how many there are. A run with replies from a folder of exchanges has no time of
    its own, and counts in neither.
    """

    name = "cost"

    def __init__(self, model: str = "", search: str = "", prices: str = "") -> None:
        """Have what is paid for, and a file of prices."""
        self.model, self.search = model, search
        self.prices = Prices.read(prices)

    @property
    def measures(self) -> Mapping[str, Measure]:
        """Means over runs; `money` is None where no model was named, or its price is unknown."""
        return {name: Measure(SHARE, mean_of(name)) for name in COUNTED} | {
            "seconds": Measure(SHARE, _timed_seconds),
            "latency": Measure(SHARE, _latency),
            "failed": Measure(SHARE, lambda _, __: (0, 1), lambda _: (1, 1)),
        }

    async def score(self, item: Item, result: Result) -> Said:  # noqa: ARG002  all take it
        """The counts by name, with `seconds` and `generation_seconds`; null where not known."""
        usage = result.usage
        return {
            "calls": usage.model_calls,
            "generations": count_generations(usage),
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "tokens": usage.prompt_tokens + usage.completion_tokens,
            "searches": usage.searches,
            "pages": usage.pages,
            "seconds": usage.seconds,
            "generation_seconds": usage.by_role.get("generate", {}).get("seconds"),
            "timed": is_timed(usage),
            "money": self.prices.of(usage, self.model, self.search) if self.model else None,
        }


def is_timed(bill: Usage) -> bool:
    """Whether a run's time is its own: no reply came from recorded exchanges or a cache."""
    shares = bill.by_role.values()
    return not any(s.get("recorded_calls") or s.get("cached_calls") for s in shares)


def _latency(row: Row, said: Said) -> Counts:
    once = said["generation_seconds"]
    return (_seconds(row, said), once) if once and said["timed"] else ()


def _timed_seconds(row: Row, said: Said) -> Counts:
    return (_seconds(row, said), 1) if said["timed"] else ()


def _seconds(row: Row, said: Said) -> float:
    """The run's wall time, or that of its steps where nobody took it."""
    return float(row.seconds or said["seconds"])


def count_generations(bill: Usage) -> int:
    """How often a run waits for a model: once for each role, whose calls go side by side."""
    return sum(share.get("model_calls", 0) > 0 for share in bill.by_role.values())

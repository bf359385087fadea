"""What a result cost: calls, tokens, generations, searches, pages, time, money."""

from collections.abc import Mapping
from functools import cached_property

from errata.core.records import Usage
from errata.evals.items import Item, Row
from errata.evals.metrics.estimate import Counts
from errata.evals.metrics.family import Family, Measure, Said, mean_of
from errata.methods import Result
from errata.tools.models.prices import Prices

COUNTED = (
    *("calls", "generations", "prompt_tokens", "completion_tokens", "tokens"),
    *("searches", "pages", "money"),
)


def is_timed(bill: Usage) -> bool:
    """Whether a run's time is its own: no reply came from recorded exchanges or a cache."""
    shares = bill.by_role.values()
    return not any(s.get("recorded_calls") or s.get("cached_calls") for s in shares)


def _seconds(row: Row, said: Said) -> Counts:
    """The run's wall time, or that of its steps where nobody took it."""
    return (float(row.seconds or said["seconds"]), 1) if said["timed"] else ()


def _latency(row: Row, said: Said) -> Counts:
    once, seconds = said["generation_seconds"], _seconds(row, said)
    return (seconds[0], once) if once and seconds else ()


class Cost(Family):
    """The means of what runs cost, and their latency in generations.

    `generations` are waits for a model: one for each role that asked, as its calls go side by side.
    `latency` is RAC's (section 8, table 5): the time of the runs over that of writing the same
    answers once, uncorrected, in the run's own step `generate`. A failed run's cost is not known;
    `failed` says how many there are. A run with recorded replies has no time of its own, and
    counts in neither. `money` is None where no model was named, or its price is
    unknown.
    """

    name = "cost"
    measures: Mapping[str, Measure] = {
        **{name: mean_of(name) for name in COUNTED},
        "seconds": Measure(_seconds),
        "latency": Measure(_latency),
        "failed": Measure(lambda _, __: (0, 1), (1, 1)),
    }

    @cached_property
    def _prices(self) -> Prices:
        return Prices.read()

    async def score(self, item: Item, result: Result) -> Said:  # noqa: ARG002  all take it
        """The counts by name, with `seconds` and `generation_seconds`; null where not known."""
        usage = result.usage
        shares = usage.by_role.values()
        return {
            "calls": usage.model_calls,
            "generations": sum(share.get("model_calls", 0) > 0 for share in shares),
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "tokens": usage.prompt_tokens + usage.completion_tokens,
            "searches": usage.searches,
            "pages": usage.pages,
            "seconds": usage.seconds,
            "generation_seconds": usage.by_role.get("generate", {}).get("seconds"),
            "timed": is_timed(usage),
            "money": price_of(self._prices, usage, self.model, self.search) if self.model else None,
        }


def price_of(prices: Prices, usage: Usage, model: str, search: str = "") -> float | None:
    """What a run costs; None where the table lacks the model or the engine that it used."""
    price, each = prices.model(model), prices.search(search)
    if price is None or each is None:
        return None
    return price.of(usage.prompt_tokens, usage.completion_tokens) + usage.searches * each

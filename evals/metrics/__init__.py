"""The scorers: families of metrics."""

from collections.abc import Mapping

from errata.core.errors import SettingError
from errata.evals.judges import Judge, judge_named
from errata.evals.metrics.cost import Cost
from errata.evals.metrics.family import Family
from errata.evals.metrics.labels import Claims, Detection, Match
from errata.evals.metrics.responses import Facts, FactScore, OverCorrection
from errata.evals.metrics.truthfulqa import TruthfulQA

__all__ = ["SCORERS", "Family", "scorer_named"]
_ALL: tuple[type[Family], ...] = (
    *(Match, Detection, Claims, Facts, FactScore, TruthfulQA, Cost, OverCorrection),
)
SCORERS: Mapping[str, type[Family]] = {family.name: family for family in _ALL}


def scorer_named(
    name: str, *, judge: str | Judge = "local", model: str = "", search: str = ""
) -> Family:
    """A scorer by its name, with what reads responses, and the model and engine that are paid for.

    Raises SettingError naming the scorers if there is none of that name.
    """
    if name not in SCORERS:
        raise SettingError(f"no scorer is called {name!r}; there is {', '.join(SCORERS)}")
    return SCORERS[name](judge_named(judge), model, search)

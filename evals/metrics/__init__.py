"""The scorers: families of metrics."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from errata.core.errors import SettingError
from errata.evals.metrics.cost import Cost
from errata.evals.metrics.family import Family, Options
from errata.evals.metrics.labels import Claims, Detection, Match
from errata.evals.metrics.responses import Facts, FactScore, OverCorrection
from errata.evals.metrics.truthfulqa import TruthfulQA

__all__ = ["SCORERS", "Family", "scorer_named"]
_ALL: tuple[type[Family], ...] = (
    *(Match, Detection, Claims, Facts, FactScore, TruthfulQA, Cost, OverCorrection),
)
SCORERS: Mapping[str, type[Family]] = {family.name: family for family in _ALL}


def scorer_named(name: str, **options: Any) -> Family:
    """A scorer by its name; it takes of the options those that it needs, such as `judge`.

    Raises SettingError naming the scorers if there is none of that name, or the options that there
    are if one is given that no scorer takes.
    """
    if name not in SCORERS:
        raise SettingError(f"no scorer is called {name!r}; there is {', '.join(SCORERS)}")
    known = {field.name for field in fields(Options)}
    if unknown := sorted(options.keys() - known):
        raise SettingError(f"no scorer takes {unknown}; they take {sorted(known)}")
    return SCORERS[name](Options(**options))

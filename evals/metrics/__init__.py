"""The scorers: a file for each family of metrics."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from errata.core.errors import SettingError
from errata.evals.metrics.claims import Claims
from errata.evals.metrics.cost import Cost
from errata.evals.metrics.detection import Detection
from errata.evals.metrics.facts import Facts
from errata.evals.metrics.factscore import FactScore
from errata.evals.metrics.family import Family
from errata.evals.metrics.match import Match
from errata.evals.metrics.overcorrection import OverCorrection
from errata.evals.metrics.truthfulqa import TruthfulQA

__all__ = ["SCORERS", "Family", "scorer_named"]
SCORERS: Mapping[str, Callable[..., Family]] = {
    family.name: family
    for family in (Match, Detection, Claims, Facts, FactScore, TruthfulQA, Cost, OverCorrection)
}


def scorer_named(name: str, **options: Any) -> Family:
    """A scorer by its name; it takes of the options those that it has, such as `judge`.

    Options for all scorers of a run can so be given to each. Raises SettingError naming the
    scorers if there is none of that name, or the options if no scorer has one of those given.
    """
    if name not in SCORERS:
        raise SettingError(f"no scorer is called {name!r}; there is {', '.join(SCORERS)}")
    known = {option for scorer in SCORERS.values() for option in signature(scorer).parameters}
    if unknown := sorted(options.keys() - known):
        raise SettingError(f"no scorer takes {unknown}; they take {sorted(known)}")
    own = signature(SCORERS[name]).parameters
    return SCORERS[name](**{key: value for key, value in options.items() if key in own})

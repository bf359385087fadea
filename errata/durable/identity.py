"""What makes two runs the same: what is asked of which method, and by which settings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from errata.core.errors import InputError

if TYPE_CHECKING:
    from errata.nodes.context import Context

MAY_CHANGE = frozenset(
    "at_once breaker_after breaker_seconds call_cache call_cache_hours call_cache_megabytes "
    "evidence_store evidence_store_hours page_cache page_cache_hours page_timeout per_second "
    "prices record replay retries reuse search_cache timeout".split()
)
"""The settings that say how the work is done, not what comes out; they may change meanwhile."""
_SHORT = 16
_GIVEN = ("question", "draft", "documents")


@dataclass(frozen=True)
class Identity:
    """A run's method, the digests of what was given and of each setting, and errata's version."""

    version: str
    method: str
    given: Mapping[str, str]
    settings: Mapping[str, str]

    @property
    def mark(self) -> str:
        """The identity as one line of JSON, kept in the metadata of the run's checkpoints."""
        return json.dumps(vars(self), sort_keys=True)

    def check(self, run: str, mark: object) -> None:
        """Raise InputError if a stored run's mark is that of another run, or of none of ours."""
        try:
            before = Identity(**json.loads(str(mark)))
            given, settings = dict(before.given), dict(before.settings)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{run!r} is stored there, but is no run of errata's; choose a name"
            ) from error
        ways = [name for name in _GIVEN if self.given.get(name) != given.get(name)]
        names = sorted({*self.settings, *settings})
        ways += [name for name in names if self.settings.get(name) != settings.get(name)]
        if self.method != before.method:
            ways = [f"method ({before.method})"]  # its settings are others, too
        if self.version != before.version:
            ways.append(f"version of errata ({before.version})")
        if ways:
            raise InputError(
                f"the run {run!r} was started with a different {', '.join(ways)}; give it "
                "the same to go on, or start a run of another name"
            )


def identify(
    method: str, request: Mapping[str, str], documents: Sequence[Any], context: "Context"
) -> Identity:
    """The identity of a run; `documents` are JSON values.

    Of the settings it has those that differ from their defaults and can change a result.
    """
    # A document is the same whenever it was read.
    lasting = [{**d, "retrieved_at": ""} if isinstance(d, Mapping) else d for d in documents]
    given = {name: _digest(value) for name, value in {**request, "documents": lasting}.items()}
    values = {
        name: (getattr(context, name), field.get_default())
        for name, field in type(context).model_fields.items()
        if name not in MAY_CHANGE
    }
    settings = {name: _digest(own) for name, (own, default) in values.items() if own != default}
    return Identity(version("errata"), method, given, settings)


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=_describe)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SHORT]


def _describe(value: object) -> str:
    """A text for an object: the repr of a dataclass, else the class and the model it names."""
    if is_dataclass(value):
        return repr(value)
    return f"{type(value).__module__}.{type(value).__name__} {getattr(value, 'model_name', '')}"

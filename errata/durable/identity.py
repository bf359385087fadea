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
    "page_cache page_cache_hours page_timeout per_second prices record replay retries reuse "
    "search_cache timeout".split()
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

    def differences(self, mark: str) -> list[str]:
        """In words, how a stored run's mark differs from this; empty if it is the same run.

        Raises ValueError if it is no mark of ours.
        """
        before = _read(mark)
        ways = [name for name in _GIVEN if self.given.get(name) != before.given.get(name)]
        names = sorted({*self.settings, *before.settings})
        ways += [name for name in names if self.settings.get(name) != before.settings.get(name)]
        if self.method != before.method:
            ways = [f"method ({before.method})"]  # its settings are others, too
        if self.version != before.version:
            ways.append(f"version of errata ({before.version})")
        return ways

    def check(self, run: str, mark: object) -> None:
        """Raise InputError if a stored run's mark is that of another run, or of none of ours."""
        try:
            ways = self.differences(str(mark))
        except ValueError as error:
            raise InputError(
                f"{run!r} is stored there, but is no run of errata's; choose a name"
            ) from error
        if ways:
            raise InputError(
                f"the run {run!r} was started with a different {', '.join(ways)}; give it "
                "the same to go on, or start a run of another name"
            )


def _read(mark: str) -> Identity:
    """A stored mark; raises ValueError if it is none of ours."""
    try:
        before = Identity(**json.loads(mark))
        return Identity(before.version, before.method, dict(before.given), dict(before.settings))
    except TypeError as error:
        raise ValueError(f"no mark of a run: {mark[:80]!r}") from error


def identify(
    method: str, request: Mapping[str, str], documents: Sequence[Any], context: "Context"
) -> Identity:
    """The identity of a run; `documents` are JSON values."""
    lasting = [_without_time(document) for document in documents]
    given = {name: _digest(value) for name, value in {**request, "documents": lasting}.items()}
    return Identity(version("errata"), method, given, _settings(context))


def _without_time(document: Any) -> Any:
    """A document without the time at which it was read."""
    return {**document, "retrieved_at": ""} if isinstance(document, Mapping) else document


def _settings(context: "Context") -> dict[str, str]:
    """The digest of each setting that differs from its default and can change a result.

    How calls are made, such as their time limit, may change before a run goes on.
    """
    fields = type(context).model_fields
    values = {name: getattr(context, name) for name in fields}
    return {
        name: _digest(value)
        for name, value in values.items()
        if name not in MAY_CHANGE and value != fields[name].get_default()
    }


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=_describe)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SHORT]


def _describe(value: object) -> str:
    """A text for an object: the repr of a dataclass, else the class and the model it names."""
    if is_dataclass(value):
        return repr(value)
    return f"{type(value).__module__}.{type(value).__name__} {getattr(value, 'model_name', '')}"

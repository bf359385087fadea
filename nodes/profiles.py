"""The published form of a method: settings that a paper states, for what a run leaves open."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Published(NamedTuple):
    """A setting's value in the published form."""

    setting: str
    value: Any
    source: str
    """The section or table of the paper."""


def fill(settings: Mapping[str, Any], *published: Published) -> dict[str, Any]:
    """The settings with published values where they say nothing; mappings are filled key by key.

    A later value of a setting counts over an earlier one.

    >>> fill({"guard": True}, Published("guard", False, ""), Published("top_k", 10, "B.1"))
    {'guard': True, 'top_k': 10}
    """
    filled: dict[str, Any] = {}
    for setting, value, _ in published:
        filled[setting] = _join(filled.get(setting), value)
    for setting, value in settings.items():
        filled[setting] = _join(filled.get(setting), value)
    return {name: filled[name] for name in (*settings, *filled)}


def _join(before: object, value: object) -> object:
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return {**before, **value}
    return value

"""The published form of a method: settings that a paper states, for what a run leaves open."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from errata.nodes.settings import settings_of


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


def said(
    settings: Mapping[str, Any], kind: type[BaseModel], *published: Published
) -> dict[str, Any]:
    """What a run says itself of its settings.

    A form that sends them all, as Studio's may, would leave a profile nothing to fill; it says what
    it changed.
    """
    defaults = {setting.name: setting.default for setting in settings_of(kind)}
    if any(defaults[p.setting] is not None and p.setting not in settings for p in published):
        return dict(settings)
    return {n: x for n, x in settings.items() if _as_json(x) != _as_json(defaults.get(n))}


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _join(before: object, value: object) -> object:
    if isinstance(before, Mapping) and isinstance(value, Mapping):
        return {**before, **value}
    return value

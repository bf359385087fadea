"""What a remote caller may set: no model, address or path unless the operator lists it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from errata.methods import METHODS
from errata.nodes.settings import Remote, Setting, settings_of
from errata.server.settings import ServerSettings
from errata.tools.models.spec import LOCAL, split_cascade


def refusal(requested: Mapping[str, Any], operator: ServerSettings) -> str:
    """Why a caller may not have these settings; empty if they may.

    What a setting allows is its `Remote`; one without it may not be changed.
    """
    for name, value in requested.items():
        settings = _settings().get(name, [])
        unchanged = any(value == setting.default for setting in settings)
        if not unchanged and not all(_may_set(setting, value, operator) for setting in settings):
            return f"{name}={value!r} is not yours to set here; ask the operator to allow it"
    return ""


def _may_set(setting: Setting, value: object, operator: ServerSettings) -> bool:
    if setting.remote is Remote.FREE:
        return True
    if setting.remote is Remote.CAPPED:
        return isinstance(value, int | float) and value <= setting.default
    if setting.remote is Remote.PROMPT:
        return operator.allow_prompts
    return setting.remote is Remote.LISTED and _is_listed(setting.name, value, operator)


def _is_listed(name: str, value: object, operator: ServerSettings) -> bool:
    """Whether the operator lists a value; for roles, each of its models; for a cascade, both."""
    if name == "roles":
        return isinstance(value, Mapping) and all(
            _is_listed("model", model, operator) for model in value.values()
        )
    if name == "model":
        listed = ("", LOCAL, *_listed_values(name, operator))
        return all(part in listed for part in split_cascade(value))
    return value in _listed_values(name, operator)


def _listed_values(name: str, operator: ServerSettings) -> tuple[str, ...]:
    """The values of a setting that callers may choose from; none without a list."""
    return {
        "model": (operator.model, *operator.allow_models),
        "corpus": (operator.corpus, *operator.allow_corpora),
        "search": (operator.search, *operator.allow_search),
    }.get(name, ())


@cache
def _settings() -> dict[str, list[Setting]]:
    """Every method's settings by name; several methods may have one of a name."""
    settings: dict[str, list[Setting]] = {}
    for method in METHODS.values():
        for setting in settings_of(method.context):
            settings.setdefault(setting.name, []).append(setting)
    return settings

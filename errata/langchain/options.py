"""What the options of the middleware may be."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, get_args

from errata.core.errors import SettingError
from errata.core.records import ResponseLabel

SCOPES = ("turn", "conversation", "none")
ON_ERROR = ("pass", "block", "raise")


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_count(value: object) -> bool:
    return value is None or (isinstance(value, int) and _is_positive(value + 1))


def _are_labels(value: object) -> bool:
    if isinstance(value, str) or not isinstance(value, Collection):
        return False
    return all(label in get_args(ResponseLabel) for label in value)


OPTIONS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "evidence": (SCOPES.__contains__, f"one of {', '.join(SCOPES)}"),
    "skip": (callable, "a function of the answer"),
    "block_on": (_are_labels, f"a list of {', '.join(get_args(ResponseLabel))}"),
    "blocked": (lambda value: isinstance(value, str), "a text"),
    "on_error": (ON_ERROR.__contains__, f"one of {', '.join(ON_ERROR)}"),
    "max_seconds": (_is_positive, "a number above 0"),
    "max_model_calls": (_is_count, "a whole number from 0, or None"),
}
"""What each option of the middleware may be, and that in words."""


def check_options(options: Mapping[str, object]) -> None:
    """Raise SettingError for an option that is not what it may be."""
    for name, value in options.items():
        fits, expected = OPTIONS[name]
        if not fits(value):
            raise SettingError(f"{name}={value!r} is not {expected}")

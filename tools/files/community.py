"""langchain-community: its classes by name, imported when they are used.

The package is being sunset, and says so whenever it is imported. What it still has is found here; a
class that it has handed over to another package is refused.
"""

import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from errata.core.errors import SettingError, require

_MOVED = {"TavilySearchAPIRetriever": "langchain-tavily"}
"""Classes that have moved and do not say so themselves."""


def find_class(name: str, modules: Sequence[str]) -> type[Any]:
    """A class of langchain-community by its name, from one of some modules, such as `retrievers`.

    Raises SettingError if the package is missing, has no such class, or has given it up.
    """
    require(repr(name), "community", "langchain_community")
    known: list[str] = []
    with warnings.catch_warnings():  # of its sunset, and that it is written for old releases
        warnings.simplefilter("ignore", DeprecationWarning)
        for each in modules:
            module = import_module(f"langchain_community.{each}")
            known += module.__all__
            if name in module.__all__:
                return _current(name, module)
    close = get_close_matches(name, known, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    raise SettingError(f"langchain-community has no {' or '.join(modules)} called {name!r}{hint}")


def _current(name: str, module: Any) -> type[Any]:
    try:
        found: type[Any] = getattr(module, name)
    except ImportError as error:
        raise SettingError(f"{name} cannot be used: {error}") from error
    if moved := getattr(found, "__deprecated__", "") or _MOVED.get(name, ""):
        raise SettingError(f"langchain-community has given {name} up; use {moved}")
    return found


def make(found: type[Any], **fields: Any) -> Any:
    """An object of a class.

    Raises SettingError with the class's own words if a package or a key is missing, or a field is
    wrong.
    """
    try:
        return found(**fields)
    except Exception as error:  # a class raises what it likes
        reason = " ".join(str(error).split()) or type(error).__name__
        if callable(faults := getattr(error, "errors", None)):  # pydantic adds links and the input
            places = ((*map(str, each.get("loc", ())), str(each.get("msg"))) for each in faults())
            reason = "; ".join(map(" ".join, places))
        raise SettingError(f"{found.__name__} cannot be used: {reason}") from error

"""langchain-community: its classes by name, imported when they are used.

The package is being sunset, and says so whenever it is imported. What it still has is found here; a
class that it has handed over to another package is refused.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from errata.core.errors import SettingError

_MOVED = {"TavilySearchAPIRetriever": "langchain-tavily"}
"""Classes that have moved and do not say so themselves."""


def find_class(name: str, modules: Sequence[str]) -> type[Any]:
    """A class of langchain-community by its name, from one of some modules, such as `retrievers`.

    Raises SettingError if the package is missing, has no such class, or has given it up.
    """
    known: list[str] = []
    for each in modules:
        module = _import_module(each)
        known += module.__all__
        if name in module.__all__:
            return _current(name, module)
    close = get_close_matches(name, known, n=3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    raise SettingError(f"langchain-community has no {' or '.join(modules)} called {name!r}{hint}")


def _import_module(name: str) -> Any:
    try:
        with _without_notices():
            return import_module(f"langchain_community.{name}")
    except ModuleNotFoundError as error:
        fault = "langchain-community is not installed: pip install 'errata[community]'"
        raise SettingError(fault) from error


def _current(name: str, module: Any) -> type[Any]:
    try:
        with _without_notices():
            found: type[Any] = getattr(module, name)
    except ImportError as error:
        raise SettingError(f"{name} cannot be used: {error}") from error
    if moved := getattr(found, "__deprecated__", "") or _MOVED.get(name, ""):
        raise SettingError(f"langchain-community has given {name} up; use {moved}")
    return found


@contextmanager
def _without_notices() -> Iterator[None]:
    """Import without the notices that the package is being sunset, and is written for old ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def make(found: type[Any], **fields: Any) -> Any:
    """An object of a class.

    Raises SettingError with the class's own words if a package or a key is missing, or a field is
    wrong.
    """
    try:
        return found(**fields)
    except Exception as error:  # a class raises what it likes
        raise SettingError(f"{found.__name__} cannot be used: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    """What went wrong, without the input, the links and the stack that pydantic adds."""
    faults = getattr(error, "errors", None)
    if callable(faults):
        return "; ".join(
            " ".join([*map(str, fault.get("loc", ())), str(fault.get("msg"))]) for fault in faults()
        )
    return " ".join(str(error).split()) or type(error).__name__

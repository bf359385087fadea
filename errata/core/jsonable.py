"""Records to JSON values and back."""

from collections.abc import Callable
from functools import cache
from pathlib import PurePath
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, to_jsonable_python

from errata.core.errors import InputError
from errata.core.once import made_once

Record = TypeVar("Record")
# Pydantic parses a type's source for docstrings; in Python 3.11 only one thread may at a time.
adapter_of: Callable[[Any], TypeAdapter[Any]] = cache(made_once(TypeAdapter))
"""What validates values of a type."""


def to_json(value: object) -> Any:
    """Records, alone or in lists and mappings, as plain JSON values."""
    return to_jsonable_python(value)


def from_json(kind: type[Record], value: object, form: str = "") -> Record:
    """A record from its JSON values; raises InputError naming each wrong field, and the `form`."""
    try:
        record: Record = adapter_of(cast("Any", kind)).validate_python(value)
    except ValidationError as error:
        name, faults = getattr(kind, "__name__", str(kind)), describe_faults(error)
        fault = f"{faults}; {form}" if form else f"not a {name}: {faults}; see its fields in errata"
        raise InputError(fault) from error
    return record


def describe_faults(error: ValidationError, *place: str) -> str:
    """Each field that is missing or wrong, by its path from a place, and what it should be."""
    return "; ".join(
        _describe(".".join(map(str, (*place, *fault["loc"]))) or "value", fault)
        for fault in error.errors(include_url=False)
    )


def _describe(name: str, fault: ErrorDetails) -> str:
    value, kind = fault["input"], fault["type"]
    if kind == "missing":
        return f"{name} is missing"
    if kind == "string_type":
        return describe_no_text(name, value)
    if kind in ("list_type", "tuple_type"):
        return describe_no_list(name, value)
    if kind == "dataclass_type":
        return f"{name} is {_kind(value)}: expected an object with a record's fields"
    return f"{name}: {fault['msg']}"


def describe_no_list(name: str, value: object) -> str:
    """What to give in place of a value that is no list."""
    return f"{name} must be a list; got one {type(value).__name__}: put it in brackets"


def describe_no_text(name: str, value: object) -> str:
    """What to give in place of a value that is no text."""
    fault = f"{name} is {_kind(value)}: expected a text"
    if isinstance(value, PurePath):
        return f"{fault}; read the file, {name}=path.read_text()"
    is_argument = name in ("question", "draft", "method")
    by_name = "; draft and documents go by name: draft=…, documents=[…]"
    return f"{fault}{by_name if is_argument else ''}"


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"

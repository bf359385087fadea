"""Records to JSON values and back."""

from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from errata.errors import InputError
from errata.made_once import MadeOnce

Record = TypeVar("Record")


# Pydantic parses a type's source, for its docstrings; Python 3.11 lets one thread do so at a time.
@MadeOnce
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """A type's reader and writer, built once."""
    return TypeAdapter(kind)


def to_json(value: object) -> Any:
    """Records, alone or in lists and mappings, as plain JSON values."""
    return _adapter(Any).dump_python(value, mode="json")


def from_json(kind: type[Record], value: object) -> Record:
    """A record from its JSON values.

    Raises InputError naming each field that is missing or wrong.
    """
    reader: Any = _adapter(cast("Any", kind))
    try:
        record: Record = reader.validate_python(value)
    except ValidationError as error:
        name, faults = getattr(kind, "__name__", str(kind)), describe_faults(error)
        raise InputError(f"not a {name}: {faults}; see errata.records for its fields") from error
    return record


def describe_faults(error: ValidationError, *place: str) -> str:
    """Each field that is missing or wrong, by its path from a place, and why."""
    return "; ".join(
        f"{'.'.join(map(str, (*place, *fault['loc']))) or 'value'}: {fault['msg']}"
        for fault in error.errors(include_url=False)
    )

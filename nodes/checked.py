"""State that takes no malformed value, whoever writes it: a step, a caller, or an edited past."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from errata.core.errors import InputError
from errata.core.jsonable import describe_faults

State = TypeVar("State", bound=BaseModel)


def checked(state: type[State]) -> type[State]:
    """The state class, whose fields refuse values of another type when they are written.

    LangGraph checks values when a step reads them, which is too late: a malformed value would stop
    every later run on the thread.
    """
    for name, hint in state.__annotations__.items():
        if name in state.model_fields and not _has_reducer(hint):
            state.__annotations__[name] = Annotated[hint, _replace(name, hint)]
    return state


def _has_reducer(hint: Any) -> bool:
    return any(callable(each) for each in getattr(hint, "__metadata__", ()))


def _replace(name: str, hint: Any) -> Callable[[Any, Any], Any]:
    """The reducer of a field: the new value takes the old one's place if it has the right type."""
    adapter = TypeAdapter(hint)

    def replace(_: Any, value: Any) -> Any:
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            faults = describe_faults(error, name)
            raise InputError(f"the state cannot hold this: {faults}") from error
        return value

    return replace

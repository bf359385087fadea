"""One reply of a model as it is kept."""

import json
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from errata.tools.models.sampling import Sampling


class Tokens(TypedDict):
    """Tokens as LangChain counts them."""

    input_tokens: int
    output_tokens: int
    total_tokens: int


class Kept(TypedDict):
    """A reply; what was asked is only in its key, as a digest."""

    text: str
    usage: Tokens | None
    """None where the server gave no count."""
    finish_reason: str | None
    refusal: str | None
    sampling: dict[str, Any]
    """What the model took of the sampling that it was told."""
    model: str
    prompt: str
    """The template's name."""
    made: float
    """When the model gave it, in seconds since 1970."""


_KEPT = TypeAdapter(Kept)


def read_kept(text: str | bytes) -> Kept | None:
    """A kept reply from its JSON; None if it is damaged, or another version wrote it otherwise."""
    try:
        kept: Kept = _KEPT.validate_python(json.loads(text))
        Sampling(**kept["sampling"])
    except (ValueError, TypeError, RecursionError):
        return None
    return kept

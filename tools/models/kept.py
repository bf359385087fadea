"""One reply of a model as it is kept, and the message that it was."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from errata.tools.files.decoding import without_surrogates
from errata.tools.models.request import Request
from errata.tools.models.sampling import Sampling
from errata.tools.net.stores import Entry

CACHED = "cached"
"""In a message's metadata: that it is from the cache, and cost nothing now."""
RECORDED = "recorded"
"""In a message's metadata: that it took no time, since it is from a folder of exchanges."""
MODEL = "asked_model"
"""In a message's metadata: which model it is from, as the user named it."""


@dataclass
class Sampled:
    """A model's message, once there is one, and the sampling that it took."""

    message: AIMessage | None = None
    taken: Sampling = field(default_factory=Sampling)


class Tokens(TypedDict):
    """Tokens as LangChain counts them."""

    input_tokens: int
    output_tokens: int
    total_tokens: int


class Kept(TypedDict):
    """A reply; what was asked is not in it."""

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
_UNKNOWN = {"model": "", "prompt": "", "made": 0.0}
"""What early recordings leave out."""


def read_kept(entry: Entry | None) -> Kept | None:
    """The reply in a store's entry; None if it is damaged, or of another form."""
    try:
        return as_kept(json.loads(entry.value)) if entry else None
    except (ValueError, TypeError, RecursionError):
        return None


def entry_of(kept: Kept) -> Entry:
    """A reply as a store keeps it, counted by its model and its prompt."""
    names = {"model": kept["model"], "prompt": kept["prompt"]}
    return Entry(json.dumps(kept).encode(), names, kept["made"])


def as_kept(value: Mapping[str, Any]) -> Kept:
    """A kept reply from JSON values.

    Raises ValueError or TypeError if they are none.
    """
    kept: Kept = _KEPT.validate_python({**_UNKNOWN, **value})
    Sampling(**kept["sampling"])
    return kept


def keep(message: AIMessage, taken: Sampling, request: Request, model: str) -> Kept:
    """A model's message as it is kept; `model` is what the user calls it."""
    tokens = message.usage_metadata
    return Kept(
        text=without_surrogates(str(message.text)),
        usage=tokens
        and Tokens(
            input_tokens=tokens["input_tokens"],
            output_tokens=tokens["output_tokens"],
            total_tokens=tokens["total_tokens"],
        ),
        finish_reason=message.response_metadata.get("finish_reason"),
        refusal=message.additional_kwargs.get("refusal"),
        sampling=taken.given,
        model=model,
        prompt=request.prompt,
        made=time.time(),
    )


def message_of(kept: Kept, origin: str) -> AIMessage:
    """The message that was kept; `origin`, CACHED or RECORDED, is where it is from now."""
    told: dict[str, Any] = {"finish_reason": kept["finish_reason"], origin: True}
    if origin == RECORDED:
        told[MODEL] = kept["model"]
    return AIMessage(
        kept["text"],
        usage_metadata=kept["usage"],
        response_metadata=told,
        additional_kwargs={"refusal": kept["refusal"]} if kept["refusal"] else {},
    )

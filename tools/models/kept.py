"""One reply of a model as it is kept, and the message that it was."""

import json
import time
from typing import Annotated, Any, Self

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import AfterValidator

from errata.tools.files.decoding import without_surrogates
from errata.tools.models.request import Request
from errata.tools.models.sampling import Sampling
from errata.tools.net.redaction import redact
from errata.tools.net.sqlite_store import Entry, Stored

CACHED = "cached"
"""In a message's metadata: that it is from the cache, and cost nothing now."""
RECORDED = "recorded"
"""In a message's metadata: that it took no time, since it is from recorded exchanges."""
MODEL = "asked_model"
"""In a message's metadata: which model it is from, as the user named it."""
_TOKENS = ("input_tokens", "output_tokens", "total_tokens")


class Kept(Stored):
    """A reply."""

    text: str
    usage: UsageMetadata | None
    """None where the server gave no count."""
    finish_reason: str | None
    refusal: str | None
    sampling: Annotated[dict[str, Any], AfterValidator(lambda given: Sampling(**given).given)]
    """What the model took of the sampling that it was told."""
    model: str = ""
    """What the user calls it."""
    prompt: str = ""
    """The template's name."""
    made: float = 0.0
    """When the model gave it, in seconds since 1970."""

    @classmethod
    def of(cls, message: AIMessage, taken: Sampling, request: Request, model: str) -> Self:
        """A model's message as it is kept."""
        tokens: Any = message.usage_metadata
        usage: Any = tokens and {name: tokens[name] for name in _TOKENS}
        return cls(
            text=without_surrogates(str(message.text)),
            usage=usage,
            finish_reason=message.response_metadata.get("finish_reason"),
            refusal=message.additional_kwargs.get("refusal"),
            sampling=taken.given,
            model=model,
            prompt=request.prompt,
            made=time.time(),
        )

    def entry(self, asked: str = "") -> Entry:
        """The reply as a store keeps it, counted by its model and its prompt.

        What was asked, if it is to be kept, is kept without secrets.
        """
        kept = {**self.model_dump(), "model": redact(self.model)}
        kept |= {"request": redact(asked)} if asked else {}
        names = {name: kept[name] for name in ("model", "prompt")}
        return Entry(json.dumps(kept).encode(), names, self.made)

    def message(self, origin: str) -> AIMessage:
        """The message that was kept; `origin`, CACHED or RECORDED, is where it is from now."""
        told: dict[str, Any] = {"finish_reason": self.finish_reason, origin: True}
        if origin == RECORDED:
            told[MODEL] = self.model
        return AIMessage(
            self.text,
            usage_metadata=self.usage,
            response_metadata=told,
            additional_kwargs={"refusal": self.refusal} if self.refusal else {},
        )

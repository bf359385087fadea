"""Exchanges with models, kept in a folder and played back from it."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from errata.bounds import note_undone
from errata.errors import ChatError
from errata.forks import free_in_forks
from errata.tools.models.fake import FakeChat
from errata.tools.models.sampling import Sampling
from errata.tools.net.redaction import redact

RECORDED = "recorded"
"""In a message's metadata: that it took no time, since it is from a folder of exchanges."""
MODEL = "asked_model"
"""In a message's metadata: which model it is from, as the user named it."""
_WRITING = free_in_forks()
"""One exchange is written at a time: a request that is sent twice adds to the same file."""


@dataclass(frozen=True)
class Asked:
    """What a model was asked."""

    prompt: str
    """The template's name."""
    request: str
    sampling: Sampling = field(default_factory=Sampling)

    def path(self, folder: str) -> Path:
        """The file of the exchange."""
        parts = [self.prompt, self.request]
        if self.sampling.given:
            parts.append(json.dumps(self.sampling.given, sort_keys=True))
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        return Path(folder, f"{self.prompt.replace('/', '.')}-{key}.json")


def record_exchange(
    folder: str, asked: Asked, kept: str, taken: Sampling, message: AIMessage
) -> None:
    """Add one exchange to a folder; `kept` is the request without secrets.

    One file holds all the replies that one request got, in order, each with the sampling that the
    model took of what it was told. A folder that cannot be written
    is noted: the reply is paid for, and the run goes on with it.
    """
    try:
        with _WRITING:
            _write_exchange(asked.path(folder), asked.prompt, kept, taken, message)
    except (OSError, ValueError, LookupError) as error:
        reason = getattr(error, "strerror", None) or error
        note_undone(f"exchanges with models were not recorded in {folder!r}: {reason}")


def _write_exchange(
    path: Path, prompt: str, kept: str, taken: Sampling, message: AIMessage
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    before = _read_replies(path) if path.exists() else []
    reply = {
        "text": str(message.text),
        "finish_reason": message.response_metadata.get("finish_reason"),
        "refusal": message.additional_kwargs.get("refusal"),
        "usage": message.usage_metadata,
        "sampling": taken.given,
        "model": redact(message.response_metadata.get(MODEL, "")),
    }
    exchange = {"prompt": prompt, "request": kept, "replies": [*before, reply]}
    # Whoever is killed while writing leaves the file as it was.
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(exchange, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _read_replies(path: Path) -> list[dict[str, Any]]:
    replies: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["replies"]
    return replies


def known_reply(folder: str, asked: Asked, turn: int) -> AIMessage | None:
    """What a folder of exchanges has as the reply to a request's try number `turn`, from 0.

    None if it has none, or its file cannot be read.
    """
    try:
        replies = _read_replies(asked.path(folder))
    except (OSError, ValueError, LookupError):
        return None
    return _message(replies[turn]) if turn < len(replies) else None


def _message(reply: Mapping[str, Any]) -> AIMessage:
    return AIMessage(
        reply["text"],
        usage_metadata=reply["usage"],
        response_metadata={
            "finish_reason": reply["finish_reason"],
            RECORDED: True,
            MODEL: reply.get("model", ""),
        },
        additional_kwargs={"refusal": reply["refusal"]} if reply["refusal"] else {},
    )


class ReplayChat(FakeChat):
    """Answers as a recorded model did: reply after reply, then the last one again and again."""

    folder: str

    def answer(self, prompt: str, request: str) -> AIMessage:
        """The next recorded reply to the request.

        Raises ChatError if none was recorded.
        """
        path = Asked(prompt, request, self.sampling).path(self.folder)
        if not path.is_file():  # it may have been recorded without sampling
            path = Asked(prompt, request).path(self.folder)
        if not path.is_file():
            raise ChatError(
                f"{self.folder!r} holds no exchange for this request of {prompt!r} ({path.name}); "
                "record the run again, with the same inputs, prompts and settings"
            )
        replies = _read_replies(path)
        turn = self.turn_of(path)
        return _message(replies[min(turn, len(replies) - 1)])

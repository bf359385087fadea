"""The one store of models' replies: a SQLite file that runs use, record in and replay.

A reply is kept under its request, the number of the sample, and a digest of all that it depends on.
A packed recording holds gzipped lines of JSON, a request's exchanges a line (`evals/pack.py`).
"""

import gzip
import hashlib
import json
import zlib
from asyncio import Lock
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, Self
from weakref import WeakValueDictionary

from anyio.lowlevel import RunVar
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from errata.core.errors import ChatError
from errata.tools.files.decoding import without_surrogates
from errata.tools.models.message import CACHED, MODEL, RECORDED, SAMPLING, is_answer
from errata.tools.models.request import Request, Sampling, key_of_words
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of
from errata.tools.net.redaction import redact
from errata.tools.net.sqlite_store import StoreError, open_store, work_or_note

Ask = Callable[[], Awaitable[AIMessage]]
_TOKENS = ("input_tokens", "output_tokens", "total_tokens")
_use = partial(work_or_note, "the call cache cannot be used: {}; replies are not kept")
_record = partial(work_or_note, "exchanges with models were not recorded: {}")
_LOCKS: RunVar[WeakValueDictionary[tuple[str, str], Lock]] = RunVar("errata.calls")
"""The event loop's calls under way, by the file and the key that their replies are kept under."""


class Kept(BaseModel):
    """A reply as it is kept."""

    model_config = ConfigDict(frozen=True)

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
    request: str = ""
    """What was asked, without secrets, where it is recorded."""

    @classmethod
    def read(cls, value: bytes | None) -> Self | None:
        """It from what is kept; None if there is nothing, it is damaged, or of another form."""
        try:
            return cls.model_validate_json(value) if value else None
        except ValidationError:
            return None

    @classmethod
    def of(cls, message: AIMessage, prompt: str, model: str, asked: str = "") -> Self:
        """A model's message as it is kept."""
        tokens: Any = message.usage_metadata
        usage: Any = tokens and {name: tokens[name] for name in _TOKENS}
        return cls(
            text=without_surrogates(str(message.text)),
            usage=usage,
            finish_reason=message.response_metadata.get("finish_reason"),
            refusal=message.additional_kwargs.get("refusal"),
            sampling=message.response_metadata[SAMPLING],
            model=redact(message.response_metadata.get(MODEL) or model),
            prompt=prompt,
            request=redact(asked),
        )

    def message(self, origin: str) -> AIMessage:
        """The message that was kept; `origin`, CACHED or RECORDED, is where it is from now."""
        told: dict[str, Any] = {"finish_reason": self.finish_reason, origin: True}
        if origin == RECORDED:
            told[MODEL] = self.model
        return AIMessage(
            self.text,
            usage_metadata=self.usage,
            response_metadata={**told, SAMPLING: self.sampling},
            additional_kwargs={"refusal": self.refusal} if self.refusal else {},
        )


@dataclass(frozen=True)
class Replies:
    """Where a run takes replies from before it asks a model, and where it keeps those it got."""

    record: str = ""
    """The file that keeps every reply, with what was asked; what it holds costs what it did."""
    cache: str = ""
    """The file that keeps answers; what it holds is answered from it, and costs nothing."""

    async def get(self, model: BaseChatModel, request: Request, ask: Ask) -> AIMessage:
        """What is kept as the request's sample; where nothing is, what `ask` brings, to be kept.

        The cache keeps answers alone, the record all. A store that fails ends no run.
        """
        digest = digest_of(model, request)
        key = f"{request.key}-{request.sample}-{digest}"
        store = open_store(self.record, inf) if self.record else None
        if store and digest and (kept := Kept.read(await _record(store.get, key))):
            return kept.message(RECORDED)
        cached = self.cache and digest
        message = await (self._cached(key, model, request, ask) if cached else ask())
        if store:
            kept = Kept.of(message, request.prompt, name_of(model), request.text)
            await _record(store.put, key, kept.model_dump_json().encode())
        return message

    async def _cached(
        self, key: str, model: BaseChatModel, request: Request, ask: Ask
    ) -> AIMessage:
        """The answer that is kept under a key, or what `ask` brings.

        While one call asks, the same calls of its event loop wait for its answer; if it gets none,
        the next asks for itself.
        """
        locks = _LOCKS.get(WeakValueDictionary())
        _LOCKS.set(locks)
        store, lock = open_store(self.cache), locks.setdefault((self.cache, key), Lock())
        async with lock:
            kept = Kept.read(await _use(store.get, key))
            if kept and is_answer(message := kept.message(CACHED), request):
                return message
            message = await ask()
            if is_answer(message, request):
                kept = Kept.of(message, request.prompt, name_of(model))
                await _use(store.put, key, kept.model_dump_json().encode())
            return message


def digest_of(model: BaseChatModel, request: Request) -> str:
    """A digest of all that a reply depends on; empty if that is not known.

    These are the model and its address, its own parameters, the template, the filled prompt, the
    sampling and the number of the sample. The model is named as LangSmith gets it, not as the user
    calls it: the same model under another name gives the same replies.
    """
    parameters = dict(model._identifying_params)  # noqa: SLF001  LangChain's name for caches
    known = model._get_ls_params()  # noqa: SLF001  LangChain has no other way to ask
    name = known.get("ls_model_name") and f"{known.get('ls_provider', '')}:{known['ls_model_name']}"
    if isinstance(model, FakeChat) or not (name or parameters):
        return ""
    places = [place for place in type(model).model_fields if place.endswith(("_base", "url"))]
    address = {place: str(getattr(model, place)) for place in places}
    address["client"] = str(getattr(getattr(model, "root_async_client", None), "base_url", ""))
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    who = {"class": kind, "name": name or "", "own": parameters, "address": address}
    asked = [request.prompt, request.digest, request.text, request.sampling.given, request.sample]
    try:
        whole = json.dumps([who, asked], sort_keys=True)
    except (TypeError, ValueError):
        return ""
    return hashlib.sha256(whole.encode()).hexdigest()


Recorded = dict[int, Kept]
"""The replies to one request, by sample."""
_UNREADABLE = (OSError, EOFError, ValueError, zlib.error, LookupError, TypeError, StoreError)


class ReplayChat(FakeChat):
    """Answers as a recorded model did: a sample without a reply by the next, or the last, one."""

    file: str
    """What was recorded, packed or not."""

    def answer(self, prompt: str, request: str, sample: int) -> AIMessage:
        """The recorded reply that is the sample; raises ChatError if none is there to be read."""
        key = key_of_words(prompt, request, self.sampling)
        # It may have been recorded without sampling.
        plain = key_of_words(prompt, request, Sampling())
        try:
            replies = recorded(self.file, key) or recorded(self.file, plain)
        except _UNREADABLE as error:
            raise ChatError(f"cannot replay {self.file!r}: {error}") from error
        if not replies:
            raise ChatError(
                f"{self.file!r} holds no exchange for this request of {prompt!r} ({key}); "
                "record the run again, with the same inputs, prompts and settings"
            )
        number = min((n for n in replies if n >= sample), default=max(replies))
        return replies[number].message(RECORDED)


def recorded(file: str, key: str) -> Recorded:
    """What a file holds for a request, by its key; of two as one sample the later."""
    path = Path(file)
    with path.open("rb") as opened:
        is_packed = not opened.read(16).startswith(b"SQLite format 3")
    if is_packed:
        return unpack(path, path.stat().st_mtime_ns).get(key, {})
    found = open_store(file, inf).under(f"{key}-")
    replies = {int(name.split("-")[1]): Kept.read(value) for name, value in found.items()}
    return {sample: kept for sample, kept in replies.items() if kept}


@lru_cache(maxsize=8)
def unpack(path: Path, changed: int = 0) -> dict[str, Recorded]:  # noqa: ARG001  read again if changed
    """What a packed file holds, by the requests' keys."""
    # Early recordings do not number the replies, but have them in order.
    return {
        each["key"]: {
            reply.get("sample", place): Kept(**{"prompt": each["prompt"], **reply})
            for place, reply in enumerate(each["replies"])
        }
        for each in map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    }

"""Where a run takes replies from before it asks a model, and where it keeps those it got.

A folder keeps a run's exchanges; a cache is for whoever asks the same again, in any process.
"""

import hashlib
import json
import time
from asyncio import AbstractEventLoop, Lock, get_running_loop, to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.tools.models.folder_calls import FolderCalls
from errata.tools.models.kept import CACHED, MODEL, RECORDED, Kept, Sampled
from errata.tools.models.request import Request
from errata.tools.models.sampling import Sampling
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of
from errata.tools.net.sqlite_store import MEGABYTES, SqliteStore
from errata.tools.net.stores import attempt, check_file, open_store

Accepts = Callable[[AIMessage], bool]
"""Whether a message is an answer."""
_try = partial(attempt, "the call cache cannot be used: {}; replies are not kept")
_UNDER_WAY: WeakValueDictionary[tuple[AbstractEventLoop, str, str], Lock] = WeakValueDictionary()
"""By event loop, cache and key."""


@dataclass(frozen=True)
class CallCache:
    """Replies kept in a SQLite file; open it with `CallCache.open`."""

    spec: str
    store: SqliteStore
    hours: float = 0.0
    """Age at which a reply is out of date; 0: never."""

    @classmethod
    def open(cls, spec: str, hours: float = 0.0, megabytes: int = MEGABYTES) -> "CallCache":
        """The cache in a file; nothing is read or written yet.

        Raises SettingError for an address.
        """
        check_file("call_cache", spec)
        return cls(spec, open_store(spec, "calls", megabytes), hours)

    @asynccontextmanager
    async def hold(
        self, model: BaseChatModel, request: Request, accepts: Accepts
    ) -> AsyncIterator[Sampled]:
        """The kept reply; where there is none, the block brings one, which is kept if accepted.

        While one call asks, the same calls of its event loop wait for its answer; if it gets none,
        the next asks for itself.
        """
        key = key_of(model, request)
        if not key:
            yield Sampled()
            return
        async with _UNDER_WAY.setdefault((get_running_loop(), self.spec, key), Lock()):
            if kept := await _try(self._find, key, accepts):
                sampled = Sampled(kept.message(CACHED), Sampling(**kept.sampling))
                request.note_left_out(sampled.taken)
                yield sampled
                return
            sampled = Sampled()
            yield sampled
            if sampled.message and accepts(sampled.message):
                kept = Kept.of(sampled.message, sampled.taken, request, name_of(model))
                await _try(self.store.put, key, kept.entry)

    def _find(self, key: str, accepts: Accepts) -> Kept | None:
        """What is kept and, whoever wrote it, is an answer."""
        entry = self.store.get(key, time.time() - self.hours * 3600 if self.hours else 0.0)
        kept = Kept.read(entry)
        if not (entry and kept and accepts(kept.message(CACHED))):
            return None
        self.store.count_hit(key)
        return kept


def check_call_cache(spec: str) -> None:
    """Refuse what is no file.

    Raises SettingError.
    """
    if spec:
        CallCache.open(spec)


def key_of(model: BaseChatModel, request: Request) -> str:
    """What a reply is kept under: a digest of all that it depends on; empty if that is not known.

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


@dataclass(frozen=True)
class Replies:
    """A folder of a run's exchanges, and a cache that runs share; nothing is kept without."""

    folder: str = ""
    """Keeps every reply, with what was asked."""
    reuse: bool = False
    """Answer what the folder holds from it; it costs what it did."""
    cache: CallCache | None = None
    """Keeps answers; what it holds is answered from it, and costs nothing."""

    @asynccontextmanager
    async def hold(
        self, model: BaseChatModel, request: Request, accepts: Accepts
    ) -> AsyncIterator[Sampled]:
        """What is kept as the request's sample; where nothing is, the block brings it to be kept.

        The cache keeps what it `accepts`, the folder all.
        """
        recorded = FolderCalls(self.folder)
        reusing = self.folder and self.reuse
        if reusing and (found := await to_thread(recorded.get, request)):
            yield Sampled(found.message(RECORDED))
            return
        held = self.cache.hold(model, request, accepts) if self.cache else nullcontext(Sampled())
        async with held as sampled:
            yield sampled
        if self.folder and (message := sampled.message):
            name = message.response_metadata.setdefault(MODEL, name_of(model))
            await to_thread(recorded.put, request, Kept.of(message, sampled.taken, request, name))


NOTHING_KEPT = Replies()
"""No folder and no cache."""

"""Where a run takes replies from before it asks a model, and where it keeps those it got.

A folder keeps a run's exchanges; a cache is for whoever asks the same again, in any process.
"""

import hashlib
import json
import os
import time
from asyncio import AbstractEventLoop, get_running_loop, to_thread, wait, wrap_future
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.core.once import free_in_forks
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
LOOK_SECONDS = 1.0
"""How often a call that waits for another looks whether that one's event loop still runs."""
LOOKS = 5
"""After how many looks without an answer the loop counts as blocked, perhaps by the waiting call's
own caller: plain code that was called inside it."""


@dataclass(frozen=True, eq=False)
class _Flight:
    """A call that is under way, and the event loop that makes it."""

    loop: AbstractEventLoop = field(default_factory=get_running_loop)
    end: "Future[Kept | None]" = field(default_factory=Future)

    async def landed(self) -> Kept | None:
        """What it brought; None if it brought no answer, or its event loop stands still."""
        end, unanswered = wrap_future(self.end), list[bool]()
        try:
            while not (await wait([end], timeout=LOOK_SECONDS))[0]:
                if not self.loop.is_running() or len(unanswered) >= LOOKS:
                    return None
                unanswered.append(True)
                with suppress(RuntimeError):  # the loop was closed a moment ago
                    self.loop.call_soon_threadsafe(unanswered.clear)  # at its next turn
            return end.result()
        finally:
            end.cancel()


_UNDER_WAY: dict[tuple[str, str, int], _Flight] = {}
"""By cache, key and process: a fork waits for no call of its parent's."""
_LOCK = free_in_forks()


def _join(place: tuple[str, str, int]) -> tuple[_Flight, bool]:
    """The call under way at a place, and whether it is the caller's own to make."""
    with _LOCK:
        flight = _UNDER_WAY.get(place)
        if flight and flight.loop.is_running():
            return flight, False
        flight = _UNDER_WAY[place] = _Flight()
        flight.end.set_running_or_notify_cancel()  # who gives up waiting ends no other's wait
        return flight, True


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

        While one call asks, the same calls of this process wait for its answer; if it gets none,
        or its event loop is left standing or is blocked, each asks for itself.
        """
        key = key_of(model, request)
        if not key:
            yield Sampled()
            return
        place = (self.spec, key, os.getpid())
        flight, leads = _join(place)
        kept = None if leads else await flight.landed()
        try:
            kept = await _try(self._find, key, accepts) or kept
            sampled = Sampled()
            if kept:
                sampled = Sampled(kept.message(CACHED), Sampling(**kept.sampling))
                request.note_left_out(sampled.taken)
            yield sampled
            if not kept and sampled.message and accepts(sampled.message):
                kept = Kept.of(sampled.message, sampled.taken, request, name_of(model))
                await _try(self.store.put, key, kept.entry)
        finally:
            if leads:
                with _LOCK:
                    if _UNDER_WAY.get(place) is flight:
                        del _UNDER_WAY[place]
                flight.end.set_result(kept)

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

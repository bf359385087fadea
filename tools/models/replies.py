"""The one store of models' replies: a SQLite file that runs use, record in and replay.

A reply is kept under its request, the number of the sample, and a digest of all that it depends on.
"""

import hashlib
import json
import os
import time
from asyncio import AbstractEventLoop, get_running_loop, to_thread, wait, wrap_future
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from threading import Event

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.core.errors import SettingError
from errata.core.limits import note_undone
from errata.core.once import free_in_forks
from errata.tools.models.kept import CACHED, MODEL, RECORDED, Kept
from errata.tools.models.request import Request
from errata.tools.models.sampling import Sampling
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of
from errata.tools.net.sqlite_store import SqliteStore, StoreError
from errata.tools.net.stores import attempt, open_store

Sampled = tuple[AIMessage, Sampling]
"""A model's message, and the sampling that it took."""
Ask = Callable[[], Awaitable[Sampled]]
Accepts = Callable[[AIMessage], bool]
"""Whether a message is an answer."""
_try = partial(attempt, "the call cache cannot be used: {}; replies are not kept")
PATIENCE = 5.0
"""Seconds after which an event loop that came to no turn counts as standing still: it is over, or
blocked, perhaps by the waiting call's own caller, plain code that was called inside it."""


@dataclass(frozen=True, eq=False)
class _Flight:
    """A call that is under way, and the event loop that makes it."""

    loop: AbstractEventLoop = field(default_factory=get_running_loop)
    end: "Future[Kept | None]" = field(default_factory=Future)

    async def landed(self) -> Kept | None:
        """What it brought; None if it brought no answer, or its event loop stands still."""
        end, goes_on = wrap_future(self.end), True
        try:
            while goes_on and not end.done():
                turn = Event()
                with suppress(RuntimeError):  # the loop is closed
                    self.loop.call_soon_threadsafe(turn.set)
                await wait([end], timeout=PATIENCE)
                goes_on = turn.is_set()
            return end.result() if end.done() else None
        finally:
            end.cancel()


_UNDER_WAY: dict[tuple[str, str, int], _Flight] = {}
"""By file, key and process: a fork waits for no call of its parent's."""
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
class Replies:
    """Where a run takes replies from before it asks a model, and where it keeps those it got.

    Nothing is kept without a record and a cache.
    """

    record: str = ""
    """The file that keeps every reply, with what was asked."""
    reuse: bool = False
    """Answer from it what it holds; that costs what it did."""
    cache: str = ""
    """The file that keeps answers; what it holds is answered from it, and costs nothing."""
    hours: float = 0.0
    """Age at which an answer is out of date; 0: never."""

    async def get(
        self, model: BaseChatModel, request: Request, accepts: Accepts, ask: Ask
    ) -> Sampled:
        """What is kept as the request's sample; where nothing is, what `ask` brings, to be kept.

        The cache keeps what it `accepts`, the record all.
        """
        digest = digest_of(model, request)
        key = f"{request.key}-{request.sample}-{digest}"
        if self.record and self.reuse:
            found = await attempt("recorded exchanges cannot be read: {}", self._recorded.get, key)
            if kept := Kept.read(found):
                return kept.message(RECORDED), Sampling(**kept.sampling)
        if not (self.cache and digest):
            message, taken = await ask()
        else:
            message, taken = await self._cached(key, model, request, accepts, ask)
        if self.record:
            name = message.response_metadata.get(MODEL) or name_of(model)
            await self._record(key, request, Kept.of(message, taken, request, name))
        return message, taken

    async def _cached(
        self, key: str, model: BaseChatModel, request: Request, accepts: Accepts, ask: Ask
    ) -> Sampled:
        """The answer that is kept under a key, or what `ask` brings.

        While one call asks, the same calls of this process wait for its answer; if it gets none,
        or its event loop stands still, each asks for itself.
        """
        place = (self.cache, key, os.getpid())
        flight, leads = _join(place)
        kept = None if leads else await flight.landed()
        try:
            if kept := await _try(self._find, key, accepts) or kept:
                taken = Sampling(**kept.sampling)
                request.note_left_out(taken)
                return kept.message(CACHED), taken
            message, taken = await ask()
            if accepts(message):
                kept = Kept.of(message, taken, request, name_of(model))
                await _try(self._answers.put, key, kept.entry())
            return message, taken
        finally:
            if leads:
                with _LOCK:
                    if _UNDER_WAY.get(place) is flight:
                        del _UNDER_WAY[place]
                flight.end.set_result(kept)

    def _find(self, key: str, accepts: Accepts) -> Kept | None:
        """What is kept and, whoever wrote it, is an answer."""
        entry = self._answers.get(key, time.time() - self.hours * 3600 if self.hours else 0.0)
        kept = Kept.read(entry)
        if not (kept and accepts(kept.message(CACHED))):
            return None
        self._answers.count_hit(key)
        return kept

    async def _record(self, key: str, request: Request, kept: Kept) -> None:
        """Keep a reply; a failure is noted, for the reply is paid for."""
        try:
            await to_thread(self._recorded.put, key, kept.entry(request.text))
        except (StoreError, SettingError) as error:
            note_undone(f"exchanges with models were not recorded in {self.record!r}: {error}")

    @property
    def _answers(self) -> SqliteStore:
        return open_store(self.cache, "calls")

    @property
    def _recorded(self) -> SqliteStore:
        return open_store(self.record, "calls", inf)


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

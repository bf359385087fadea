"""Replies of models, kept for whoever asks the same again, in this process or another."""

import hashlib
import json
import os
import time
from asyncio import AbstractEventLoop, get_running_loop, wait, wrap_future
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.core.errors import SettingError
from errata.core.once import free_in_forks
from errata.tools.models.fake import FakeChat
from errata.tools.models.kept import CACHED, Kept, Sampled, entry_of, keep, message_of, read_kept
from errata.tools.models.request import Request
from errata.tools.models.sampling import Sampling
from errata.tools.models.spec import name_of
from errata.tools.net.stores import MEGABYTES, REDIS, Store, attempt, open_store

_try = partial(attempt, "the call cache cannot be used: {}; replies are not kept")
Place = tuple[str, str, int]
"""A cache, a key in it and the process: a fork waits for no call of its parent's."""
LOOK_SECONDS = 1.0
"""How often a call that waits for another looks whether that one's event loop still runs."""
LOOKS = 5
"""After how many looks without an answer the loop counts as blocked, perhaps by the waiting call's
own caller: plain code that was called inside it."""


@dataclass(frozen=True, eq=False)
class _Flight:
    """A call that is under way, and the event loop that makes it."""

    loop: AbstractEventLoop
    end: "Future[Kept | None]"

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


_UNDER_WAY: dict[Place, _Flight] = {}
_LOCK = free_in_forks()


@dataclass(frozen=True)
class CallCache:
    """Replies kept in a SQLite file or in Redis; open it with `CallCache.open`."""

    spec: str
    store: Store
    hours: float = 0.0
    """Age at which a reply is out of date; 0: never."""

    @classmethod
    def open(cls, spec: str, hours: float = 0.0, megabytes: int = MEGABYTES) -> "CallCache":
        """The cache in a file, or at `redis://…`; nothing is read or written yet.

        Raises SettingError if it is neither, or the package for it is missing.
        """
        if "://" in spec and not spec.startswith(REDIS):
            raise SettingError(f"call_cache takes a file, redis://… or rediss://…; got {spec!r}")
        return cls(spec, open_store(spec, "calls", megabytes), hours)

    @asynccontextmanager
    async def hold(
        self, model: BaseChatModel, request: Request, accepts: Callable[[AIMessage], bool]
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
            kept = await self._find(key, accepts) or kept
            sampled = Sampled()
            if kept:
                sampled = Sampled(message_of(kept, CACHED), Sampling(**kept["sampling"]))
                request.note_left_out(sampled.taken)
            yield sampled
            message = sampled.message
            if not kept and message and accepts(message):
                kept = keep(message, sampled.taken, request, name_of(model))
                await _try(self.store.put, key, entry_of(kept))
        finally:
            if leads:
                _leave(place, flight, kept)

    async def _find(self, key: str, accepts: Callable[[AIMessage], bool]) -> Kept | None:
        """What is kept and, whoever wrote it, is an answer."""
        since = time.time() - self.hours * 3600 if self.hours else 0.0
        kept: Kept | None = await _try(self._get, key, since)
        return kept if kept and accepts(message_of(kept, CACHED)) else None

    def _get(self, key: str, since: float) -> Kept | None:
        entry = self.store.get(key, since)
        kept = read_kept(entry)
        if entry and kept:
            self.store.count_hit(key, entry)
        return kept


def check_call_cache(spec: str) -> None:
    """Refuse what is neither a file nor Redis.

    Raises SettingError.
    """
    if spec:
        CallCache.open(spec)


def key_of(model: BaseChatModel, request: Request) -> str:
    """What a reply is kept under: a digest of all that it depends on; empty if that is not known.

    These are the model and its address, its own parameters, the template, the filled prompt, the
    sampling and the number of the sample.
    """
    asked = [request.prompt, request.digest, request.text, request.sampling.given, request.sample]
    who = _identity(model)
    try:
        whole = json.dumps([who, asked], sort_keys=True)
    except (TypeError, ValueError):
        return ""
    return hashlib.sha256(whole.encode()).hexdigest() if who else ""


def _identity(model: BaseChatModel) -> dict[str, Any]:
    """What tells a model from others; empty if nothing does, or it costs nothing anyway."""
    parameters = dict(model._identifying_params)  # noqa: SLF001  LangChain's name for caches
    if isinstance(model, FakeChat) or not (_public_name(model) or parameters):
        return {}
    places = [name for name in type(model).model_fields if name.endswith(("_base", "url"))]
    address = {name: str(getattr(model, name)) for name in places}
    address["client"] = str(getattr(getattr(model, "root_async_client", None), "base_url", ""))
    kind = f"{type(model).__module__}.{type(model).__qualname__}"
    return {"class": kind, "name": _public_name(model), "own": parameters, "address": address}


def _public_name(model: BaseChatModel) -> str:
    """A model's name with its provider, as LangSmith gets it; empty if it has none.

    Not what the user calls it: the same model under another name gives the same replies.
    """
    known = model._get_ls_params()  # noqa: SLF001  LangChain has no other way to ask
    name = known.get("ls_model_name") or ""
    return f"{known.get('ls_provider', '')}:{name}" if name else ""


def _join(place: Place) -> tuple[_Flight, bool]:
    """The call under way at a place, and whether it is the caller's own to make."""
    with _LOCK:
        flight = _UNDER_WAY.get(place)
        if flight and flight.loop.is_running():
            return flight, False
        flight = _UNDER_WAY[place] = _Flight(get_running_loop(), Future())
        flight.end.set_running_or_notify_cancel()  # who gives up waiting ends no other's wait
        return flight, True


def _leave(place: Place, flight: _Flight, kept: Kept | None) -> None:
    with _LOCK:
        if _UNDER_WAY.get(place) is flight:
            del _UNDER_WAY[place]
    flight.end.set_result(kept)

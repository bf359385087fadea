"""Runs under names: begun, gone on with, or handed out again."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.base import BaseCheckpointSaver

from errata.core.errors import InputError
from errata.core.once import free_in_forks
from errata.durable.identity import Identity
from errata.durable.locks import locked
from errata.durable.saving import MARK, telling
from errata.durable.stores import Saver, check_run, check_store, open_store

_AT_WORK: set[tuple[int, str, str]] = set()
"""The runs under way, each by its process, store and name: what a fork copies is not its own."""
_LOCK = free_in_forks()


@dataclass(frozen=True)
class Place:
    """Where a run stands: the graph that goes on with it, or what it gave out at its end."""

    graph: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    """How the graph is to be invoked."""
    begun: bool = False
    """Whether some of it is done; it takes no input again."""
    output: Mapping[str, Any] | None = None


class Runs:
    """The named runs of one store, for calls from any event loop.

    Each loop has a connection of its own: one that `aopen` opened, or one for each call.
    """

    def __init__(self, where: object) -> None:
        """Name the store, `FILE` or `postgresql://…`, or an open saver of LangGraph's.

        Raises SettingError if it is none of these, or its package is missing.
        """
        self._saver = where if isinstance(where, BaseCheckpointSaver) else None
        self._where = "" if self._saver else check_store(where)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stack = AsyncExitStack()
        self._opened: Saver | None = None

    async def aopen(self) -> None:
        """Open the store for the running event loop's calls; raises SettingError if it fails."""
        self._opened = await self._stack.enter_async_context(self._for_call())
        self._loop = asyncio.get_running_loop()

    async def aclose(self) -> None:
        """Close what `aopen` opened."""
        self._opened = self._loop = None
        await self._stack.aclose()

    @asynccontextmanager
    async def _for_call(self) -> AsyncIterator[Saver]:
        if self._saver:
            yield self._saver
        elif self._opened and self._loop is asyncio.get_running_loop():
            yield self._opened
        else:
            async with open_store(self._where) as saver:
                yield saver

    @asynccontextmanager
    async def place(self, run: str, graph: Any, identity: Identity) -> AsyncIterator[Place]:
        """Where the run of a name stands, while the store is open.

        Raises InputError if the name is that of another run, of one that is under way here or in
        another process, or of one that cannot be read.
        """
        check_run(run)
        with self._alone(run):
            async with self._for_call() as saver, self._locked(run, saver):
                yield await self._find(run, graph, identity, saver)

    def _locked(self, run: str, saver: Saver) -> AbstractAsyncContextManager[None]:
        """The run, kept from other processes; a saver of the caller's is the caller's to guard."""
        return locked(self._where, run, saver) if self._where else nullcontext()

    async def _find(self, run: str, graph: Any, identity: Identity, saver: Saver) -> Place:
        options = {
            "config": {"configurable": {"thread_id": run}, "metadata": {MARK: identity.mark}},
            "durability": "sync",
        }
        with _on_its_own(), telling(f"the run {run!r} cannot be read"):
            kept = graph.copy({"checkpointer": saver})
            state = await kept.aget_state(options["config"])
            begun = state.metadata is not None
            if begun:
                identity.check(run, state.metadata.get(MARK))
            # A step whose nodes have all written is no longer `next`, but not yet done with.
            ended = begun and not state.tasks
            return Place(kept, options, begun, state.values if ended else None)

    @contextmanager
    def _alone(self, run: str) -> Iterator[None]:
        """Work on a run as the only call of the process; raises InputError if another one does."""
        place = (os.getpid(), self._where or str(id(self._saver)), run)
        with _LOCK:
            if place in _AT_WORK:
                raise InputError(
                    f"the run {run!r} is under way in this process; wait for its end, or give this "
                    "call a name of its own"
                )
            _AT_WORK.add(place)
        try:
            yield
        finally:
            _AT_WORK.discard(place)


@contextmanager
def _on_its_own() -> Iterator[None]:
    """Inside a graph of the caller's, its checkpointer and configuration are not the run's."""
    token = var_child_runnable_config.set(None)
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)

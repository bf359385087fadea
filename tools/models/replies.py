"""Where a run takes replies from before it asks a model, and where it keeps those it got."""

from asyncio import to_thread
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.tools.models.call_cache import CallCache
from errata.tools.models.folder_calls import FolderCalls
from errata.tools.models.kept import MODEL, RECORDED, Sampled, keep, message_of
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of


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
        self, model: BaseChatModel, request: Request, accepts: Callable[[AIMessage], bool]
    ) -> AsyncIterator[Sampled]:
        """What is kept as the request's sample; where nothing is, the block brings it to be kept.

        The cache keeps what it `accepts`, the folder all.
        """
        recorded = FolderCalls(self.folder)
        reusing = self.folder and self.reuse
        if reusing and (found := await to_thread(recorded.get, request)):
            yield Sampled(message_of(found, RECORDED))
            return
        held = self.cache.hold(model, request, accepts) if self.cache else nullcontext(Sampled())
        async with held as sampled:
            yield sampled
        if self.folder and sampled.message:
            name = sampled.message.response_metadata.setdefault(MODEL, name_of(model))
            kept = keep(sampled.message, sampled.taken, request, name)
            await to_thread(recorded.put, request, kept)


NOTHING_KEPT = Replies()
"""No folder and no cache."""

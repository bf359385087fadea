"""Where a run takes replies from before it asks a model, and where it keeps those it got."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable
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

    async def answer(
        self,
        model: BaseChatModel,
        request: Request,
        ask: Callable[[], Awaitable[Sampled]],
        accepts: Callable[[AIMessage], bool],
    ) -> AIMessage:
        """The reply that is kept as the request's sample, else the model's own, which is kept."""
        if self.folder and self.reuse:
            kept = await to_thread(FolderCalls(self.folder).get, request)
            if kept:
                return message_of(kept, RECORDED)
        if self.cache:
            message, taken = await self.cache.answer(model, request, ask, accepts)
        else:
            message, taken = await ask()
        if self.folder:
            name = message.response_metadata.setdefault(MODEL, name_of(model))
            kept = keep((message, taken), request, name)
            await to_thread(FolderCalls(self.folder).put, request, kept)
        return message


NOTHING_KEPT = Replies()
"""No folder and no cache."""

"""A model that shows whether its calls run at once."""

import asyncio

from errata.tools.models.scripted import ScriptedChat


def waiting_chat(script, calls):
    """A scripted model whose replies wait for this many calls: made in turn, they would hang."""
    barrier = asyncio.Barrier(calls)

    class WaitingChat(ScriptedChat):
        async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
            await asyncio.wait_for(barrier.wait(), 5)
            return self._generate(messages, stop, run_manager, **kwargs)

    return WaitingChat(script=script)

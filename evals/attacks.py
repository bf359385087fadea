"""What a hostile caller sends: what costs most within a server's limits, and what is over them."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import httpx2

MOST = 1_000
"""How often each attack is repeated at most."""
AT_ONCE = 4
"""How many requests of each attack are under way at once."""
PAUSE = 0.05
"""Seconds between two requests of an attack."""
POLLS = 30
"""How many streams are held open."""
PROSE = "Ada wrote {} books in {} and moved to Rome. "


@dataclass(frozen=True)
class Attack:
    """One request that is sent again and again; `{thread}` in its path is the caller's thread."""

    path: str
    body: bytes

    async def repeat(self, http: httpx2.AsyncClient, thread: str, answers: Counter[str]) -> None:
        """Send it over and over, and count the answers by status."""
        path = self.path.format(thread=thread)
        await asyncio.gather(*(self._repeat(http, path, answers) for _ in range(AT_ONCE)))

    async def _repeat(self, http: httpx2.AsyncClient, path: str, answers: Counter[str]) -> None:
        for _ in range(MOST // AT_ONCE):
            try:
                answers[str((await http.post(path, content=self.body)).status_code)] += 1
            except httpx2.TransportError as error:
                answers[type(error).__name__] += 1
            await asyncio.sleep(PAUSE)


async def hold_polls(http: httpx2.AsyncClient, thread: str) -> None:
    """Hold streams of a thread open until cancelled."""

    async def hold() -> None:
        async with http.stream("GET", f"/threads/{thread}/stream") as reply:
            async for _ in reply.aiter_bytes():
                pass

    await asyncio.gather(*(hold() for _ in range(POLLS)), return_exceptions=True)


def prose(size: int) -> str:
    """Sentences that all differ, `size` characters in all."""
    return "".join(PROSE.format(n, 1000 + n) for n in range(size // 40))[:size]


def _run(graph: str, context: dict[str, Any] | None = None, **given: Any) -> Attack:
    body = {"assistant_id": graph, "input": given, "context": context or {}}
    return Attack("/runs/wait", json.dumps(body).encode())


def _web(question: str) -> Attack:
    return _run("crag", {"search": "searxng"}, question=question)


def _mcp(draft: str) -> Attack:
    arguments = {"draft": draft, "documents": [draft]}
    call = {"name": "correct", "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return Attack("/mcp", json.dumps(body).encode())


def _state_edit(draft: str) -> Attack:
    return Attack("/threads/{thread}/state", json.dumps({"values": {"draft": draft}}).encode())


ATTACKS = {
    "a body of 2 MB": _run("rac", draft=prose(99_000), documents=[{"text": prose(1_800_000)}]),
    "a body of 3 MB": _run("rac", draft="x", documents=[{"text": "x" * 3_000_000}]),
    "100,000 documents": _run("rac", draft=prose(900), documents=[{"text": "x"}] * 100_000),
    "numbers": _run("rac", draft="9," * 49_000, documents=[{"text": "9," * 800_000}]),
    "RE-EX of a long draft": _run("reex", draft=prose(99_000), documents=[{"text": "x"}]),
    "five pages of 4.9 MB": _web("What does the page say?"),
    "five PDF bombs": _web("What does the bomb say?"),
    "a long text over MCP": _mcp(prose(90_000)),
    "edits of a state": _state_edit(prose(90_000)),
    "edits over the limit": _state_edit(prose(150_000)),
}
"""By what they are called in the report."""

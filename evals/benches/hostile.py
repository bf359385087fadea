"""Many runs at once on a server with keys, alone and beside a caller who means harm.

Prints how many of the others' runs succeed and how long they take. The hostile caller sends what
costs most within the limits of the server, and what is over them, until the others are done.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, NamedTuple

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.evals.benches import bench_parser, print_table
from errata.evals.benches.serving import DevelopmentServer, run_server, serve
from errata.evals.heavy_pages import large_page, pdf_bomb
from errata.server.keys import create_key

CALLERS = 20
"""Among how many callers the others' runs are divided."""
MOST_SECONDS = 300
RUN = {
    "assistant_id": "rac",
    "input": {
        "question": "Who was Marie Curie?",
        "draft": "Marie Curie was born in 1865. She was a Polish physicist. She died in 1934.",
        "documents": [{"text": "Marie Curie (7 November 1867 – 4 July 1934) was Polish."}],
    },
}

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


class Load(NamedTuple):
    """What many runs at once came to."""

    seconds: list[float]
    """Of each that succeeded."""
    megabytes: float
    """The most memory that the server held meanwhile."""
    stall: float
    """The longest that the server took to say that it is up, in seconds."""

    def row(self) -> list[str]:
        """The figures as a table shows them."""
        late = quantiles(self.seconds, n=20)[-1]
        shown = (median(self.seconds), late, self.stall)
        return [str(len(self.seconds)), *(f"{n:.1f}" for n in shown), f"{self.megabytes:.0f}"]


@contextmanager
def serve_web() -> Iterator[str]:
    """A search engine on loopback whose hits are five pages of 4.9 MB, or five PDF bombs."""
    files = {
        "page": Response(large_page(4_900_000), media_type="text/html"),
        "bomb": Response(pdf_bomb(), media_type="application/pdf"),
    }

    async def search(request: Request) -> Response:
        kind = "bomb" if "bomb" in request.query_params["q"] else "page"
        rows = [{"url": f"{request.base_url}{kind}/{n}", "title": kind} for n in range(5)]
        return JSONResponse({"results": rows})

    async def send(request: Request) -> Response:
        return files[request.path_params["kind"]]

    routes = [Route("/search", search), Route("/{kind}/{n}", send)]
    with serve(Starlette(routes=routes)) as url:
        yield url


async def run_at_once(server: DevelopmentServer, keys: list[str], count: int) -> Load:
    """Start `count` runs at once, divided among the callers."""
    limits = httpx2.Limits(max_connections=count + 1)
    seconds, most, stall = list[float](), 0.0, 0.0

    async def run(http: httpx2.AsyncClient, key: str) -> None:
        began = time.perf_counter()
        reply = await http.post("/runs/wait", json=RUN, headers={"x-api-key": key})
        if reply.is_success and reply.json().get("changed"):
            seconds.append(time.perf_counter() - began)

    async def watch() -> None:
        nonlocal most, stall
        while True:
            most, began = max(most, server.megabytes()), time.perf_counter()
            await http.get("/ok")
            stall = max(stall, time.perf_counter() - began)
            await asyncio.sleep(0.1)

    async with httpx2.AsyncClient(base_url=server.url, timeout=MOST_SECONDS, limits=limits) as http:
        watching = asyncio.create_task(watch())
        runs = (run(http, keys[n % len(keys)]) for n in range(count))
        await asyncio.gather(*runs, return_exceptions=True)
        watching.cancel()
    return Load(seconds, most, stall)


async def attack(
    url: str, key: str, attacks: Mapping[str, Attack], use: Callable[[], Coroutine[Any, Any, Load]]
) -> tuple[Load, dict[str, Counter[str]]]:
    """What the others' runs come to while all attacks are under way; how those were answered."""
    answers = {name: Counter[str]() for name in attacks}
    headers = {"x-api-key": key, "content-type": "application/json"}
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=MOST_SECONDS) as http:
        thread = (await http.post("/threads", json={})).json()["thread_id"]
        await http.post(f"/threads/{thread}/runs/wait", json=RUN)
        tasks = [
            asyncio.create_task(each.repeat(http, thread, answers[name]))
            for name, each in attacks.items()
        ]
        tasks.append(asyncio.create_task(hold_polls(http, thread)))
        await asyncio.sleep(2)
        load = await use()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return load, answers


async def measure(count: int) -> tuple[dict[str, Load], dict[str, Counter[str]]]:
    """The others' runs alone, beside the hostile caller, and alone once more."""
    keys, lines = zip(*(create_key(f"caller{n}") for n in range(CALLERS + 1)), strict=True)
    with (
        serve_web() as web,
        run_server(
            jobs=64,
            ERRATA_AUTH="on",
            ERRATA_API_KEYS=",".join(lines),
            ERRATA_ALLOW_SEARCH="searxng",
            ERRATA_ALLOW_PRIVATE_URLS="1",
            SEARXNG_URL=web,
        ) as server,
    ):

        async def use() -> Load:
            return await run_at_once(server, list(keys[1:]), count)

        await use()
        alone = await use()
        beside, answers = await attack(server.url, keys[0], ATTACKS, use)
        await asyncio.sleep(5)
        loads = {"alone": alone, "beside it": beside, "after it": await use()}
    return loads, answers


def main(*arguments: str) -> None:
    """Print what the runs came to, and how the hostile requests were answered."""
    parser = bench_parser(__doc__)
    parser.add_argument("--runs", type=int, default=200, help="runs at once")
    count = parser.parse_args(arguments).runs
    loads, answers = asyncio.run(measure(count))
    head = ("runs", "succeeded", "median s", "p95 s", "stall s", "MB")
    rows = ([name, *load.row()] for name, load in loads.items())
    print_table(f"{count} at once, {CALLERS} callers", head, rows)
    sent = (
        [name, ", ".join(f"{n} x {status}" for status, n in counts.most_common())]
        for name, counts in answers.items()
    )
    print_table("Hostile requests", ("sent by the hostile caller", "answers"), sent)

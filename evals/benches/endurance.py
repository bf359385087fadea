"""What a server keeps after many runs, and what it does with runs under way when it has to end.

The many runs take about half an hour. The development server stores runs in memory by itself; a
graph that does nothing shows how much.
Memory is read from /proc, so on Linux only.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from langgraph_sdk import get_client
from rich.console import Console
from rich.table import Table
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata import Session
from errata.evals.benches import bench_parser
from errata.evals.benches.development_server import (
    DevelopmentServer,
    end,
    run_server,
    serve,
    start_in,
)
from errata.evals.benches.hostile import prose
from errata.evals.benches.machine import megabytes
from errata.evals.benches.serving import MCP, REQUEST

AT_ONCE = 16
EARLY = 5
"""Memory is read after one part in so many of the runs, and after all."""
LONG_RUNS = 8
SECONDS_UNDER_WAY = 4
SECONDS_TO_FINISH = 240
LONG = {"draft": prose(60_000), "documents": [{"text": prose(200_000)}]}
Call = Callable[[], Awaitable[Any]]


async def grow(call: Call, count: int, megabytes: Callable[[], float]) -> tuple[float, float]:
    """Make `count` calls, some at once; the memory after a part of them, and after all."""
    left = iter(range(count))
    early = 0.0

    async def work() -> None:
        nonlocal early
        for number in left:
            await call()
            if number == count // EARLY:
                early = megabytes()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return early, megabytes()


async def measure_growth(count: int) -> dict[str, tuple[float, float]]:
    """The memory of a server and of this process by what was called."""
    grown = {}
    accept = {"accept": "application/json, text/event-stream"}
    for name, body in {"rac": REQUEST, "nothing": {"draft": "x"}}.items():
        with run_server(ERRATA_AUTH="off") as server:
            async with get_client(url=server.url) as sdk:
                run = {"assistant_id": name, "input": body}
                post = _poster(sdk.http.client, "/runs/wait", run)
                grown[f"server, {name}"] = await grow(post, count, server.megabytes)
    with run_server(ERRATA_AUTH="off") as server:
        async with httpx2.AsyncClient(base_url=server.url, headers=accept, timeout=60) as http:
            post = _poster(http, "/mcp", MCP)
            grown["server, MCP correct"] = await grow(post, count, server.megabytes)
    async with Session("rac") as session:
        documents = REQUEST["documents"]
        grown["Session.acorrect"] = await grow(
            lambda: session.acorrect(REQUEST["question"], REQUEST["draft"], documents),
            count,
            megabytes,
        )
    return grown


def _poster(http: Any, path: str, body: Any) -> Call:
    async def post() -> None:
        (await http.post(path, json=body)).raise_for_status()

    return post


class SlowModel:
    """A stand-in for a model whose replies take as long as `delay` says, in seconds."""

    def __init__(self) -> None:
        """Begin slowly."""
        self.delay = 60.0

    async def reply(self, _: Request) -> Response:
        """One line, after the delay."""
        await asyncio.sleep(self.delay)
        choice = {"message": {"role": "assistant", "content": "1: True"}, "finish_reason": "stop"}
        about = {"id": "1", "object": "chat.completion", "created": 1, "model": "slow"}
        return JSONResponse({**about, "choices": [{"index": 0, **choice}]})


async def measure_end(*, with_model: bool) -> tuple[float, Counter[str], Counter[str]]:
    """Seconds that a server takes to end with long runs under way; its runs before and after.

    After it was started again, the runs get a few minutes to finish.
    """
    model = SlowModel()
    route = Route("/v1/chat/completions", model.reply, methods=["POST"])
    with serve(Starlette(routes=[route])) as url, TemporaryDirectory() as name:
        variables = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none", "ERRATA_AUTH": "off"}
        context = {"roles": {"verify": "openai:slow"}} if with_model else {}
        with start_in(Path(name), 2 * LONG_RUNS, **variables) as server:
            threads = await _start_runs(server, REQUEST if with_model else LONG, context)
            await asyncio.sleep(SECONDS_UNDER_WAY)
            before = await _statuses(server, threads)
            seconds = end(server.process)
        model.delay = 0.0
        with start_in(Path(name), 2 * LONG_RUNS, **variables) as server:
            stop = time.monotonic() + SECONDS_TO_FINISH
            after = await _statuses(server, threads)
            while {"pending", "running"} & set(after) and time.monotonic() < stop:
                await asyncio.sleep(1)
                after = await _statuses(server, threads)
    return seconds, before, after


async def _start_runs(
    server: DevelopmentServer, request: dict[str, Any], context: dict[str, Any]
) -> list[str]:
    threads = []
    async with get_client(url=server.url) as sdk:
        for _ in range(LONG_RUNS):
            threads.append((await sdk.threads.create())["thread_id"])
            await sdk.runs.create(threads[-1], "rac", input=request, context=context)
    return threads


async def _statuses(server: DevelopmentServer, threads: list[str]) -> Counter[str]:
    """The statuses of the threads' runs; `lost` where there is none."""
    statuses = Counter[str]()
    async with get_client(url=server.url, timeout=60) as sdk:
        for thread in threads:
            runs = await sdk.runs.list(thread)
            statuses[runs[0]["status"] if runs else "lost"] += 1
    return statuses


def main(*arguments: str) -> None:
    """Print how long a server takes to end and what becomes of its runs, then its growth."""
    parser = bench_parser(__doc__)
    parser.add_argument("--runs", type=int, default=5000, help="runs")
    count = parser.parse_args(arguments).runs
    console = Console()
    table = Table("8 runs under way", "ends after s", "before", "when started again", title="End")
    for name, with_model in {"local, long texts": False, "a slow model": True}.items():
        seconds, before, after = asyncio.run(measure_end(with_model=with_model))
        table.add_row(name, f"{seconds:.1f}", _as_text(before), _as_text(after))
    console.print(table)
    first = count // EARLY
    table = Table("runs of", f"MB after {first}", f"MB after {count}", title="Memory")
    for name, (early, late) in asyncio.run(measure_growth(count)).items():
        table.add_row(name, f"{early:.0f}", f"{late:.0f}")
    console.print(table)


def _as_text(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {status}" for status, n in counts.most_common())

"""Many runs at once on a server with keys, alone and beside a caller who means harm.

python -m errata.evals.hostile [RUNS AT ONCE]

Prints how many of the others' runs succeed and how long they take. The hostile caller sends what
costs most within the limits of the server, and what is over them, until the others are done.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any, NamedTuple

import httpx2
from rich.console import Console
from rich.table import Table
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.evals.attacks import ATTACKS, Attack, hold_polls
from errata.evals.development_server import DevelopmentServer, run_server, serve
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


class Load(NamedTuple):
    """What many runs at once came to."""

    succeeded: int
    seconds: list[float]
    megabytes: float
    """The most memory that the server held meanwhile."""
    stall: float
    """The longest that the server took to say that it is up, in seconds."""


@contextmanager
def serve_web() -> Iterator[str]:
    """A search engine on loopback whose hits are five pages of 4.9 MB, or five PDF bombs."""
    page, bomb = large_page(4_900_000), pdf_bomb()

    async def search(request: Request) -> Response:
        kind = "bomb" if "bomb" in request.query_params["q"] else "page"
        rows = [{"url": f"{request.base_url}{kind}/{n}", "title": kind} for n in range(5)]
        return JSONResponse({"results": rows})

    async def send_page(_: Request) -> Response:
        return Response(page, media_type="text/html")

    async def send_bomb(_: Request) -> Response:
        return Response(bomb, media_type="application/pdf")

    routes = [
        Route("/search", search),
        Route("/page/{n}", send_page),
        Route("/bomb/{n}", send_bomb),
    ]
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
    return Load(len(seconds), seconds, most, stall)


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


def main(count: str = "200") -> None:
    """Print what the runs came to, and how the hostile requests were answered."""
    loads, answers = asyncio.run(measure(int(count)))
    console = Console()
    table = Table(
        "runs",
        "succeeded",
        "median s",
        "p95 s",
        "stall s",
        "MB",
        title=f"{count} at once, {CALLERS} callers",
    )
    for name, load in loads.items():
        late = quantiles(load.seconds, n=20)[-1]
        row = (f"{median(load.seconds):.1f}", f"{late:.1f}", f"{load.stall:.1f}")
        table.add_row(name, str(load.succeeded), *row, f"{load.megabytes:.0f}")
    console.print(table)
    table = Table("sent by the hostile caller", "answers", title="Hostile requests")
    for name, counts in answers.items():
        table.add_row(name, ", ".join(f"{n} x {status}" for status, n in counts.most_common()))
    console.print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])

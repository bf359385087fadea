"""Measure what serving costs: a run in process, on the server, over MCP; and many runs at once.

OPENAI_BASE_URL=http://127.0.0.1:8181/v1 python -m errata.evals.serving [RUNS AT ONCE]

The many runs ask the model at OPENAI_BASE_URL; without one, only the overhead is measured. A graph
that does nothing is served beside ours, so that the server's own share can be told from ours.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from langgraph_sdk import get_client
from rich.console import Console
from rich.table import Table

from errata.graphs.rac import graph
from errata.nodes.rac.state import RacContext, Request
from errata.server.keys import create_key
from errata.tools.models.chat import close

REQUEST: dict[str, Any] = {
    "question": "Who was Marie Curie?",
    "draft": "Marie Curie was born in 1865. She was a Polish physicist. She died in 1934.",
    "documents": [{"text": "Marie Curie (7 November 1867 – 4 July 1934) was a Polish physicist."}],
}
CALL = {"name": "correct", "arguments": {"draft": REQUEST["draft"], "documents": ["x"]}}
MCP = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}
NOTHING = """
from typing import TypedDict
from langgraph.graph import START, StateGraph

class State(TypedDict):
    draft: str

async def nothing(state: State) -> State:
    return state

graph = StateGraph(State).add_node(nothing).add_edge(START, "nothing").compile()
"""
REPEATS = 30
KEY, LINE = create_key("bench")
Call = Callable[[], Awaitable[Any]]


@contextmanager
def started(jobs: int, **variables: str) -> Iterator[str]:
    """Start the development server on a free port, with a graph that does nothing beside ours."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with TemporaryDirectory() as name:
        folder = Path(name)
        served = json.loads(Path("langgraph.json").read_text(encoding="utf-8"))
        served["graphs"]["nothing"] = "./nothing.py:graph"
        (folder / "langgraph.json").write_text(json.dumps(served), encoding="utf-8")
        (folder / "nothing.py").write_text(NOTHING, encoding="utf-8")
        cli = str(Path(sys.executable).with_name("langgraph"))
        command = [cli, "dev", "--no-browser", "--no-reload", "--port", port]
        command += ["--n-jobs-per-worker", str(jobs)]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(  # noqa: S603  our own command
                command, cwd=folder, stdout=log, stderr=log, env=os.environ | variables
            )
        try:
            yield ready(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()
            server.wait()


def ready(url: str) -> str:
    """Wait until a server answers."""
    for _ in range(300):
        try:
            httpx2.get(f"{url}/ok").raise_for_status()
        except httpx2.TransportError:
            time.sleep(0.2)
        else:
            return url
    raise TimeoutError(f"no server came up at {url}")


async def timed(call: Call) -> float:
    """Give a call's milliseconds."""
    began = time.perf_counter()
    await call()
    return 1000 * (time.perf_counter() - began)


async def overhead(url: str, **headers: str) -> dict[str, float]:
    """Give the median milliseconds of a run, one after the other, by where it runs."""
    sdk = get_client(url=url, api_key=headers.get("x-api-key"))
    accept = {"accept": "application/json, text/event-stream", **headers}
    async with httpx2.AsyncClient(headers=accept) as http:
        calls: dict[str, Call] = {
            "graph.ainvoke": lambda: graph.ainvoke(Request(**REQUEST)),
            "server, a graph that does nothing": lambda: sdk.runs.wait(
                None, "nothing", input={"draft": "x"}
            ),
            "server, RAC": lambda: sdk.runs.wait(None, "rac", input=REQUEST),
            "server, MCP correct": lambda: http.post(f"{url}/mcp", json=MCP),
        }
        found = {}
        for name, call in calls.items():
            await call()
            found[name] = median([await timed(call) for _ in range(REPEATS)])
    await sdk.aclose()
    return found


async def together(call: Call, count: int) -> tuple[int, float, float, float]:
    """Make calls all at once: how many came back, runs a second, median and p95 in seconds."""
    began = time.perf_counter()
    ends = await asyncio.gather(*(timed(call) for _ in range(count)), return_exceptions=True)
    took = time.perf_counter() - began
    fine = [end / 1000 for end in ends if isinstance(end, float)]
    return len(fine), len(fine) / took, median(fine), quantiles(fine, n=20)[-1]


async def load(url: str, count: int) -> dict[str, tuple[int, float, float, float]]:
    """Measure many runs at once, each asking a model at every step."""
    context: dict[str, Any] = {"model": "openai:sim", "guard": False, "at_once": 1000}
    sdk = get_client(url=url)

    async def served() -> None:
        out: Any = await sdk.runs.wait(None, "rac", input=REQUEST, context=context)
        if not out["claims"]:
            raise RuntimeError(out["notes"])

    async def here() -> None:
        await graph.ainvoke(Request(**REQUEST), context=RacContext(**context))

    async def nothing() -> None:
        await sdk.runs.wait(None, "nothing", input={"draft": "x"})

    await asyncio.gather(here(), served())
    found = {
        "graph.ainvoke, two": await together(here, 2),
        f"graph.ainvoke, {count} at once": await together(here, count),
        f"server, {count} at once": await together(served, count),
        f"server, {count} of a graph that does nothing": await together(nothing, count),
    }
    await close()
    await sdk.aclose()
    return found


def main(count: str = "64") -> None:
    """Measure and print."""
    console = Console()
    with started(int(count)) as url:
        free = asyncio.run(overhead(url))
        loaded = asyncio.run(load(url, int(count))) if "OPENAI_BASE_URL" in os.environ else {}
    with started(int(count), ERRATA_AUTH="on", ERRATA_API_KEYS=LINE) as url:
        guarded = asyncio.run(overhead(url, **{"x-api-key": KEY}))
    table = Table("one after the other", "ms", "ms with a key", title="Overhead")
    for name, value in free.items():
        table.add_row(name, f"{value:.1f}", f"{guarded[name]:.1f}")
    console.print(table)
    table = Table("with a model", "came back", "runs/s", "median s", "p95 s", title="Load")
    for name, (fine, rate, middle, late) in loaded.items():
        table.add_row(name, str(fine), f"{rate:.1f}", f"{middle:.2f}", f"{late:.2f}")
    console.print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])

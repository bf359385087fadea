"""Overhead and load of serving: runs in process, on the server, over MCP; many runs at once.

The many runs call the model at OPENAI_BASE_URL; without it, only the overhead is measured. A graph
that does nothing shows how much of the time is the server's own.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2
import uvicorn
from langgraph_sdk import get_client
from starlette.applications import Starlette

from errata.evals.benches import bench_parser, print_table
from errata.evals.benches.machine import megabytes
from errata.graphs.rac import graph
from errata.nodes.rac.state import RacContext
from errata.nodes.state import CorrectionRequest as Request
from errata.server.keys import create_key
from errata.tools.models.pool import close_loop_models

REQUEST: dict[str, Any] = {
    "question": "Who was Marie Curie?",
    "draft": "Marie Curie was born in 1865. She was a Polish physicist. She died in 1934.",
    "documents": [{"text": "Marie Curie (7 November 1867 – 4 July 1934) was a Polish physicist."}],
}
CALL = {"name": "correct", "arguments": {"draft": REQUEST["draft"], "documents": ["x"]}}
MCP = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}
REPEATS = 30
KEY, LINE = create_key("bench")
Call = Callable[[], Awaitable[Any]]
EMPTY_GRAPH = """
from typing import TypedDict
from langgraph.graph import START, StateGraph

class State(TypedDict):
    draft: str

async def nothing(state: State) -> State:
    return state

graph = StateGraph(State).add_node(nothing).add_edge(START, "nothing").compile()
"""
JOBS = 16
"""How many runs it works on at once; as `make serve` starts it."""
_SECONDS_TO_END = 60


class DevelopmentServer(NamedTuple):
    """A server under way."""

    url: str
    process: subprocess.Popen[bytes]

    def megabytes(self) -> float:
        """The memory that the process holds, in megabytes; Linux only."""
        return megabytes(self.process.pid)


@contextmanager
def run_server(jobs: int = JOBS, **variables: str) -> Iterator[DevelopmentServer]:
    """Start the development server, with the empty graph added, on a free port."""
    with TemporaryDirectory() as name:
        yield from _start_in(Path(name), jobs, variables)


def _start_in(folder: Path, jobs: int, variables: Mapping[str, str]) -> Iterator[DevelopmentServer]:
    port = _write_project(folder)
    cli = str(Path(sys.executable).with_name("langgraph"))
    command = [cli, "dev", "--no-browser", "--no-reload", "--port", port]
    command += ["--n-jobs-per-worker", str(jobs)]
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(  # noqa: S603  our own command
            command, cwd=folder, stdout=log, stderr=log, env=os.environ | variables
        )
    try:
        yield DevelopmentServer(_wait_until_ready(f"http://127.0.0.1:{port}"), process)
    finally:
        _end(process)


def _write_project(folder: Path) -> str:
    """Write `langgraph.json` and the empty graph; a free port."""
    config = json.loads(Path("langgraph.json").read_text(encoding="utf-8"))
    config["graphs"]["nothing"] = "./nothing.py:graph"
    (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "nothing.py").write_text(EMPTY_GRAPH, encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Have a process end, by force after a minute."""
    process.terminate()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def serve(app: Starlette) -> Iterator[str]:
    """Serve an app on loopback, in a thread of this process; its URL."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    [listener] = server.servers[0].sockets
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(5)


def _wait_until_ready(url: str) -> str:
    """Wait until a server answers; its URL. Raises TimeoutError after a minute."""
    for _ in range(300):
        try:
            httpx2.get(f"{url}/ok").raise_for_status()
        except httpx2.TransportError:
            time.sleep(0.2)
        else:
            return url
    raise TimeoutError(f"no server came up at {url}")


async def time_call(call: Call) -> float:
    """How many milliseconds a call takes."""
    began = time.perf_counter()
    await call()
    return 1000 * (time.perf_counter() - began)


async def measure_overhead(url: str, **headers: str) -> dict[str, float]:
    """Median milliseconds of a run by where it runs, one run after the other."""
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
        medians = {}
        for name, call in calls.items():
            await call()
            medians[name] = median([await time_call(call) for _ in range(REPEATS)])
    await sdk.aclose()
    return medians


async def call_at_once(call: Call, count: int) -> tuple[int, float, float, float]:
    """Make `count` calls at once: how many succeed, calls/s, median and p95 in seconds."""
    began = time.perf_counter()
    ends = await asyncio.gather(*(time_call(call) for _ in range(count)), return_exceptions=True)
    elapsed = time.perf_counter() - began
    seconds = [end / 1000 for end in ends if isinstance(end, float)]
    return len(seconds), len(seconds) / elapsed, median(seconds), quantiles(seconds, n=20)[-1]


async def measure_load(url: str, count: int) -> dict[str, tuple[int, float, float, float]]:
    """Measure many runs at once, each of which calls a model at every step."""
    context: dict[str, Any] = {"model": "openai:sim", "guard": False, "at_once": 1000}
    sdk = get_client(url=url)

    async def run_on_server() -> None:
        out: Any = await sdk.runs.wait(None, "rac", input=REQUEST, context=context)
        if not out["claims"]:
            raise RuntimeError(out["notes"])

    async def run_here() -> None:
        await graph.ainvoke(Request(**REQUEST), context=RacContext(**context))

    async def run_nothing() -> None:
        await sdk.runs.wait(None, "nothing", input={"draft": "x"})

    await asyncio.gather(run_here(), run_on_server())
    loads = {
        "graph.ainvoke, two": await call_at_once(run_here, 2),
        f"graph.ainvoke, {count} at once": await call_at_once(run_here, count),
        f"server, {count} at once": await call_at_once(run_on_server, count),
        f"server, {count} of a graph that does nothing": await call_at_once(run_nothing, count),
    }
    await close_loop_models()
    await sdk.aclose()
    return loads


def main(*arguments: str) -> None:
    """Print the overhead without and with keys and, where a model is set, the load."""
    parser = bench_parser(__doc__)
    parser.add_argument("--runs", type=int, default=64, help="runs at once")
    count = parser.parse_args(arguments).runs
    with run_server(count, ERRATA_AUTH="off") as server:
        without_key = asyncio.run(measure_overhead(server.url))
        model = "OPENAI_BASE_URL" in os.environ
        loads = asyncio.run(measure_load(server.url, count)) if model else {}
    with run_server(count, ERRATA_AUTH="on", ERRATA_API_KEYS=LINE) as server:
        with_key = asyncio.run(measure_overhead(server.url, **{"x-api-key": KEY}))
    overhead = ([n, f"{ms:.1f}", f"{with_key[n]:.1f}"] for n, ms in without_key.items())
    print_table("Overhead", ("one after the other", "ms", "ms with a key"), overhead)
    load = (
        [name, str(succeeded), f"{rate:.1f}", f"{middle:.2f}", f"{late:.2f}"]
        for name, (succeeded, rate, middle, late) in loads.items()
    )
    print_table("Load", ("with a model", "came back", "runs/s", "median s", "p95 s"), load)

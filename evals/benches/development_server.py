"""Servers on loopback: the development server, started for a measurement in a folder of its own."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import httpx2
import uvicorn
from starlette.applications import Starlette

from errata.evals.benches.machine import megabytes

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
    with TemporaryDirectory() as name, start_in(Path(name), jobs, **variables) as server:
        yield server


@contextmanager
def start_in(folder: Path, jobs: int = JOBS, **variables: str) -> Iterator[DevelopmentServer]:
    """As `run_server`, in a folder that may hold the state of an earlier server."""
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
        end(process)


def _write_project(folder: Path) -> str:
    """Write `langgraph.json` and the empty graph; a free port."""
    config = json.loads(Path("langgraph.json").read_text(encoding="utf-8"))
    config["graphs"]["nothing"] = "./nothing.py:graph"
    (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "nothing.py").write_text(EMPTY_GRAPH, encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def end(process: "subprocess.Popen[bytes]") -> float:
    """Have a process end, by force after a minute; how many seconds it took."""
    began = time.perf_counter()
    process.terminate()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return time.perf_counter() - began


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

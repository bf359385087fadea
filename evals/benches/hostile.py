"""Runs on a server with keys, alone and beside a caller who means harm.

Prints how many of the others' runs succeed and how long they take. The hostile caller sends what
costs most within the limits of the server, and what is over them, until the others are done. Then
he sets crons and has heavy runs under way beside one other caller, whose runs follow each other.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.evals.benches import bench_parser, print_table
from errata.evals.heavy_pages import large_page, pdf_bomb
from errata.server.keys import create_key

CALLERS = 20
"""Among how many callers the others' runs are divided."""
JOBS = 64
"""How many runs the server works on at once."""
SECONDS_TO_START, SECONDS_TO_END, MOST_SECONDS = 60, 60, 300
RUN = {
    "assistant_id": "rac",
    "context": {"search": "none"},
    "input": {
        "question": "Who was Marie Curie?",
        "draft": "Marie Curie was born in 1865. She was a Polish physicist. She died in 1934.",
        "documents": [{"text": "Marie Curie (7 November 1867 – 4 July 1934) was Polish."}],
    },
}
MOST, AT_ONCE, PAUSE = 1_000, 2, 0.05
"""How often each attack is repeated at most, how many of its requests are under way at once, and
the seconds between two of them."""
POLLS = 30
"""How many streams are held open."""
CRONS, HEAVY, FRIENDLY_SECONDS = 105, 16, 70
"""How many crons and heavy runs are tried, and how long another caller's runs go on beside them:
over a minute, so that the crons fire."""
Answers = dict[str, Counter[str]]
"""How the requests of each attack were answered, by status."""
Harm = Callable[[str, str, Answers], Coroutine[None, None, None]]
"""What a caller does at a URL with a key; how it is answered is written into the last."""


def prose(size: int) -> str:
    """Sentences that all differ, `size` characters in all."""
    sentences = (
        f"Ada wrote {n} books in {1000 + n} and moved to Rome. " for n in range(size // 40)
    )
    return "".join(sentences)[:size]


def _run(graph: str, context: dict[str, Any] | None = None, **given: Any) -> tuple[str, Any]:
    own = context or {"search": "none"}
    return "/runs/wait", {"assistant_id": graph, "input": given, "context": own}


def _attacks() -> dict[str, tuple[str, Any]]:
    """By their names in the report, a path and a body; `{thread}` is the caller's thread."""
    web, state, long = {"search": "searxng"}, "/threads/{thread}/state", prose(90_000)
    return {
        "a body of 2 MB": _run("rac", draft=prose(99_000), documents=[{"text": prose(1_800_000)}]),
        "a body of 3 MB": _run("rac", draft="x", documents=[{"text": "x" * 3_000_000}]),
        "100,000 documents": _run("rac", draft=prose(900), documents=[{"text": "x"}] * 100_000),
        "numbers": _run("rac", draft="9," * 49_000, documents=[{"text": "9," * 800_000}]),
        "RE-EX of a long draft": _run("reex", draft=prose(99_000), documents=[{"text": "x"}]),
        "five pages of 4.9 MB": _run("crag", web, question="What does the page say?"),
        "five PDF bombs": _run("crag", web, question="What does the bomb say?"),
        "edits of a state": (state, {"values": {"draft": long}}),
        "edits over the limit": (state, {"values": {"draft": prose(150_000)}}),
    }


class Server(NamedTuple):
    """The development server under way."""

    url: str
    process: int

    def megabytes(self) -> float:
        """The memory that the process holds; Linux only."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def run_server(**variables: str) -> Iterator[Server]:
    """Start the development server on a free port, with environment variables.

    Raises TimeoutError if it does not answer within a minute.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    cli, url = str(Path(sys.executable).with_name("langgraph")), f"http://127.0.0.1:{port}"
    command = [cli, "dev", "--no-browser", "--no-reload", "--port", str(port)]
    command += ["--n-jobs-per-worker", str(JOBS)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "langgraph.json").write_bytes(Path("langgraph.json").read_bytes())
        with (folder / "log").open("a") as log:
            process = subprocess.Popen(  # noqa: S603  our own command
                command, cwd=folder, stdout=log, stderr=log, env=os.environ | variables
            )
        try:
            deadline = time.monotonic() + SECONDS_TO_START
            while not _answers(url):
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no server came up at {url}")
                time.sleep(0.2)
            yield Server(url, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/ok").is_success
    except httpx2.TransportError:
        return False


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

    app = Starlette(routes=[Route("/search", search), Route("/{kind}/{n}", send)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    [listener] = server.servers[0].sockets
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(5)


async def run_others(server: Server, keys: list[str], count: int) -> list[str]:
    """Start `count` runs at once, divided among the callers; with 0, one after another for a while.

    How many succeed, their median and 95th percentile in seconds, the longest that the server took
    to say that it is up, and the most megabytes that it held.
    """
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
        ends = time.perf_counter() + FRIENDLY_SECONDS
        while not count and time.perf_counter() < ends:
            await run(http, keys[0])
        watching.cancel()
    times = (median(seconds), quantiles(seconds, n=20)[-1], stall)
    return [str(len(seconds)), *(f"{each:.1f}" for each in times), f"{most:.0f}"]


async def _repeat(http: httpx2.AsyncClient, path: str, body: bytes, counts: Counter[str]) -> None:
    for _ in range(MOST // AT_ONCE):
        try:
            counts[str((await http.post(path, content=body)).status_code)] += 1
        except httpx2.TransportError as error:
            counts[type(error).__name__] += 1
        await asyncio.sleep(PAUSE)


async def _hold(http: httpx2.AsyncClient, path: str) -> None:
    async with http.stream("GET", path) as reply:
        async for _ in reply.aiter_bytes():
            pass


async def attack(url: str, key: str, answers: Answers) -> None:
    """Make all attacks at once until cancelled, and count how they are answered."""
    headers = {"x-api-key": key, "content-type": "application/json"}
    async with (
        httpx2.AsyncClient(base_url=url, headers=headers, timeout=MOST_SECONDS) as http,
        asyncio.TaskGroup() as tasks,
    ):
        thread = (await http.post("/threads", json={})).json()["thread_id"]
        await http.post(f"/threads/{thread}/runs/wait", json=RUN)
        for _ in range(POLLS):
            tasks.create_task(_hold(http, f"/threads/{thread}/stream"))
        for name, (path, body) in _attacks().items():
            given = path.format(thread=thread), json.dumps(body).encode()
            answers[name] = Counter()
            for _ in range(AT_ONCE):
                tasks.create_task(_repeat(http, *given, answers[name]))


async def occupy(url: str, key: str, answers: Answers) -> None:
    """Have heavy runs and crons under way until cancelled, and count how they are answered."""
    heavy = {
        "assistant_id": "rac",
        "input": {"draft": prose(99_000), "documents": [{"text": prose(1_000_000)}]},
    }
    cron, made = {**RUN, "schedule": "* * * * *"}, list[str]()
    answers |= {"crons": Counter(), "heavy runs that ended": Counter()}

    async def run() -> None:
        reply = await http.post("/runs/wait", json=heavy)
        answers["heavy runs that ended"][str(reply.status_code)] += 1

    async with httpx2.AsyncClient(
        base_url=url, headers={"x-api-key": key}, timeout=MOST_SECONDS
    ) as http:
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(HEAVY):
                    tasks.create_task(run())
                await asyncio.sleep(1)
                for _ in range(CRONS):
                    reply = await http.post("/runs/crons", json=cron)
                    answers["crons"][str(reply.status_code)] += 1
                    made += [reply.json()["cron_id"]] if reply.is_success else []
                await asyncio.Event().wait()
        finally:
            for each in made:
                await http.delete(f"/runs/crons/{each}")


@asynccontextmanager
async def beside(harm: Harm, url: str, key: str) -> AsyncIterator[Answers]:
    """Have a caller do harm inside the block; how that was answered is known at its end.

    He has a process of his own, so that others' clients do not wait for his.
    """
    ours, his = Pipe()
    process = get_context("spawn").Process(target=_work, args=(harm, url, key, his), daemon=True)
    process.start()
    await asyncio.to_thread(ours.recv)
    answers: Answers = {}
    try:
        yield answers
    finally:
        ours.send("enough")
        answers |= await asyncio.to_thread(ours.recv)
        process.join()


def _work(harm: Harm, url: str, key: str, pipe: Connection) -> None:
    """Do harm until told that it is enough, then say how it was answered."""

    async def work() -> Answers:
        answers: Answers = {}
        task = asyncio.create_task(harm(url, key, answers))
        await asyncio.sleep(3)
        pipe.send("under way")
        await asyncio.to_thread(pipe.recv)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return answers

    pipe.send(asyncio.run(work()))


async def measure(count: int) -> tuple[dict[str, list[str]], Answers]:
    """The others' runs alone, beside the hostile caller, and alone once more."""
    keys, lines = zip(*(create_key(f"caller{n}") for n in range(CALLERS + 1)), strict=True)
    with serve_web() as web, TemporaryDirectory() as folder:
        file = Path(folder) / "keys"
        file.write_text("\n".join(lines), encoding="utf-8")
        variables = {
            "ERRATA_AUTH": "on",
            "ERRATA_API_KEYS_FILE": str(file),
            "ERRATA_SEARCH": "searxng",
            "ERRATA_ALLOW_PRIVATE_URLS": "1",
            "SEARXNG_URL": web,
        }
        with run_server(**variables) as server:
            mine = list(keys[1:])
            await run_others(server, mine, count)  # only warms up
            loads = {"alone": await run_others(server, mine, count)}
            async with beside(attack, server.url, keys[0]) as answers:
                loads["beside it"] = await run_others(server, mine, count)
            await asyncio.sleep(5)
            loads["after it"] = await run_others(server, mine, count)
            loads["in turn, alone"] = await run_others(server, mine[:1], 0)
            async with beside(occupy, server.url, keys[0]) as more:
                loads["beside crons and heavy runs"] = await run_others(server, mine[:1], 0)
            await asyncio.sleep(5)
            loads["after them"] = await run_others(server, mine[:1], 0)
            return loads, answers | more


def main(*arguments: str) -> None:
    """Print what the runs came to, and how the hostile requests were answered."""
    count = bench_parser(__doc__, runs=200).parse_args(arguments).runs
    loads, answers = asyncio.run(measure(count))
    head = ("runs", "succeeded", "median s", "p95 s", "stall s", "MB")
    rows = ([name, *load] for name, load in loads.items())
    print_table(f"{count} at once, {CALLERS} callers", head, rows)
    sent = (
        [name, ", ".join(f"{n} x {status}" for status, n in counts.most_common())]
        for name, counts in answers.items()
    )
    print_table("Hostile requests", ("sent by the hostile caller", "answers"), sent)

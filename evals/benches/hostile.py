"""Runs on a server with keys, alone and beside a caller who means harm.

Prints how many of the others' runs succeed and how long they take. The hostile caller sends what
costs most within the limits of the server, and what is over them, until the others are done.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import httpx2

from errata.evals.benches import bench_parser, print_table
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
PAUSE_BETWEEN = 5
"""Seconds until the attacks are under way, and until they are over."""
POLLS = 30
"""How many streams are held open."""
Answers = dict[str, Counter[str]]
"""How the requests of each attack were answered, by status."""


def prose(size: int) -> str:
    """Sentences that all differ, `size` characters in all."""
    sentences = (
        f"Ada wrote {n} books in {1000 + n} and moved to Rome. " for n in range(size // 40)
    )
    return "".join(sentences)[:size]


def _run(graph: str, **given: Any) -> tuple[str, Any]:
    return "/runs/wait", {"assistant_id": graph, "input": given}


def _attacks() -> dict[str, tuple[str, Any]]:
    """By their names in the report, a path and a body; `{thread}` is the caller's thread."""
    state, long = "/threads/{thread}/state", prose(90_000)
    return {
        "a body of 2 MB": _run("rac", draft=prose(99_000), documents=[{"text": prose(1_800_000)}]),
        "a body of 3 MB": _run("rac", draft="x", documents=[{"text": "x" * 3_000_000}]),
        "100,000 documents": _run("rac", draft=prose(900), documents=[{"text": "x"}] * 100_000),
        "numbers": _run("rac", draft="9," * 49_000, documents=[{"text": "9," * 800_000}]),
        "RE-EX of a long draft": _run("reex", draft=prose(99_000), documents=[{"text": "x"}]),
        "edits of a state": (state, {"values": {"draft": long}}),
        "edits over the limit": (state, {"values": {"draft": prose(150_000)}}),
    }


@contextmanager
def run_server(**variables: str) -> Iterator[str]:
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
            yield url
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


async def run_others(url: str, keys: list[str], count: int) -> list[str]:
    """Start `count` runs at once, divided among the callers.

    How many succeed, their median and 95th percentile in seconds, the longest that the server took
    to say that it is up.
    """
    limits = httpx2.Limits(max_connections=count + 1)
    seconds, stall = list[float](), 0.0

    async def run(http: httpx2.AsyncClient, key: str) -> None:
        began = time.perf_counter()
        reply = await http.post("/runs/wait", json=RUN, headers={"x-api-key": key})
        if reply.is_success and reply.json().get("changed"):
            seconds.append(time.perf_counter() - began)

    async def watch() -> None:
        nonlocal stall
        while True:
            began = time.perf_counter()
            await http.get("/ok")
            stall = max(stall, time.perf_counter() - began)
            await asyncio.sleep(0.1)

    async with httpx2.AsyncClient(base_url=url, timeout=MOST_SECONDS, limits=limits) as http:
        watching = asyncio.create_task(watch())
        runs = (run(http, keys[n % len(keys)]) for n in range(count))
        await asyncio.gather(*runs, return_exceptions=True)
        watching.cancel()
    times = (median(seconds), quantiles(seconds, n=20)[-1], stall)
    return [str(len(seconds)), *(f"{each:.1f}" for each in times)]


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


def attack_until(stop: Event, url: str, key: str) -> Answers:
    """Attack until that is set; how the requests were answered."""

    async def work() -> Answers:
        answers: Answers = {}
        task = asyncio.create_task(attack(url, key, answers))
        await asyncio.to_thread(stop.wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return answers

    return asyncio.run(work())


def write_keys(folder: str, lines: Sequence[str]) -> str:
    """The file of the callers' keys."""
    file = Path(folder) / "keys"
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


async def measure(count: int) -> tuple[dict[str, list[str]], Answers]:
    """The others' runs alone, beside the hostile caller, and alone once more."""
    keys, lines = zip(*(create_key(f"caller{n}") for n in range(CALLERS + 1)), strict=True)
    with (
        TemporaryDirectory() as folder,
        run_server(ERRATA_AUTH="on", ERRATA_API_KEYS_FILE=write_keys(folder, lines)) as url,
    ):
        mine = list(keys[1:])
        await run_others(url, mine, count)  # only warms up
        loads = {"alone": await run_others(url, mine, count)}
        spawn = get_context("spawn")  # a process of his, so that others' clients wait for none
        with spawn.Manager() as manager, ProcessPoolExecutor(1, mp_context=spawn) as pool:
            stop = manager.Event()
            attacking = pool.submit(attack_until, stop, url, keys[0])
            await asyncio.sleep(PAUSE_BETWEEN)
            loads["beside it"] = await run_others(url, mine, count)
            stop.set()
            answers = await asyncio.wrap_future(attacking)
        await asyncio.sleep(PAUSE_BETWEEN)
        loads["after it"] = await run_others(url, mine, count)
        return loads, answers


def main(*arguments: str) -> None:
    """Print what the runs came to, and how the hostile requests were answered."""
    count = bench_parser(__doc__, runs=200).parse_args(arguments).runs
    loads, answers = asyncio.run(measure(count))
    head = ("runs", "succeeded", "median s", "p95 s", "stall s")
    rows = ([name, *load] for name, load in loads.items())
    print_table(f"{count} at once, {CALLERS} callers", head, rows)
    sent = (
        [name, ", ".join(f"{n} x {status}" for status, n in counts.most_common())]
        for name, counts in answers.items()
    )
    print_table("Hostile requests", ("sent by the hostile caller", "answers"), sent)

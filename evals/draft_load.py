"""Many drafts: how fast one process or several correct them, and in how much memory."""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from errata.evals.items import Item
from errata.evals.load import megabytes
from errata.session import Session

EARLY = 10
"""Memory is first taken after one in so many drafts."""
_KILOBYTE = 1e-3
_SESSION: list[Session] = []


def measure_at_once(items: Sequence[Item], at_once: int) -> dict[str, float]:
    """Figures of drafts in this process, so many under way at once in its threads."""
    return asyncio.run(_run_at_once(items, at_once))


async def _run_at_once(items: Sequence[Item], at_once: int) -> dict[str, float]:
    waiting, held = iter(items), list[float]()

    async with Session("rac") as session:

        async def work() -> None:
            for item in waiting:
                await session.acorrect(item.question, item.draft, item.documents)
                held.append(megabytes())

        await session.acorrect(items[0].question, items[0].draft, items[0].documents)
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(at_once)))
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    return _figures(seconds, cpu, held)


def measure_workers(items: Sequence[Item], workers: int) -> dict[str, float]:
    """Figures of drafts in processes forked from one that has loaded what all need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["errata.preloaded"])
    with ProcessPoolExecutor(workers, context, _open_session) as pool:
        list(pool.map(_correct, [items[0]] * workers * 2))
        began, cpu, held = time.perf_counter(), 0.0, list[float]()
        processes = {os.getpid()}
        for seconds, own in pool.map(_correct, items):
            cpu += seconds
            processes |= own
            held.append(sum(map(_share, processes)))
        elapsed = time.perf_counter() - began
    return _figures(elapsed, cpu, held)


def _figures(seconds: float, cpu: float, held: Sequence[float]) -> dict[str, float]:
    """The figures of drafts, of which each left some megabytes held."""
    return {
        "drafts_per_second": len(held) / seconds,
        "cpu_ms": 1000 * cpu / len(held),
        "megabytes_early": held[len(held) // EARLY],
        "megabytes": held[-1],
    }


def _open_session() -> None:
    session = Session("rac")
    session.__enter__()
    _SESSION.append(session)


def _correct(item: Item) -> tuple[float, set[int]]:
    """Correct a draft; the seconds of work, and who did it: this process, forked from another."""
    began = time.process_time()
    _SESSION[0].correct(item.question, item.draft, item.documents)
    return time.process_time() - began, {os.getpid(), os.getppid()}


def _share(process: int) -> float:
    """The megabytes of a process, of pages that it shares only its part; Linux only."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * _KILOBYTE

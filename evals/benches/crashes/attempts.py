"""One attempt at a run, in a process of its own that may be killed."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from errata.core.jsonable import to_json
from errata.durable.stores import Saver, in_order, open_store
from errata.evals.benches.costs import invented_items, settings_for
from errata.evals.benches.crashes.server import Caller, keeping
from errata.evals.endpoint.running import pointed_at
from errata.evals.runner import run_item
from errata.methods import METHODS, module_of
from errata.session import Session

_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(
    [
        *(__name__, "anyio._backends._asyncio", "httpcore2", "langchain", "langchain_openai"),
        *("langgraph.checkpoint.postgres.aio", "langgraph.checkpoint.sqlite.aio"),
        *("openai.resources.chat", "errata.tools.web.pages", "errata.tools.web.search"),
        *map(module_of, METHODS),
    ]
)
"""What every attempt imports, loaded once in the process that they are forked from."""
_MOST_SECONDS = 120
MODEL = "openai:m"
SEARCH = "serpapi"


@dataclass(frozen=True)
class Kill:
    """Where a process is killed: `at call`, `before write` or `after write`, and at which, from 1.

    A write is what the run gives to its store: a checkpoint, or what one node wrote.
    """

    where: str = ""
    number: int = 0


@dataclass(frozen=True)
class Run:
    """A run of a method, which several processes may work on, one after another."""

    name: str
    method: str
    url: str
    """The endpoint's: the process that attempts are forked from may know another one's."""
    store: str
    folder: Path
    keeps: bool = True
    """Whether it keeps replies beside its checkpoints."""

    @property
    def replies(self) -> Path:
        """The folder of the replies that it keeps."""
        return self.folder / self.name


def attempt(run: Run, kill: Kill) -> dict[str, Any] | None:
    """Work on a run in a new process; its result, and how many writes it took; None if killed.

    Raises RuntimeError if the process fails in another way.
    """
    out = run.folder / f"{run.name}.out"
    out.unlink(missing_ok=True)
    process = _FORKS.Process(target=_work, args=(run, kill, out))
    process.start()
    process.join(_MOST_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise RuntimeError(f"the run {run.name} of {run.method} hangs at {kill}")
    if process.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the run {run.name} of {run.method} failed at {kill}")
    killed = process.exitcode == -signal.SIGKILL
    return None if killed else json.loads(out.read_text(encoding="utf-8"))


def _work(run: Run, kill: Kill, out: Path) -> None:
    fatal = kill.number if kill.where == "at call" else 0
    kept = str(run.replies) if run.keeps else ""
    with pointed_at(run.url):
        os.environ["OPENAI_API_KEY"] = Caller(run.name, os.getpid(), fatal, kept).key
        out.write_text(json.dumps(asyncio.run(_go_on(run, kill))), encoding="utf-8")


async def _go_on(run: Run, kill: Kill) -> dict[str, Any]:
    writes = Writes(kill)
    async with open_store(run.store, writes.kind) as saver:
        result = await _result(run, saver)
    return {"result": _lasting({**to_json(result), "usage": None}), "writes": writes.done}


def _lasting(value: Any) -> Any:
    """A result without the times at which pages were read."""
    if isinstance(value, dict):
        return {name: _lasting(part) for name, part in value.items() if name != "retrieved_at"}
    return [_lasting(part) for part in value] if isinstance(value, list) else value


async def _result(run: Run, saver: Saver) -> Any:
    item = invented_items(1)[0]
    settings = {**settings_for(run.method, "", SEARCH), "model": MODEL, "at_once": 1}
    settings |= keeping(run.replies) if run.keeps else {}
    async with Session(run.method, checkpoints=saver, **settings) as session:
        return await run_item(session, item, run.name)


class Writes:
    """The writes of one process, which a kill may end."""

    def __init__(self, kill: Kill) -> None:
        """None was done yet."""
        self.done = 0
        self._kill = kill

    def kind(self, saver: type[Saver]) -> type[Saver]:
        """The class of savers that save in order, and are killed."""

        def counted(name: str) -> Callable[..., Awaitable[Any]]:
            async def save(own: Saver, *args: Any) -> Any:
                return await self._count(partial(getattr(saver, name), own, *args))

            return save

        methods = {name: counted(name) for name in ("aput", "aput_writes")}
        return in_order(type("Killed", (saver,), methods))

    async def _count(self, save: Callable[[], Awaitable[Any]]) -> Any:
        self.done += 1
        self._end("before write")
        saved = await save()
        self._end("after write")
        return saved

    def _end(self, where: str) -> None:
        if self._kill == Kill(where, self.done):
            os.kill(os.getpid(), signal.SIGKILL)

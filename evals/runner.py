"""Run tasks: every item once, several at a time, each row kept as soon as it is there.

A run that is killed goes on where it was: finished rows are read from their file, and what a model
has answered for the others from the recorded exchanges.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from errata.batch.lines import LineFile, whole_lines
from errata.batch.work import never_answered
from errata.core.errors import AccessError, ErrataError, InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Answer, Correction
from errata.evals.controls import CONTROLS
from errata.evals.items import Item
from errata.evals.scoring import WEB, Row, Task
from errata.methods import Result, method_named
from errata.nodes.context import Context
from errata.session import Session
from errata.tools.retrieval.index import build

WRITER = "plain"
"""The method that writes the draft where a dataset has none and the method corrects one."""
OnRow = Callable[[Row, bool], None]
"""Takes each row as it is there, and whether it was there before."""


class RowFile:
    """A file of rows, each with an `id`; what a killed run left half written is cut off."""

    def __init__(self, path: Path) -> None:
        """Read what is there.

        Raises InputError naming file and line if a whole line is no row.
        """
        self.path = path
        self.rows: dict[str, Mapping[str, Any]] = {}
        """The rows by id; of two with one id the later."""
        if path.exists():
            self._read()

    def _read(self) -> None:
        for number, line in enumerate(whole_lines(self.path), start=1):
            try:
                row = json.loads(line)
                self.rows[row["id"]] = row
            except (ValueError, LookupError, TypeError) as error:
                raise InputError(
                    f"{self.path}, line {number}: not a row of a run ({error}); delete the line "
                    "to have its input run again, or name another folder with --out"
                ) from error

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row to the end of the file, and to the disk, before anything else happens."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with LineFile(self.path) as file:
            file.add(row)
        self.rows[row["id"]] = row


@dataclass(frozen=True, kw_only=True)
class Runner:
    """Where rows are kept, and what all runs share."""

    out: Path
    """The folder of rows, exchanges and indexes."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every run, as JSON: `model`, `roles`, `timeout`; a task's own count over them."""
    at_once: int = 2
    """How many items are run at a time."""
    replay: str = ""
    """A folder of exchanges to answer every call from; no model is called."""

    @cached_property
    def told(self) -> str:
        """What all runs are told, as part of a file name; empty where that is nothing."""
        known = json.dumps([to_json(self.settings), self.replay], sort_keys=True, default=str)
        return f"-{_digest(known)[:8]}" if self.settings or self.replay else ""

    async def run(
        self, name: str, task: Task, items: Sequence[Item], web: str, on_row: OnRow
    ) -> list[Row]:
        """The rows of a task in the order of its items, those of an earlier run as they were.

        They are kept under `name`. `web` is the search engine that stands for `search=web` in the
        task's settings.

        Raises AccessError if a model's server refuses the key or the model, SettingError if the
        method cannot take the settings; any other failure of an item is in its row.
        """
        file = RowFile(self.out / "rows" / f"{name}{self.told}.jsonl")
        turns = asyncio.Semaphore(self.at_once)
        own = {**task.settings, **({"search": web} if task.settings.get("search") == WEB else {})}
        async with AsyncExitStack() as open_sessions:
            worker = _Worker(
                method=await self._open(task.method, own, open_sessions),
                writer=await self._open(WRITER, {}, open_sessions),
                control=task.method,
                writes_own=task.draft == "own",
            )

            async def run_item(item: Item) -> Row:
                known = read_row(file.rows.get(item.id), item)
                if known is None:
                    async with turns:
                        row = await worker.run(item)
                    file.add(write_row(row))
                else:
                    row = known
                on_row(row, known is not None)
                return row

            return await _all_done([run_item(item) for item in items])

    async def _open(
        self, method: str, own: Mapping[str, Any], stack: AsyncExitStack
    ) -> Session | None:
        """An open session with the shared settings that the method has; None for a control."""
        if method in CONTROLS:
            return None
        shared = fitting(self._shared, method_named(method).context)
        return await stack.enter_async_context(Session(method, **shared | dict(own)))

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """The settings of every run, and where its exchanges are kept or come from."""
        if self.replay:
            return {**self.settings, "replay": self.replay}
        models = to_json([self.settings.get("model"), self.settings.get("roles")])
        digest = hashlib.sha256(str(models).encode()).hexdigest()[:8]
        return {**self.settings, "record": str(self.out / "exchanges" / digest), "reuse": True}


def fitting(settings: Mapping[str, Any], context: type[Context]) -> dict[str, Any]:
    """Of the settings that several methods share those that one of them has, role by role."""
    own = {name: value for name, value in settings.items() if name in context.model_fields}
    roles = {role: spec for role, spec in own.get("roles", {}).items() if role in context.ROLES}
    return {**own, **({"roles": roles} if "roles" in own else {})}


async def _all_done(runs: Sequence[Coroutine[Any, Any, Row]]) -> list[Row]:
    """The rows of all runs; the first that raises ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run) for run in runs]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


@dataclass(frozen=True, kw_only=True)
class _Worker:
    """What runs one item: a method or a control, and what writes a draft where there is none."""

    method: Session | None
    writer: Session | None
    control: str
    writes_own: bool

    async def run(self, item: Item) -> Row:
        """The item's row; a failure is in it."""
        began = perf_counter()
        try:
            item = await self._with_draft(item)
            began = perf_counter()
            result = await self._result(item)
        except AccessError:
            raise
        except ErrataError as error:
            return Row(item=item, error=str(error), seconds=round(perf_counter() - began, 4))
        if never_answered(result.usage):
            return Row(item=item, error=f"no call to a model was answered: {result.notes[:1]}")
        return Row(item=item, result=result, seconds=round(perf_counter() - began, 4))

    async def _result(self, item: Item) -> Result:
        if self.method is None:
            return CONTROLS[self.control](item)
        return await run_item(self.method, item)

    async def _with_draft(self, item: Item) -> Item:
        corrects = self.method is None or self.method.method.corrects
        if item.draft or self.writes_own or not corrects or self.writer is None:
            return item
        written = await self.writer.aanswer(item.question, item.documents)
        return replace(item, draft=written.response)


async def run_item(session: Session, item: Item, run: str = "") -> Result:
    """An item's draft corrected or its question answered; `run` names a run that is stored."""
    if session.method.corrects:
        return await session.acorrect(item.question, item.draft, item.documents, run)
    return await session.aanswer(item.question, item.documents, run)


def draw(items: Sequence[Item], seed: int, limit: int) -> list[Item]:
    """The first `limit` items in an order that the seed gives; 0: all, in their own order."""
    if not limit:
        return list(items)
    return sorted(items, key=lambda item: _digest(f"{seed}|{item.id}"))[:limit]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def write_row(row: Row) -> dict[str, Any]:
    """A row as JSON, with all that scoring needs."""
    return {
        "id": row.item.id,
        "item": to_json(row.item),
        "result": to_json(row.result),
        "error": row.error,
        "seconds": row.seconds,
    }


def read_row(row: Mapping[str, Any] | None, item: Item) -> Row | None:
    """A row of an earlier run; None if it is of another text, or failed and may be tried again."""
    if row is None or row["error"]:
        return None
    kept = from_json(Item, row["item"])
    same = replace(item, draft=item.draft or kept.draft)
    return None if kept != same else Row(item=kept, result=_read(row), seconds=row["seconds"])


def _read(row: Mapping[str, Any]) -> Result:
    kind: Any = Correction if "draft" in row["result"] else Answer
    result: Result = from_json(kind, row["result"])
    return result


def index_web(items: Sequence[Item], folder: Path) -> str:
    """Index the pages of all items; the search engine's name.

    Pages of one title are one page, its paragraphs on lines of their own; a snippet without one is
    a page.
    """
    pages: dict[str, dict[str, None]] = {}
    for item in items:
        for page in item.web:
            pages.setdefault(page.title or page.text, {})[page.text] = None
    source = folder / "pages.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    rows = (
        {"title": "" if name in texts else name, "text": "\n".join(texts)}
        for name, texts in pages.items()
    )
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    build([source], folder / "index")
    return f"corpus:{folder / 'index'}"

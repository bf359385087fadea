"""Run tasks: every item once, several at a time, each row kept as soon as it is there.

A run that is killed goes on where it was: finished rows are read from their file, and what a model
has answered for the others from the recorded exchanges.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from errata.batch.output import add_row, rows_of
from errata.batch.rows import never_answered
from errata.core.errors import AccessError, ErrataError, SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Answer, Claim, Correction, Edit, ResponseLabel, Verdict
from errata.evals.items import WEB, Item, Row, Task
from errata.methods import Result, method_named
from errata.nodes.state import Method
from errata.session import Session
from errata.settings_file import settings_of
from errata.tools.retrieval.index import build

REFUSAL = "I cannot answer this."


def _control(name: str, item: Item, response: str, label: ResponseLabel) -> Correction:
    """The whole draft as one claim with a label, and one edit that replaces it."""
    draft, changed = item.draft, response != item.draft
    edit = Edit(start=0, end=len(draft), before=draft, after=response, claims=("c1",))
    return Correction(
        method=name,
        question=item.question,
        draft=draft,
        response=response,
        changed=changed,
        label=label,
        claims=(Claim(id="c1", text=draft, start=0, end=len(draft)),),
        verdicts=(Verdict(claim="c1", label=label),),
        edits=(edit,) if changed else (),
        documents=item.documents,
    )


def _refuse(item: Item) -> Result:
    """No answer, whatever is asked, and no verdict on any draft."""
    name = "refuse_always"
    if item.draft:
        return _control(name, item, REFUSAL, "not_mentioned")
    return Answer(method=name, question=item.question, response=REFUSAL, action="incorrect")


CONTROLS: Mapping[str, Callable[[Item], Result]] = {
    "no_correction": lambda item: _control("no_correction", item, item.draft, "supported"),
    "delete_everything": lambda item: _control("delete_everything", item, "", "refuted"),
    "refuse_always": _refuse,
}
"""Rows that are no methods: the draft with every claim taken for true, as the papers' row without
correction; no draft at all; and a refusal. A metric that prefers one of the last two is wrong."""
WRITER = "plain"
"""The method that writes the draft where a dataset has none and the method corrects one."""
OnRow = Callable[[Row, bool], None]
"""Takes each row as it is there, and whether it was there before."""


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
    """A file of exchanges to answer every call from; no model is called."""

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
        path = self.out / "rows" / f"{name}{self.told}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {row["id"]: row for row in rows_of(path)}
        turns = asyncio.Semaphore(self.at_once)
        own = {**task.settings, **({"search": web} if task.settings.get("search") == WEB else {})}
        async with AsyncExitStack() as stack:
            file, method = stack.enter_context(path.open("ab")), None
            if task.method not in CONTROLS:
                method = await stack.enter_async_context(self._session(task.method, own))
            writer = None
            writes = task.draft == "given" and (method is None or method.method.corrects)
            if writes and not all(item.draft for item in items):
                writer = await stack.enter_async_context(self._session(WRITER, {}))

            async def run_one(item: Item) -> Row:
                known = read_row(kept.get(item.id), item)
                row = known
                if row is None:
                    async with turns:
                        row = await _run(task, method, writer, item)
                    add_row(file, write_row(row))
                on_row(row, known is not None)
                return row

            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(run_one(item)) for item in items]
            except ExceptionGroup as errors:
                raise errors.exceptions[0] from None
            return [each.result() for each in tasks]

    def _session(self, method: str, own: Mapping[str, Any]) -> Session:
        """A session with the settings that the method has; exchanges are kept, or replayed."""
        kept: dict[str, Any] = {"replay": self.replay}
        if not self.replay:
            models = to_json([self.settings.get("model"), self.settings.get("roles")])
            file = self.out / "exchanges" / f"{_digest(str(models))[:8]}.sqlite"
            kept = {"record": str(file)}
        shared = settings_of(method_of(method).context, {**self.settings, **kept})
        return Session(method, **shared | dict(own))


def method_of(name: str) -> Method:
    """A method by its name.

    Raises SettingError, with where the papers' others are to be had, if it is not there.
    """
    try:
        return method_named(name)
    except SettingError as error:
        if find_spec("errata_baselines"):
            raise
        raise SettingError(f"{error}; others: pip install ./packages/errata-baselines") from error


async def _run(task: Task, method: Session | None, writer: Session | None, item: Item) -> Row:
    """The item's row, with the draft that the writer writes where there is none.

    Without a method a control makes the result; a failure is in the row.
    """
    began = perf_counter()
    try:
        if writer and not item.draft:
            written = await writer.aanswer(item.question, item.documents)
            item = replace(item, draft=written.response)
        began = perf_counter()
        result = await run_item(method, item) if method else CONTROLS[task.method](item)
    except AccessError:
        raise
    except ErrataError as error:
        return Row(item=item, error=str(error), seconds=round(perf_counter() - began, 4))
    if never_answered(result.usage):
        return Row(item=item, error=f"no call to a model was answered: {result.notes[:1]}")
    return Row(item=item, result=result, seconds=round(perf_counter() - began, 4))


async def run_item(session: Session, item: Item) -> Result:
    """An item's draft corrected, or its question answered."""
    if session.method.corrects:
        return await session.acorrect(item.question, item.draft, item.documents)
    return await session.aanswer(item.question, item.documents)


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
    if kept != replace(item, draft=item.draft or kept.draft):
        return None
    kind: Any = Correction if "draft" in row["result"] else Answer
    return Row(item=kept, result=from_json(kind, row["result"]), seconds=row["seconds"])


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

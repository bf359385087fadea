"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from errata.batch.output import Output, Totals, add_row, rows_of
from errata.batch.ray_data import RayEngine
from errata.batch.rows import AT_ONCE, BatchRow, RowError, RowWork, by_models, read_line, run_row
from errata.core.budgets import Budget
from errata.core.errors import InputError, SettingError
from errata.session import Session
from errata.tools.files.decoding import STDIN, STDIN_NAME, read_input_bytes

INTERRUPTED = "it was interrupted"
TWICE = "its id is that of an earlier row; give each row its own, or leave all ids out"


Engine = Callable[["Batch"], None]
"""Works on a batch's rows in any order, and hands each one's output row to its `keep`.

Raises AccessError or SettingError if no row can be worked on."""


@dataclass(frozen=True)
class LocalEngine:
    """Works on rows in this process: many at once where models are asked, else one by one."""

    at_once: int = 0
    """The most rows under way where models are asked; 0: 32."""

    def __call__(self, batch: "Batch") -> None:
        """Work on a batch's rows, each read once there is room for it; raises as `Engine` says."""
        with batch.work.open_session() as session:
            session.run(self._work_through, session, batch)

    async def _work_through(self, session: Session, batch: "Batch") -> None:
        rows = batch.rows()

        async def take_rows() -> None:
            for row in rows:
                while wait := session.context.seconds_refused():  # noqa: ASYNC110  none tells of it
                    await asyncio.sleep(wait)
                batch.keep(await run_row(session, row, batch.work))

        most = (self.at_once or AT_ONCE) if by_models(session.context) else 1
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(most):
                    group.create_task(take_rows())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None


LOCAL = LocalEngine()


def run_batch(
    source: str | Path,
    out: str | Path,
    method: str = "rac",
    *,
    check: bool = False,
    engine: Engine = LOCAL,
    fields: Sequence[str] = (),
    anew: bool = False,
    retry_failed: bool = False,
    stop_after: int = 50,
    limits: Mapping[str, float | None] = MappingProxyType({}),
    on_row: Callable[[Totals], None] = lambda _: None,
    **settings: Any,
) -> Totals:
    """Correct, check or answer every row of a file, and lose none of them.

    `source` is a file of JSON lines (`-`: standard input) with rows `{id, question, draft?,
    documents?}`; `out` gets a JSON line for each id, and a run that was killed goes on when it is
    called again. A row that failed has its `error`, and `retry_failed` runs it again. `fields` are
    those of a row to write, all by default; `limits` bound the calls, tokens, money, searches,
    pages and seconds of the whole batch; `settings` are fields of the method's Context and an
    operator's, as JSON values. `on_row` is called after each row, from any thread.

    Returns what was done and what it cost. Raises SettingError if a setting cannot be used,
    InputError if a file cannot, or holds rows of other work, and AccessError if a model's server
    refuses the key or the model; the rows done until then are in the output.
    """
    work = RowWork(method, settings, check)
    session = _checked(work, fields)
    if limits.get("money") is not None:
        session.context.check_prices()
    path = Path(out)
    # Rewriting the output would replace a link to it.
    output = Output(path.resolve() if path.is_symlink() else path)
    # Machines have no file in common.
    cached = "call_cache" in work.settings or bool(session.context.deployment.call_cache)
    if by_models(session.context) and not (cached or isinstance(engine, RayEngine)):
        calls = str(output.beside("calls.sqlite"))
        work = replace(work, settings={**work.settings, "call_cache": calls})
    batch = Batch(
        source=str(source),
        output=output,
        fields=fields,
        work=work,
        corrects=session.method.corrects,
        budget=Budget(limits),
        stop_after=stop_after,
        on_row=on_row,
    )
    batch.run(engine, anew=anew, retry_failed=retry_failed)
    return batch.totals


def _checked(work: RowWork, fields: Sequence[str]) -> Session:
    """A session for the work; raises SettingError if one is not possible, or has no such field."""
    session = work.open_session()
    if work.check:
        session.check_verb(corrects=True)
    known = {*session.method.record.__dataclass_fields__}
    known |= {"id", "error", "question", "draft", "response"}  # a failed row's
    known |= {"counts", "checked", "failed"} if session.method.corrects else set()
    if unknown := sorted({*fields} - known):
        raise SettingError(
            f"fields: a result of {session.method.name} has no {unknown[0]!r}; it has "
            f"{', '.join(sorted(known))}"
        )
    return session


@dataclass(kw_only=True)
class Batch:
    """One run over the whole input, leaving out the rows that earlier runs have done."""

    source: str
    output: Output
    fields: Sequence[str]
    """The fields of a row to write, besides its id and error; empty: all."""
    work: RowWork
    corrects: bool
    """Whether a draft suffices; else a row needs a question."""
    budget: Budget
    """What this run may spend; rows under way when it is used up are finished."""
    stop_after: int
    on_row: Callable[[Totals], None]
    totals: Totals = field(default_factory=Totals)
    done: set[str] = field(default_factory=set)
    _lines: BinaryIO = field(init=False)
    _file: BinaryIO = field(init=False)
    _problems: BinaryIO = field(init=False)

    def run(self, engine: Engine, *, anew: bool, retry_failed: bool) -> None:
        """Have an engine work on every row that is not done; raises as `run_batch` does."""
        output, work = self.output, self.work
        # The input is opened first: if that fails, `anew` must not have removed the output.
        with output.held(), self._opened() as self._lines:
            output.begin({**vars(work), "fields": [*self.fields]}, anew=anew)
            if retry_failed:
                output.drop_failed()
            for row in rows_of(output.path):
                self.done.add(row["id"])
                self.totals.failed_before += "error" in row
            self.totals.before = len(self.done)
            path = output.beside("problems.jsonl")
            with path.open("wb") as self._problems, output.path.open("ab") as self._file:
                try:
                    engine(self)
                except KeyboardInterrupt:
                    self.totals.stopped = INTERRUPTED
            if not self.totals.problems:
                path.unlink()

    def _opened(self) -> BinaryIO:
        """The input; raises InputError if it cannot be read, or would be written over."""
        source, path = self.source, Path(self.source)
        if source == STDIN:
            return BytesIO(read_input_bytes(STDIN)[1])
        if self.output.is_own(path):
            raise InputError(
                f"{source!r} is the input, and the output {str(self.output.path)!r} would be "
                "written over it; name another --out"
            )
        try:
            return path.open("rb")
        except OSError as error:
            raise InputError(f"cannot read {source!r}: {error.strerror or error}") from error

    def rows(self) -> Iterator[BatchRow]:
        """The rows to work on, each read when it is asked for; none once the batch is over."""
        seen = set[str]()
        for number, line in enumerate(self._lines, start=1):
            if not line.strip():
                continue
            try:
                row = read_line(line, number, corrects=self.corrects)
            except RowError as error:
                self.tell(error, number)
                continue
            if row.id in seen:
                self.tell(RowError(TWICE, row.id), number)
            elif row.id not in self.done:
                if self.is_over():
                    return
                yield row
            seen.add(row.id)

    def keep(self, row: Mapping[str, Any]) -> None:
        """Write an output row, and count what it cost."""
        names = {"id", "error", *self.fields} if self.fields else row.keys()
        add_row(self._file, {name: row[name] for name in row if name in names})
        self.totals.count(row)
        self.on_row(self.totals)

    def is_over(self) -> bool:
        """Whether no further row may start; the totals then say why."""
        totals = self.totals
        self.budget.spent = totals.spent
        if self.stop_after and totals.in_a_row >= self.stop_after:
            last = totals.first_error
            totals.stopped = f"{totals.in_a_row} rows failed one after another: {last}"
        elif limit := self.budget.used_up:
            totals.stopped = f"the batch's limit is reached: {limit}"
        return bool(totals.stopped)

    def tell(self, error: RowError, line: int) -> None:
        """Write a row's fault to the file of problems."""
        name = STDIN_NAME if self.source == STDIN else self.source
        place = {"file": name, "line": line, "error": str(error), "id": error.id}
        add_row(self._problems, {name: value for name, value in place.items() if value})
        self.totals.problems += 1

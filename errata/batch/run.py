"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from errata.batch.lines import LineFile, rows_of
from errata.batch.local_engine import LocalEngine, by_models
from errata.batch.output import Output
from errata.batch.ray_data import RayEngine
from errata.batch.rows import BatchRow, RowError, open_rows, read_line
from errata.batch.totals import INTERRUPTED, STOP_AFTER, OnRow, Totals
from errata.batch.work import Work
from errata.core.budgets import Budget
from errata.core.errors import InputError, SettingError
from errata.render import terminal
from errata.session import Session
from errata.tools.files.decoding import STDIN, STDIN_NAME

CALLS = "call_cache"
"""The setting that says where paid replies are kept."""
SAID = 100
"""How many problems are printed; all are in the file."""
TWICE = "its id is that of an earlier row; give each row its own, or leave all ids out"
Say = Callable[[str], None]
"""Takes a line for the person at the terminal."""
Engine = Callable[["Batch"], None]
"""Works on a batch's rows in any order, and hands each one's output row to its `keep`.

Raises AccessError or SettingError if no row can be worked on."""


def run_batch(
    source: str | Path,
    out: str | Path,
    method: str = "rac",
    *,
    check: bool = False,
    corpus: str | Path = "",
    engine: Engine | None = None,
    fields: Sequence[str] = (),
    anew: bool = False,
    retry_failed: bool = False,
    stop_after: int = STOP_AFTER,
    limits: Mapping[str, float | None] = MappingProxyType({}),
    on_row: OnRow | None = None,
    say: Say | None = None,
    **settings: Any,
) -> Totals:
    """Correct, check or answer every row of a file, and lose none of them.

    `source` is a file of JSON lines (`-`: standard input) with rows `{id, question, draft?,
    documents?}`; `out` gets a JSON line for each id. Each row is on the disk before it counts as
    done, and a run that was killed goes on when it is called again. Lines that are no rows are kept
    in `OUT.problems.jsonl`; a row that failed is in the output with its `error`, and `retry_failed`
    runs it again. `engine` works on the rows, `LocalEngine()` by default; a `RayEngine` also reads
    them. `fields` are the fields of a row to write, all by default; `limits` bound the calls,
    tokens, money, searches, pages and seconds of the whole batch; `settings` are fields of the
    method's Context and an operator's, as JSON values. `on_row` is called after each row, from any
    thread.

    Returns what was done and what it cost. Raises SettingError if a setting cannot be used,
    InputError if a file cannot, or holds rows of other work, and AccessError if a model's server
    refuses the key or the model; the rows done until then are in the output.
    """
    work = Work(method, {**settings, **({"corpus": str(corpus)} if corpus else {})}, check)
    session = _checked(work, fields)
    if limits.get("money") is not None:
        session.context.check_prices()
    path, on_ray = Path(out), isinstance(engine, RayEngine)
    # Rewriting the output would replace a link to it.
    output = Output(path.resolve() if path.is_symlink() else path, tuple(fields))
    _check_source(str(source), output, on_ray=on_ray)
    cached = CALLS in work.settings or bool(session.context.deployment.call_cache)
    if by_models(session.context) and not (cached or on_ray):  # machines have no file in common
        calls = str(output.beside("calls.sqlite"))
        work = replace(work, settings={**work.settings, CALLS: calls})
    batch = Batch(
        source=str(source),
        output=output,
        work=work,
        corrects=session.method.corrects,
        budget=Budget(limits),
        stop_after=stop_after,
        on_row=on_row or (lambda _: None),
        say=say or terminal.say,
    )
    batch.run(engine or LocalEngine(), anew=anew, retry_failed=retry_failed)
    return batch.totals


def _checked(work: Work, fields: Sequence[str]) -> Session:
    """A session with the work's settings, before any row is read.

    Raises SettingError if one cannot be used, or the method cannot do the work or has no such
    field.
    """
    try:
        json.dumps(dict(work.settings))
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"a batch's settings must be JSON values, since the next start compares them: {error}"
        ) from error
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


def _check_source(source: str, output: Output, *, on_ray: bool) -> None:
    if source != STDIN and output.is_own(Path(source)):
        raise InputError(
            f"{source!r} is the input, and the output {str(output.path)!r} would be written over "
            "it; name another --out"
        )
    if source.endswith(".parquet") and not on_ray:
        raise InputError(f"{source!r}: --engine ray reads Parquet; else give JSON lines")


@dataclass(kw_only=True)
class Batch:
    """One run over the whole input, leaving out the rows that earlier runs have done."""

    source: str
    output: Output
    work: Work
    corrects: bool
    """Whether a draft suffices; else a row needs a question."""
    budget: Budget
    """What this run may spend; rows under way when it is used up are finished."""
    stop_after: int
    on_row: OnRow
    say: Say
    totals: Totals = field(default_factory=Totals)
    done: set[str] = field(default_factory=set)
    """The ids of the rows in the output."""
    _lines: BinaryIO = field(default_factory=BytesIO)
    _file: LineFile = field(init=False)
    _problems: LineFile = field(init=False)

    def run(self, engine: Engine, *, anew: bool, retry_failed: bool) -> None:
        """Have an engine work on every row that is not done.

        Raises InputError if the input or the output cannot be used, AccessError if a model's server
        refuses the key or the model.
        """
        output = self.output
        # The input is opened first: if that fails, `anew` must not have removed the output.
        with output.held(), self._opened(engine) as self._lines:
            try:
                output.check_run(self.work, anew=anew)
                if retry_failed:
                    output.drop_failed()
                for row in rows_of(output.path):
                    self.done.add(row["id"])
                    self.totals.failed_before += "error" in row
                self.totals.before = len(self.done)
                self._write(engine)
            except OSError as error:
                raise InputError(
                    f"cannot go on: {error}; what is done is in {output.path}, and the same "
                    "command goes on from there"
                ) from error

    def _opened(self, engine: Engine) -> AbstractContextManager[BinaryIO]:
        """The input; an empty one for Ray, which reads files by itself."""
        if not isinstance(engine, RayEngine):
            return open_rows(self.source)
        if "://" not in self.source and not Path(self.source).exists():
            raise InputError(f"cannot read {self.source!r}: there is no such file")
        return nullcontext(self._lines)

    def _write(self, engine: Engine) -> None:
        path = self.output.beside("problems.jsonl")
        with (
            LineFile(path, afresh=True) as self._problems,
            LineFile(self.output.path) as self._file,
        ):
            try:
                engine(self)
            except KeyboardInterrupt:
                self.totals.stopped = INTERRUPTED
        if not self.totals.problems:
            path.unlink()

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
                continue
            seen.add(row.id)
            if row.id not in self.done:
                if self.is_over():
                    return
                yield row

    def keep(self, row: Mapping[str, Any]) -> None:
        """Write an output row, unless there is one of its id, and count what it cost."""
        if row["id"] in self.done:
            self.tell(RowError(TWICE, row["id"]))
            return
        self.done.add(row["id"])
        names = {"id", "error", *self.output.fields} if self.output.fields else row.keys()
        self._file.add({name: row[name] for name in row if name in names})
        self.totals.count(row)
        self.on_row(self.totals)

    def is_over(self) -> bool:
        """Whether no further row may start; the totals then say why."""
        totals, self.budget.spent = self.totals, self.totals.cost
        if self.stop_after and totals.in_a_row >= self.stop_after:
            last = totals.first_error
            totals.stopped = f"{totals.in_a_row} rows failed one after another: {last}"
        elif limit := self.budget.used_up:
            totals.stopped = f"the batch's limit is reached: {limit}"
        return bool(totals.stopped)

    def tell(self, error: RowError, line: int = 0) -> None:
        """Write a row's fault to the file of problems, and print it if it is among the first."""
        name = STDIN_NAME if self.source == STDIN else self.source
        place = {"file": name, "line": line, "error": str(error), "id": error.id}
        self._problems.add({name: value for name, value in place.items() if value})
        self.totals.problems += 1
        if self.totals.problems <= SAID:
            self.say(f"errata: {name}{f', line {line}' if line else ''}: {error}")

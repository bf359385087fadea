"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from errata.batch.lines import LineFile
from errata.batch.local_engine import LocalEngine, by_models
from errata.batch.output import Output, digest
from errata.batch.ray_data import RayEngine
from errata.batch.rows import BatchRow, Problem, open_rows, read_rows
from errata.batch.totals import INTERRUPTED, STOP_AFTER, OnRow, Totals
from errata.batch.work import Engine, Work
from errata.core.budgets import Budget
from errata.core.errors import AccessError, InputError, SettingError
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


def run_batch(
    source: str | Path,
    out: str | Path,
    method: str = "rac",
    *,
    check: bool = False,
    corpus: str | Path = "",
    engine: Engine | RayEngine | None = None,
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
    method's Context, as JSON values.

    Returns what was done and what it cost. Raises SettingError if a setting cannot be used,
    InputError if a file cannot, or holds rows of other work, and AccessError if a model's server
    refuses the key or the model; the rows done until then are in the output.
    """
    work = Work(method, {**settings, **({"corpus": str(corpus)} if corpus else {})}, check)
    session = _checked(work)
    if limits.get("money") is not None:
        session.context.check_prices()
    path, on_ray = Path(out), isinstance(engine, RayEngine)
    # Rewriting the output would replace a link to it.
    output = Output(path.resolve() if path.is_symlink() else path, tuple(fields))
    _check_places(str(source), output, session, on_ray=on_ray)
    cached = CALLS in work.settings or bool(session.context.replies.cache)
    if by_models(session.context) and not (cached or on_ray):  # machines have no file in common
        calls = str(output.beside("calls.sqlite"))
        work = replace(work, settings={**work.settings, CALLS: calls})
    batch = Batch(
        source=str(source),
        output=output,
        work=work,
        corrects=session.method.corrects,
        engine=engine or LocalEngine(),
        budget=Budget(limits),
        stop_after=stop_after,
        on_row=on_row or (lambda _: None),
        say=say or terminal.say,
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return batch.run(anew=anew, retry_failed=retry_failed)
    # A loop runs in this thread, and engines start their own.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(batch.run, anew=anew, retry_failed=retry_failed).result()


def _checked(work: Work) -> Session:
    """A session with the work's settings, before any row is read.

    Raises SettingError if one cannot be used, or the method cannot do the work.
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
    return session


def _check_places(source: str, output: Output, session: Session, *, on_ray: bool) -> None:
    if source != STDIN and output.is_own(Path(source)):
        raise InputError(
            f"{source!r} is the input, and the output {str(output.path)!r} would be written over "
            "it; name another --out"
        )
    if source.endswith(".parquet") and not on_ray:
        raise InputError(f"{source!r}: --engine ray reads Parquet; else give JSON lines")
    known = {*session.method.record.__dataclass_fields__}
    known |= {"id", "error", "question", "draft", "response"}  # a failed row's
    known |= {"counts", "checked"} if session.method.corrects else set()
    if unknown := sorted({*output.fields} - known):
        raise SettingError(
            f"fields: a result of {session.method.name} has no {unknown[0]!r}; it has "
            f"{', '.join(sorted(known))}"
        )


@dataclass(kw_only=True)
class Batch:
    """One run over the whole input, leaving out the rows that earlier runs have done."""

    source: str
    output: Output
    work: Work
    corrects: bool
    """Whether a draft suffices; else a row needs a question."""
    engine: Engine | RayEngine
    budget: Budget
    """What this run may spend; rows under way when it is used up are finished."""
    stop_after: int
    on_row: OnRow
    say: Say
    totals: Totals = field(default_factory=Totals)
    done: set[int] = field(default_factory=set)
    """The digests of the ids of the rows in the output."""

    def run(self, *, anew: bool, retry_failed: bool) -> Totals:
        """Work on every row that is not done; return what was done and what it cost.

        Raises InputError if the input or the output cannot be used, AccessError if a model's server
        refuses the key or the model.
        """
        output, totals = self.output, self.totals
        # The input is opened first: if that fails, `anew` must not have removed the output.
        with output.held(), self._opened() as source:
            try:
                output.check_run(self.work, anew=anew)
                if retry_failed:
                    output.drop_failed()
                for row in output.rows():
                    self.done.add(digest(row["id"]))
                    totals.failed_before += "error" in row
                path = output.beside("problems.jsonl")
                with LineFile(path, afresh=True) as problems, LineFile(output.path) as file:
                    self._run_engine(source, problems, file)
                if not totals.problems:
                    path.unlink()
            except OSError as error:
                raise InputError(
                    f"cannot go on: {error}; what is done is in {output.path}, and the same "
                    "command goes on from there"
                ) from error
        return totals

    def _opened(self) -> BinaryIO:
        """The input; an empty one for Ray, which reads files by itself."""
        if not isinstance(self.engine, RayEngine):
            return open_rows(self.source)
        if "://" not in self.source and not Path(self.source).exists():
            raise InputError(f"cannot read {self.source!r}: there is no such file")
        return BytesIO()

    def _run_engine(self, source: BinaryIO, problems: LineFile, file: LineFile) -> None:
        """Keep what the engine hands back, until the end or a reason to stop."""
        totals = self.totals
        try:
            for row in self._results(source, problems):
                name = digest(row["id"])
                if name in self.done or not row["id"]:
                    error = TWICE if row["id"] else row["error"]
                    self._tell(problems, Problem(file=self.source, line=0, error=error))
                    continue
                self.done.add(name)
                file.add(self.output.chosen(row))
                totals.count(row)
                self.on_row(totals)
        except KeyboardInterrupt:
            totals.stopped = INTERRUPTED
        except AccessError as error:
            totals.stopped = str(error)
            raise

    def _results(self, source: BinaryIO, problems: LineFile) -> Iterator[Mapping[str, Any]]:
        """The output rows of what is not done; Ray reads the rows by itself, without a problem."""
        if not isinstance(self.engine, RayEngine):
            yield from self.engine(self.work, self._rows(source, problems))
            return
        totals = self.totals
        totals.rows = totals.before = len(self.done)
        for row in () if self._is_over() else self.engine(self.work, self.source, self.done):
            totals.rows += 1
            yield row
            if self._is_over():
                return

    def _rows(self, source: BinaryIO, problems: LineFile) -> Iterator[BatchRow]:
        """The rows to work on, read lazily."""
        totals, seen = self.totals, set[int]()
        name = STDIN_NAME if self.source == STDIN else self.source
        for number, row in read_rows(source, name, corrects=self.corrects):
            own = digest(row.id)
            if isinstance(row, Problem):
                self._tell(problems, row)
                continue
            if own in seen:
                self._tell(problems, Problem(file=name, line=number, id=row.id, error=TWICE))
                continue
            is_done = own in self.done
            if not is_done and self._is_over():
                return
            totals.before += is_done
            seen.add(own)
            totals.rows += 1
            if not is_done:
                yield row

    def _is_over(self) -> bool:
        """Whether no further row may start; the totals then say why."""
        totals, self.budget.spent = self.totals, self.totals.cost
        if self.stop_after and totals.in_a_row >= self.stop_after:
            last = totals.first_error
            totals.stopped = f"{totals.in_a_row} rows failed one after another: {last}"
        elif limit := self.budget.used_up:
            totals.stopped = f"the batch's limit is reached: {limit}"
        return bool(totals.stopped)

    def _tell(self, problems: LineFile, problem: Problem) -> None:
        """Write a problem to its file, and print it if it is among the first `SAID`."""
        self.totals.problems += 1
        if self.totals.problems <= SAID:
            self.say(f"errata: {problem}")
        problems.add({name: value for name, value in vars(problem).items() if value})

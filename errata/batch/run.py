"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from errata.batch.lines import LineFile
from errata.batch.local_engine import LocalEngine, by_models
from errata.batch.output import Output, ProblemFile, Say, digest
from errata.batch.parquet import ParquetRows, check_fields, is_parquet
from errata.batch.ray_engine import RayEngine
from errata.batch.rows import ERROR, ID, MAX_ROW_BYTES, BatchRow, JsonLines, Problem, Source, until
from errata.batch.totals import STOP_AFTER, BatchLimits, OnRow, Stop, Totals
from errata.batch.work import Engine, Work
from errata.core.errors import AccessError, InputError, SettingError
from errata.render import terminal
from errata.session import Session
from errata.tools.files.decoding import STDIN

CALLS = "call_cache"
"""The setting that says where paid replies are kept."""
TWICE = "its id is that of an earlier row; give each row its own, or leave all ids out"


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
    max_row_bytes: int = MAX_ROW_BYTES,
    stop_after: int = STOP_AFTER,
    limits: BatchLimits = BatchLimits(),  # noqa: B008  frozen
    on_row: OnRow | None = None,
    say: Say | None = None,
    **settings: Any,
) -> Totals:
    """Correct, check or answer every row of a file, and lose none of them.

    `source` is a file of JSON lines (`-`: standard input) or, named `*.parquet`, of Parquet, with
    rows `{id, question, draft?, documents?}`; `out`, named in the same way, gets a row for each id.
    Each row is on the disk before it counts as done, and a run that was killed goes on when it is
    called again. Lines that are no rows are kept in `OUT.problems.jsonl`; a row that failed is in
    the output with its `error`, and `retry_failed` runs it again. `engine` works on the rows,
    `LocalEngine()` by default; `fields` are the fields of a row to write, all by default;
    `settings` are fields of the method's Context, as JSON values.

    Returns what was done and what it cost. Raises SettingError if a setting cannot be used,
    InputError if a file cannot, or holds rows of other work, and AccessError if a model's server
    refuses the key or the model; the rows done until then are in the output.
    """
    work = Work(method, {**settings, **({"corpus": str(corpus)} if corpus else {})}, check)
    session = _checked(work)
    if limits.money is not None:
        session.context.check_prices()
    path = Path(out)
    # Rewriting the output would replace a link to it.
    output = Output(path.resolve() if path.is_symlink() else path, tuple(fields))
    _check_places(str(source), output, session)
    kind = ParquetRows if is_parquet(source) else JsonLines
    on_many = isinstance(engine, RayEngine) and bool(engine.address)
    batch = Batch(
        source=kind(str(source), corrects=session.method.corrects, most=max_row_bytes),
        output=output,
        work=work if on_many else _with_call_cache(work, session, output),
        engine=engine or LocalEngine(),
        anew=anew,
        retry_failed=retry_failed,
        stop=Stop(Totals(), limits, stop_after, say or terminal.say),
        on_row=on_row or (lambda _: None),
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return batch.run()
    # A loop runs in this thread, and engines start their own.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(batch.run).result()


def _checked(work: Work) -> Session:
    """A session with the work's settings, before any row is read.

    Raises SettingError if one cannot be used, or the method cannot do the work.
    """
    if "checkpoints" in work.settings:
        raise SettingError(
            "a batch takes no checkpoints, and needs none: it goes on by the ids in its output; "
            "leave them out"
        )
    try:
        json.dumps(dict(work.settings))
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"a batch's settings must be JSON values, for it is gone on with by them: {error}"
        ) from error
    session = work.open_session()
    if work.check:
        session.check_verb(corrects=True)
    return session


def _check_places(source: str, output: Output, session: Session) -> None:
    if source != STDIN and output.is_own(Path(source)):
        raise InputError(
            f"{source!r} is the input, and the output {str(output.path)!r} would be written over "
            "it; name another --out"
        )
    if is_parquet(output.path):
        check_fields(output.fields)
    elif unknown := sorted(set(output.fields) - _known_fields(session)):
        known = ", ".join(sorted(_known_fields(session)))
        raise SettingError(
            f"fields: a result of {session.method.name} has no {unknown[0]!r}; it has {known}"
        )


def _known_fields(session: Session) -> set[str]:
    """The fields of an output row, done or failed."""
    derived = {"counts", "checked"} if session.method.corrects else set()
    failed = {ID, ERROR, "question", "draft", "response"}
    return {*session.method.record.__dataclass_fields__, *derived, *failed}


def _with_call_cache(work: Work, session: Session, output: Output) -> Work:
    """The work with a cache of paid replies beside the output, where models are asked.

    Not for engines of many machines, which have no file in common, and not where the user or the
    environment names a cache.
    """
    context = session.context
    if CALLS in work.settings or context.replies.cache or not by_models(context):
        return work
    return replace(work, settings={**work.settings, CALLS: str(output.beside("calls.sqlite"))})


@dataclass(kw_only=True)
class Batch:
    """One run over the whole input, leaving out the rows that earlier runs have done."""

    source: Source
    output: Output
    work: Work
    engine: Engine
    stop: Stop
    on_row: OnRow
    anew: bool = False
    """Whether the rows of an earlier run are removed."""
    retry_failed: bool = False
    """Whether the rows that failed in an earlier run are run again."""
    _under_way: set[int] = field(default_factory=set)
    """The digests of the rows that the engine was given and has not handed back."""

    def run(self) -> Totals:
        """Work on every row that is not done; return what was done and what it cost.

        Raises InputError if the input or the output cannot be used, AccessError if a model's server
        refuses the key or the model.
        """
        with self.output.held():
            # Read the input first: if that fails, `anew` must not have removed the output.
            self.totals.expected = self.source.count()
            try:
                self._work_through(self._done_before())
            except OSError as error:
                raise InputError(
                    f"cannot go on: {error}; what is done is in {self.output.rows}, and the same "
                    "command goes on from there"
                ) from error
        return self.totals

    def _done_before(self) -> set[int]:
        """The digests of the rows that need no run."""
        self.output.check_run(self.work, anew=self.anew)
        self.output.put_failed_back()  # of an earlier run that was killed
        if self.retry_failed:
            self.output.set_failed_aside()
        known = self.output.known()
        self.totals.failed_before = known.failed
        return known.ids

    @property
    def totals(self) -> Totals:
        """How far the run is."""
        return self.stop.totals

    def _work_through(self, done: set[int]) -> None:
        try:
            self._run_engine(done)
        finally:
            self.totals.failed_before += self.output.put_failed_back()
        if not self.totals.stopped:
            self.output.finish()

    def _run_engine(self, done: set[int]) -> None:
        problems = ProblemFile(self.output.beside("problems.jsonl"), self.stop.say)
        with self.stop.on_signals(), problems, closing(self.output.open()) as file:
            try:
                for row in self.engine(self.work, self._rows(done, problems)):
                    self._keep(row, file)
            except KeyboardInterrupt:
                self.totals.stopped = self.totals.stopped or "it was interrupted"
            except AccessError as error:
                self.totals.stopped = str(error)
                raise

    def _rows(self, done: set[int], problems: ProblemFile) -> Iterator[BatchRow]:
        """The rows to work on, read lazily."""
        seen = set[int]()
        for number, row in self._read():
            found = self._looked_at(row, number, seen)
            if isinstance(found, Problem):
                self.totals.problems += 1
                problems.add(found)
                continue
            name = digest(found.id)
            if name in done:
                done.discard(name)  # it is in `seen` now
                self.totals.before += 1
                self.totals.rows += 1
            elif self.stop.due():
                return
            else:
                self._under_way.add(name)
                self.totals.rows += 1
                yield found

    def _read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """The input; a pipe, which may never end, is read only until the batch must stop."""
        rows = self.source.read()
        return rows if self.totals.expected is not None else until(self.stop.due, rows)

    def _looked_at(
        self, row: BatchRow | Problem, number: int, seen: set[int]
    ) -> BatchRow | Problem:
        """The row, or a problem if an earlier row has its id."""
        if isinstance(row, Problem):
            return row
        name = digest(row.id)
        if name in seen:
            return Problem(file=self.source.name, line=number, id=row.id, error=TWICE)
        seen.add(name)
        return row

    def _keep(self, row: Mapping[str, Any], file: LineFile) -> None:
        """Write an output row, once: an engine that repeats work may hand a row back twice."""
        name = digest(row[ID])
        if name not in self._under_way:
            return
        self._under_way.discard(name)
        file.add(self.output.chosen(row))
        self.totals.count(row)
        self.stop.count(row)
        self.on_row(self.totals)

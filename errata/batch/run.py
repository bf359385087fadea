"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from errata.batch.local_engine import LocalEngine, by_models
from errata.batch.output import Output, ProblemFile, Say, digest
from errata.batch.ray_data import RayEngine
from errata.batch.rows import MAX_ROW_BYTES, BatchRow, Problem, Source, until
from errata.batch.totals import STOP_AFTER, OnRow, Stop, Totals
from errata.batch.work import Engine, Work
from errata.core.budgets import Budget
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
    engine: Engine | RayEngine | None = None,
    fields: Sequence[str] = (),
    anew: bool = False,
    retry_failed: bool = False,
    max_row_bytes: int = MAX_ROW_BYTES,
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
    context = session.context
    if limits.get("money") is not None:
        context.check_prices()
    path, on_ray = Path(out), isinstance(engine, RayEngine)
    # Rewriting the output would replace a link to it.
    output = Output(path.resolve() if path.is_symlink() else path, tuple(fields))
    _check_places(str(source), output, session, on_ray=on_ray)
    cached = CALLS in work.settings or bool(context.replies.cache)
    on_many = isinstance(engine, RayEngine) and bool(engine.address)
    if by_models(context) and not cached and not on_many:  # many machines have no file in common
        calls = str(output.beside("calls.sqlite"))
        work = replace(work, settings={**work.settings, CALLS: calls})
    batch = Batch(
        source=Source(str(source), session.method.corrects, max_row_bytes),
        output=output,
        work=work,
        engine=engine or LocalEngine(),
        stop=Stop(Totals(), Budget(limits), stop_after, say or terminal.say),
        on_row=on_row or (lambda _: None),
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
    if on_ray and "://" not in source and not Path(source).exists():
        raise InputError(f"cannot read {source!r}: there is no such file; Ray reads files alone")
    if source.endswith(".parquet") and not on_ray:
        raise InputError(f"{source!r}: --engine ray reads Parquet; else give JSON lines")
    if output.path.suffix == ".parquet":
        raise InputError(f"--out {output.path}: results are JSON lines; name it *.jsonl")
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

    source: Source
    output: Output
    work: Work
    engine: Engine | RayEngine
    stop: Stop
    on_row: OnRow

    def run(self, *, anew: bool, retry_failed: bool) -> Totals:
        """Work on every row that is not done; return what was done and what it cost.

        Raises InputError if the input or the output cannot be used, AccessError if a model's server
        refuses the key or the model.
        """
        output, totals = self.output, self.stop.totals
        with output.held():
            # Read the input first: if that fails, `anew` must not have removed the output.
            on_ray = isinstance(self.engine, RayEngine)
            totals.expected = None if on_ray else self.source.count()
            try:
                output.check_run(self.work, anew=anew)
                if retry_failed:
                    output.drop_failed()
                done, totals.failed_before = output.known()
                problems = ProblemFile(output.beside("problems.jsonl"), self.stop.say)
                with self.stop.on_signals(), closing(problems):
                    self._run_engine(done, problems)
            except OSError as error:
                raise InputError(
                    f"cannot go on: {error}; what is done is in {output.path}, and the same "
                    "command goes on from there"
                ) from error
        return totals

    def _run_engine(self, done: set[int], problems: ProblemFile) -> None:
        """Keep what the engine hands back, until the end or a reason to stop."""
        totals = self.stop.totals
        try:
            with self.output.open() as file:
                for row in self._results(done, problems):
                    name = digest(row["id"])
                    if name in done or not row["id"]:
                        self._tell(problems, 0, row["id"], TWICE if row["id"] else row["error"])
                        continue
                    done.add(name)
                    file.add(self.output.chosen(row))
                    totals.count(row)
                    self.stop.count(row)
                    self.on_row(totals)
        except KeyboardInterrupt:
            totals.stopped = totals.stopped or "it was interrupted"
        except AccessError as error:
            totals.stopped = str(error)
            raise

    def _results(self, done: set[int], problems: ProblemFile) -> Iterator[Mapping[str, Any]]:
        """The output rows of what is not done; Ray reads the rows by itself, without a problem."""
        totals = self.stop.totals
        if not isinstance(self.engine, RayEngine):
            yield from self.engine(self.work, self._rows(done, problems))
            return
        totals.rows = totals.before = len(done)
        results = iter(()) if self.stop.due() else self.engine(self.work, self.source.place, done)
        for row in results:
            totals.rows += 1
            yield row
            if self.stop.due():
                return

    def _rows(self, done: set[int], problems: ProblemFile) -> Iterator[BatchRow]:
        """The rows to work on, read lazily; a pipe, which may never end, until the batch stops."""
        totals, seen = self.stop.totals, set[int]()
        rows = self.source.read()
        for number, row in rows if totals.expected is not None else until(self.stop.due, rows):
            name = digest(row.id)
            if isinstance(row, Problem):
                self._tell(problems, number, row.id, row.error)
            elif name in seen:
                self._tell(problems, number, row.id, TWICE)
            elif name in done:
                seen.add(name)
                totals.before += 1
                totals.rows += 1
            elif self.stop.due():
                return
            else:
                seen.add(name)
                totals.rows += 1
                yield row

    def _tell(self, problems: ProblemFile, number: int, name: str, error: str) -> None:
        self.stop.totals.problems += 1
        problems.add(Problem(file=self.source.name, line=number, id=name, error=error))

"""The course of a batch: rows go to an engine, its rows to the output, each id once."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from errata.batch.lines import LineFile
from errata.batch.output import Output, digest
from errata.batch.problems import Problem, ProblemFile
from errata.batch.rows import Source
from errata.batch.totals import OnRow, Stop, Totals
from errata.batch.waiting import until
from errata.batch.work import ID, BatchRow, Engine, Work
from errata.core.errors import AccessError, InputError

TWICE = "its id is that of an earlier row; give each row its own, or leave all ids out"


@dataclass(kw_only=True)
class Batch:
    """One run over the whole input, which leaves out what an earlier one has done."""

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
    """The digests of the rows that the engine has and has not handed back."""

    def run(self) -> Totals:
        """Work on every row that is not done; what was done, and what it cost.

        Raises InputError if the input or the output cannot be used, AccessError if a model's server
        refuses the key or the model.
        """
        with self.output.held():
            # An input that cannot be read must not cost what the output holds.
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
        self.output.put_failed_back()  # an earlier run was killed
        if self.retry_failed:
            self.output.set_failed_aside()
        known = self.output.known()
        self.totals.failed_before = known.failed
        return known.ids

    @property
    def totals(self) -> Totals:
        """How far it is."""
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
        """The rows that are to be worked on, read as they are asked for."""
        seen = set[int]()
        for number, row in self._read():
            found = self._looked_at(row, number, seen)
            if isinstance(found, Problem):
                self.totals.problems += 1
                problems.add(found)
                continue
            name = digest(found.id)
            if name in done:
                done.discard(name)  # it is among those seen now
                self.totals.before += 1
                self.totals.rows += 1
            elif self.stop.due():
                return
            else:
                self._under_way.add(name)
                self.totals.rows += 1
                yield found

    def _read(self) -> Iterator[tuple[int, BatchRow | Problem]]:
        """The input; of a pipe, which may never say more, only until the batch is to stop."""
        rows = self.source.read()
        return rows if self.totals.expected is not None else until(self.stop.due, rows)

    def _looked_at(
        self, row: BatchRow | Problem, number: int, seen: set[int]
    ) -> BatchRow | Problem:
        """The row, or the problem that its id is another row's already."""
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

"""What is wrong with lines of a batch's input: told and kept, and no other row suffers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from errata.batch.lines import LineFile
from errata.core.jsonable import to_json

Say = Callable[[str], None]
"""Takes a line for the person at the terminal."""
SAID = 100
"""How many problems are told in words; all are in the file."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A line of the input that is no row."""

    file: str
    line: int
    """Its number, from 1; of a Parquet file that of the row."""
    error: str
    id: str = ""
    """Its id, where that could be read."""

    def __str__(self) -> str:
        """The problem in words, with its place."""
        return f"{self.file}, line {self.line}: {self.error}"


class ProblemFile:
    """The problems of a run beside its output, as JSON lines; no file if there are none."""

    def __init__(self, path: Path, say: Say) -> None:
        """Forget those of an earlier run: this one reads the same input from its start."""
        self._path, self._say = path, say
        self._file: LineFile | None = None
        self.count = 0
        path.unlink(missing_ok=True)

    def add(self, problem: Problem) -> None:
        """Tell a problem and keep it."""
        self.count += 1
        if self.count <= SAID:
            self._say(f"errata: {problem}")
        elif self.count == SAID + 1:
            self._say(f"errata: further problems are only kept, in {self._path}")
        self._file = self._file or LineFile(self._path, afresh=True)
        values = to_json(problem)
        self._file.add(values if problem.id else {n: v for n, v in values.items() if n != "id"})

    def __enter__(self) -> Self:
        """Close the file when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Have all problems on the disk."""
        if self._file:
            self._file.close()

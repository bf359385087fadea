"""Tables as Markdown, for terminals, leaderboards and papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from errata.evals.items import Figure

MISSING = "-"
"""Stands where there is no figure, as in the papers' tables."""
_MARKDOWN = {mark: f"\\{mark}" for mark in "\\|`*_[]<>~$#&"}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Our figure, and beside it a paper's, where there are such."""

    ours: Figure | str | None = None
    """A figure, or in words why there is none; None where nothing of ours belongs."""
    paper: str | None = None
    """As the paper prints it; None in a table that no paper has."""
    scale: float = 1
    """What our figure is multiplied with, such as 100 for a percentage."""
    digits: int = 1
    """Decimals of our figure."""

    def __str__(self) -> str:
        """Our figure with its interval, then the paper's after a bar, if the table has one."""
        ours = self.ours
        if isinstance(ours, Figure):
            ends = (ours.value, ours.low, ours.high)
            value, low, high = (
                "" if end is None else f"{end * self.scale:.{self.digits}f}" for end in ends
            )
            ours = f"{value} ({low}–{high})" if value and low and high else value
        return f"{ours or MISSING}{'' if self.paper is None else f' | {self.paper or MISSING}'}"


@dataclass(frozen=True)
class TableRow:
    """A label and a cell for each column."""

    label: str
    cells: tuple[Cell, ...]
    group: str = ""
    """The heading of a block of rows that follow each other; empty: none."""


@dataclass(frozen=True)
class Table:
    """Rows under headings, with a caption above and notes below."""

    caption: str
    columns: tuple[str, ...]
    """The headings: of the labels, then of each cell."""
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()

    def blocks(self) -> Iterator[tuple[str, list[list[str]]]]:
        """The headings of blocks, each with its rows as texts."""
        for group, rows in groupby(self.rows, key=lambda row: row.group):
            yield group, [[row.label, *map(str, row.cells)] for row in rows]


def _escape(text: str, marks: Mapping[str, str]) -> str:
    return "".join(marks.get(mark, mark) for mark in " ".join(text.split()))


def to_markdown(table: Table) -> str:
    """The table as GitHub's Markdown, which ends in a line break."""

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(_escape(cell, _MARKDOWN) for cell in cells)} |"

    others = len(table.columns) - 1
    head = "|" + "|".join([" --- ", *[" ---: "] * others]) + "|"
    lines = [f"**{_escape(table.caption, _MARKDOWN)}**", "", line(table.columns), head]
    for group, rows in table.blocks():
        if group:
            lines.append(f"| *{_escape(group, _MARKDOWN)}* {line([''] * others)}")
        lines += map(line, rows)
    for note in table.notes:
        lines += ["", _escape(note, _MARKDOWN)]
    return "\n".join(lines) + "\n"

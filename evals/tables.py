"""One writer of tables: in a terminal, as Markdown and as LaTeX; for leaderboards and papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from errata.evals.scoring import Figure

MISSING = "-"
"""Stands where there is no figure, as in the papers' tables."""
_MARKDOWN = {mark: f"\\{mark}" for mark in "\\|`*_[]<>~$#&"}
_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "[": "{[}",
    "]": "{]}",
    **{mark: f"\\{mark}" for mark in "{}$&#%_"},
}


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
        ours = self.ours if isinstance(self.ours, str) else self._figure()
        return ours if self.paper is None else f"{ours} | {self.paper or MISSING}"

    def _figure(self) -> str:
        if not isinstance(self.ours, Figure):
            return MISSING
        interval = self._interval(self.ours)
        if self.ours.value is None:
            return interval or MISSING
        return f"{self._number(self.ours.value)} ({interval})".removesuffix(" ()")

    def _interval(self, figure: Figure) -> str:
        if figure.low is None or figure.high is None:
            return ""
        return f"{self._number(figure.low)}–{self._number(figure.high)}"

    def _number(self, value: float) -> str:
        return f"{value * self.scale:.{self.digits}f}"


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

    def __post_init__(self) -> None:
        """Refuse a row that does not fill the columns.

        Raises ValueError.
        """
        for row in self.rows:
            if len(row.cells) != len(self.columns) - 1:
                raise ValueError(
                    f"the row {row.label!r} has {len(row.cells)} cells; "
                    f"there are {len(self.columns) - 1} columns beside the labels"
                )


def to_text(table: Table) -> RenderableType:
    """The table for a terminal; print it with a rich Console."""
    printed = RichTable()
    for place, heading in enumerate(table.columns):
        printed.add_column(Text(heading), justify="right" if place else "left")
    for group, rows in _blocks(table):
        if group:
            printed.add_section()
            printed.add_row(Text(group, style="italic"))
        for row in rows:
            printed.add_row(Text(row.label), *(Text(str(cell)) for cell in row.cells))
    return Group(Text(table.caption, style="bold"), printed, *map(Text, table.notes))


def to_markdown(table: Table) -> str:
    """The table as GitHub's Markdown, which ends in a line break."""
    lines = [
        f"**{_escape(table.caption, _MARKDOWN)}**",
        "",
        _markdown_row(table.columns),
        "|" + "|".join([" --- ", *[" ---: "] * (len(table.columns) - 1)]) + "|",
    ]
    for group, rows in _blocks(table):
        if group:
            empty = [""] * (len(table.columns) - 1)
            lines.append(f"| *{_escape(group, _MARKDOWN)}* " + _markdown_row(empty))
        lines += [_markdown_row([row.label, *map(str, row.cells)]) for row in rows]
    for note in table.notes:
        lines += ["", _escape(note, _MARKDOWN)]
    return "\n".join(lines) + "\n"


def to_latex(table: Table) -> str:
    """The table as a LaTeX float that needs no package, which ends in a line break."""
    width = len(table.columns)
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escape(table.caption, _LATEX)}}}",
        rf"\begin{{tabular}}{{l{'r' * (width - 1)}}}",
        r"\hline",
        _latex_row(table.columns),
        r"\hline",
    ]
    for group, rows in _blocks(table):
        if group:
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_escape(group, _LATEX)}}}}} \\")
        lines += [_latex_row([row.label, *map(str, row.cells)]) for row in rows]
    lines += [r"\hline", r"\end{tabular}"]
    lines += [rf"\par {_escape(note, _LATEX)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _blocks(table: Table) -> Iterator[tuple[str, list[TableRow]]]:
    for group, rows in groupby(table.rows, key=lambda row: row.group):
        yield group, list(rows)


def _escape(text: str, marks: Mapping[str, str]) -> str:
    return "".join(marks.get(mark, mark) for mark in " ".join(text.split()))


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_escape(cell, _MARKDOWN) for cell in cells)} |"


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_escape(cell, _LATEX) for cell in cells) + r" \\"

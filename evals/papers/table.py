"""What a table of a paper is: its printed figures, and the runs of ours that stand beside them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Literal

from errata.evals.papers.measures import Removal
from errata.evals.scoring import Figure, Row, Task
from errata.evals.tables import Cell, Table, TableRow

Need = Literal["model", "search"]
"""What local code cannot stand in for: a model's memory, or pages that no dataset brings along."""
MODEL = "model"
"""As the filler of a role in a task's settings: the model that the user names."""
ABSENT, UNREADABLE = "-", "?"
"""Of a printed figure: the paper has none there, or the text at hand does not show it."""
NEEDS: Mapping[Need, str] = {"model": "a model", "search": "a search engine"}
Compute = Callable[[Sequence[Row]], Figure]
"""A figure of a run's rows that no scorer has."""
Key = tuple[str, str]
"""A row of a table: its block's heading, which may be empty, and its label."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A task, and what is done to its items before."""

    task: Task
    drafts: Task | None = None
    """The task whose responses are the drafts to correct; None: the dataset's own."""
    removal: Removal | None = None
    """What is taken out of its documents."""
    needs: tuple[Need, ...] = ()
    """What the run cannot do without; empty: it runs with local code alone."""

    @property
    def name(self) -> str:
        """Another name for each that may come out otherwise, as a file name."""
        drafts = f"-on-{self.drafts.name}" if self.drafts else ""
        return f"{self.task.name}{drafts}{f'-{self.removal.name}' if self.removal else ''}"

    def task_for(self, model: str) -> Task:
        """The task, with the user's model in each role that is filled by `MODEL`."""
        roles = self.task.settings.get("roles", {})
        filled = {role: model if spec == MODEL else spec for role, spec in roles.items()}
        own = {"roles": filled} if roles else {}
        return replace(self.task, settings={**self.task.settings, **own})

    @property
    def missing(self) -> str:
        """In words, what it needs."""
        return f"needs {' and '.join(NEEDS[need] for need in self.needs)}"


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column: which figure of which run stands beside which of the paper's."""

    name: str
    run: str
    """The key of the row's run."""
    figure: str | Compute = ""
    """`scorer.figure`, such as `match.accuracy`, or what makes it of the run's rows."""
    paper: tuple[str, ...] = ()
    """The paper's columns that stand beside ours, as for two models; empty: the one so named."""
    scale: float = 100
    """What our figure is multiplied with to be in the paper's unit; 100: a percentage."""
    digits: int = 1
    unit: Key | None = None
    """The row whose figure is 1, where the paper prints ratios."""


@dataclass(frozen=True, kw_only=True)
class PaperRow:
    """A row: the paper's figures by its columns, and our runs by the names that columns use."""

    label: str
    group: str = ""
    printed: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, Run | Figure] = field(default_factory=dict)
    """A figure: a formula gives it. Empty: the paper's figures alone, as those of other models."""


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """A table or figure of a paper."""

    name: str
    """As a command takes it: `rac:2`."""
    caption: str
    source: str
    """The paper and the place in it."""
    columns: tuple[Column, ...]
    rows: tuple[PaperRow, ...]
    notes: tuple[str, ...] = ()
    """What differs from the paper, and what of its figures could not be read."""
    axis: str = ""
    """What the columns are places of, for a figure of lines; empty: it is a table."""

    def runs(self) -> list[Run]:
        """The runs of all columns, each once."""
        found = (row.runs.get(column.run) for row in self.rows for column in self.columns)
        return list({run.name: run for run in found if isinstance(run, Run)}.values())

    def compare(
        self,
        figures: Mapping[str, Mapping[str, Figure]],
        rows: Mapping[str, Sequence[Row]] | None = None,
    ) -> Table:
        """The table with our figures beside the paper's.

        `figures` are by run and `scorer.figure`; `rows`, by run, are what other figures are made
        of. A run that is in neither says what it needs.
        """
        results = Results(self, figures, rows or {})
        printed = [
            TableRow(
                row.label,
                tuple(_cell(column, row, results.find(row, column)) for column in self.columns),
                row.group,
            )
            for row in self.rows
        ]
        headings = ("", *(column.name for column in self.columns))
        return Table(f"{self.caption} ({self.source})", headings, tuple(printed), self.notes)

    def lines(
        self, figures: Mapping[str, Mapping[str, Figure]]
    ) -> dict[str, list[tuple[float, Figure]]]:
        """For a figure of lines: each row's figures by the place along the axis."""
        results = Results(self, figures, {})
        lines = {
            row.label: [
                (float(column.run), found)
                for column in self.columns
                if isinstance(found := results.find(row, column), Figure)
            ]
            for row in self.rows
        }
        return {label: line for label, line in lines.items() if line}


@dataclass(frozen=True)
class Results:
    """What came of a table's runs."""

    table: PaperTable
    figures: Mapping[str, Mapping[str, Figure]]
    rows: Mapping[str, Sequence[Row]]

    def find(self, row: PaperRow, column: Column) -> Figure | str | None:
        """Our figure of a cell, or in words why there is none; None: nothing belongs there."""
        run = row.runs.get(column.run)
        if not isinstance(run, Run):
            return run
        figure = self._measured(run, column)
        if figure is None:
            return self._reason(run)
        return self._in_units(figure, run, column) if column.unit else figure

    def _reason(self, run: Run) -> str:
        """In words, why a run has no such figure."""
        if run.name in self.figures:
            return "not measured"
        return run.missing if run.needs else "not run"

    def _measured(self, run: Run, column: Column) -> Figure | None:
        if isinstance(column.figure, str):
            return self.figures.get(run.name, {}).get(column.figure)
        rows = self.rows.get(run.name)
        return None if rows is None else column.figure(rows)

    def _in_units(self, figure: Figure, run: Run, column: Column) -> Figure:
        """A ratio to the unit's figure; where the unit wrote the drafts, it comes on top."""
        unit = next(row for row in self.table.rows if (row.group, row.label) == column.unit)
        written = unit.runs[column.run]
        base = self._measured(written, column) if isinstance(written, Run) else written
        if not base or not base.value:
            return Figure(None)
        start, whole = 1.0 if run.drafts else 0.0, base.value
        ends = (figure.value, figure.low, figure.high)
        value, low, high = (None if end is None else start + end / whole for end in ends)
        return Figure(value, low, high, figure.count)


def paper_table(
    name: str,
    *,
    caption: str,
    source: str,
    columns: Iterable[Column],
    runs: Mapping[Key, Mapping[str, Run | Figure]],
    notes: tuple[str, ...] = (),
    axis: str = "",
) -> PaperTable:
    """A table with the printed figures of `figures/PAPER.json`, and our runs by row.

    Raises ValueError if there are runs for a row that is not printed.
    """
    paper, _, number = name.partition(":")
    printed = dict(_printed(paper.replace("-", ""), number))
    if unknown := set(runs) - set(printed):
        raise ValueError(f"{name}: no such row is printed: {sorted(unknown)}")
    rows = (
        PaperRow(label=key[1], group=key[0], printed=figures, runs=runs.get(key, {}))
        for key, figures in printed.items()
    )
    return PaperTable(
        name=name,
        caption=caption,
        source=source,
        columns=tuple(columns),
        rows=tuple(rows),
        notes=notes,
        axis=axis,
    )


def _printed(paper: str, number: str) -> Iterator[tuple[Key, dict[str, str]]]:
    text = files(__package__).joinpath("figures", f"{paper}.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)[number]
    for row in table["rows"]:
        figures = dict(zip(table["columns"], row["figures"], strict=True))
        yield (row["group"], row["label"]), figures


def _cell(column: Column, row: PaperRow, ours: Figure | str | None) -> Cell:
    names = column.paper or (column.name,)
    printed = [row.printed[name] for name in names if name in row.printed]
    paper = " / ".join(printed) or UNREADABLE
    return Cell(ours=ours, paper=paper, scale=column.scale, digits=column.digits)

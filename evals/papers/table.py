"""What a table of a paper is: its printed figures, and the runs of ours that stand beside them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from errata.evals.items import WEB, Figure, Row, Task
from errata.evals.papers.measures import Removal
from errata.evals.tables import Cell, Table, TableRow

Need = Literal["model", "search"]
"""What local code cannot stand in for: a model's memory, or pages that no dataset brings along."""
MODEL = "model"
"""As the model of a role in a task's settings: the model that the user names."""
ABSENT, UNREADABLE = "-", "?"
"""Of a printed figure: the paper has none there, or the text at hand does not show it."""
NEEDS: Mapping[Need, str] = {"model": "a model", "search": "a search engine"}
SEARCHED = ("popqa", "biography-unlabelled", "pubhealth", "arc", "factprompt")
"""Datasets that bring along what a search finds."""
PAPER = {"profile": "paper"}
MEMORY = {"rag": False}
"""Plain answering without retrieval."""
FACTORED, FACTOR_REVISE = {"variant": "factored"}, {"variant": "factor_revise"}
"""CoVe's two variants in RE-EX's tables."""
RECALLING = ("cove",)
"""Methods whose published form answers from a model's memory."""
UNCHANGED = "no_correction"
"""The control that leaves a draft as it is, and takes no settings."""
Compute = Callable[[Sequence[Row]], Figure]
"""A figure of a run's rows that no scorer has."""
Figures = Mapping[str, Mapping[str, Figure]]
"""By run and `scorer.figure`."""
Rows = Mapping[str, Sequence[Row]]
"""By run."""


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


def run(
    method: str,
    dataset: str,
    own: Mapping[str, Any] | None = None,
    *,
    scorers: tuple[str, ...],
    drafts: Task | None = None,
    needs: tuple[Need, ...] = (),
) -> Run:
    """A run of a method's published form, with its own settings over that."""
    settings = {} if method == UNCHANGED else PAPER | dict(own or {})
    recalls: tuple[Need, ...] = ("model",) if method in RECALLING else ()
    return Run(
        task=Task(dataset=dataset, method=method, settings=settings, scorers=scorers),
        drafts=drafts,
        needs=tuple(dict.fromkeys((*recalls, *needs))),
    )


def searching(dataset: str) -> dict[str, Any]:
    """The setting of a method that searches, where the dataset has what a search finds."""
    return {"search": WEB} if dataset in SEARCHED else {}


Key = tuple[str, str]
"""A row of a table: its block's heading, which may be empty, and its label."""
Runs = Mapping[Key, Mapping[str, Run]]
"""The runs of rows by the names that columns use."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column: which figure of which run stands beside which of the paper's."""

    name: str
    run: str = "run"
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


@dataclass(frozen=True)
class PaperTable:
    """A table or figure of a paper."""

    name: str
    """As a command takes it: `rac:2`."""
    columns: tuple[Column, ...]
    ours: Runs
    """Rows without runs show the paper's figures alone, as those of other models."""
    caption: str
    source: str
    """The paper and the place in it."""
    notes: tuple[str, ...]
    """What differs from the paper, and what of its figures could not be read."""
    printed: Mapping[Key, Mapping[str, str]]
    """The paper's figures by row and column."""

    def runs(self) -> list[Run]:
        """The runs of all columns, each once."""
        rows = (self.ours.get(key, {}) for key in self.printed)
        found = (row.get(column.run) for row in rows for column in self.columns)
        return list({run.name: run for run in found if run}.values())

    def compare(self, figures: Figures, rows: Rows | None = None) -> Table:
        """The table with our figures beside the paper's.

        `rows` are what figures are made of that no scorer has. A run that is in neither says what
        it needs.
        """
        lines = list[TableRow]()
        for (group, label), printed in self.printed.items():
            cells = list[Cell]()
            for column in self.columns:
                names = column.paper or (column.name,)
                paper = " / ".join(printed[n] for n in names if n in printed) or UNREADABLE
                ours = self._find((group, label), column, figures, rows or {})
                cells.append(Cell(ours=ours, paper=paper, scale=column.scale, digits=column.digits))
            lines.append(TableRow(label, tuple(cells), group))
        headings = ("", *(column.name for column in self.columns))
        return Table(f"{self.caption} ({self.source})", headings, tuple(lines), self.notes)

    def _find(self, key: Key, column: Column, figures: Figures, rows: Rows) -> Figure | str | None:
        """Our figure of a cell, or in words why there is none; None: nothing belongs there."""
        run = self.ours.get(key, {}).get(column.run)
        if run is None:
            return None
        figure = _measured(run, column, figures, rows)
        if figure is None:
            missing = " and ".join(NEEDS[need] for need in run.needs)
            nothing = f"needs {missing}" if missing else "not run"
            return "not measured" if run.name in figures else nothing
        if not column.unit:
            return figure
        base = _measured(self.ours[column.unit][column.run], column, figures, rows)
        if not base or not base.value:
            return Figure(None)
        # Where the unit wrote the drafts, what correcting them takes comes on top.
        start, whole = 1.0 if run.drafts else 0.0, base.value
        ends = (figure.value, figure.low, figure.high)
        value, low, high = (None if end is None else start + end / whole for end in ends)
        return Figure(value, low, high, figure.count)


def _measured(run: Run, column: Column, figures: Figures, rows: Rows) -> Figure | None:
    if isinstance(column.figure, str):
        return figures.get(run.name, {}).get(column.figure)
    return column.figure(rows[run.name]) if run.name in rows else None


@cache
def _paper(name: str) -> dict[str, Any]:
    text = files(__package__).joinpath("figures", f"{name}.json").read_text(encoding="utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def paper_table(name: str, columns: Iterable[Column], runs: Runs) -> PaperTable:
    """A table with our runs by row, and what `figures/PAPER.json` says of it and prints.

    Raises ValueError if there are runs for a row that is not printed.
    """
    paper, _, number = name.partition(":")
    told = _paper(paper.replace("-", ""))[number]
    printed = {
        (row["group"], row["label"]): dict(zip(told["columns"], row["figures"], strict=True))
        for row in told["rows"]
    }
    if unknown := set(runs) - set(printed):
        raise ValueError(f"{name}: no such row is printed: {sorted(unknown)}")
    about = (told["caption"], told["source"], tuple(told["notes"]))
    return PaperTable(name, tuple(columns), runs, *about, printed)

"""What an evaluation shows: a paper's table, or methods beside each other with comparisons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from errata.evals.controls import CONTROLS
from errata.evals.harness import Harness
from errata.evals.metrics.estimate import Difference
from errata.evals.papers import table_named
from errata.evals.papers.table import Need, Run
from errata.evals.pictures import draw_comparison
from errata.evals.plots import draw_lines
from errata.evals.scoring import Figure, Row
from errata.evals.tables import Cell, Table, TableRow
from errata.evals.tasks import WEB, Task
from errata.methods import method_named
from errata.tools.models.spec import is_local

FORMED = ("popqa", "pubhealth", "arc")
"""The datasets whose answers have a form of their own, under the same name (CRAG appendix B.1)."""
INTERVALS = "In brackets: the 95% interval of a bootstrap that draws items."
PAIRED = "p: two-sided, by the paired bootstrap; McNemar's exact p where an item is right or wrong."


async def repeat_table(harness: Harness, name: str, plots: Path | None = None) -> Table:
    """A paper's table: its figures beside ours, of the runs that the settings allow.

    Raises SettingError if there is no such table.
    """
    table = table_named(name)
    figures, rows = dict[str, Mapping[str, Figure]](), dict[str, Sequence[Row]]()
    for run in table.runs():
        if _can(harness, run):
            rows[run.name] = await harness.rows(run)
            figures[run.name] = await harness.figures(run)
    if plots and table.axis:
        target = plots / f"{name.replace(':', '-')}.svg"
        draw_lines(table.lines(figures), target, x=table.axis, quality=table.columns[0].figure)
    compared = table.compare(figures, rows)
    notes = _file_notes(harness, (run.task.dataset for run in table.runs() if run.name in rows))
    return replace(compared, notes=(*compared.notes, *notes))


def _file_notes(harness: Harness, datasets: Iterable[str]) -> tuple[str, ...]:
    """What is to be said of the files of some datasets, such as that one is not whole."""
    notes = (harness.reading(name).note for name in dict.fromkeys(datasets))
    return tuple(filter(None, notes))


def _can(harness: Harness, run: Run) -> bool:
    """Whether the settings have what a run cannot do without."""
    settings = harness.runner.settings
    has: dict[Need, bool] = {
        "model": not is_local(settings.get("model", "local")),
        "search": settings.get("search", "none") != "none",
    }
    return all(has[need] for need in run.needs)


async def compare_methods(
    harness: Harness, dataset: str, methods: Sequence[str], plots: Path | None = None
) -> list[Table]:
    """The figures of each method, and how the others differ from the first."""
    runs = {name: Run(task=default_task(harness, dataset, name)) for name in methods}
    figures = {name: await harness.figures(run) for name, run in runs.items()}
    if plots:
        rows = {name: await harness.rows(run) for name, run in runs.items()}
        main, *_ = harness.scorers(runs[methods[0]].task)
        draw_comparison(dataset, figures, rows, main, plots)
    count = len(harness.items(dataset))
    shown = tabulate_figures(f"{dataset}: {count} items", figures)
    tables = [replace(shown, notes=(*shown.notes, *_file_notes(harness, [dataset])))]
    base, others = methods[0], methods[1:]
    if others:
        found = {name: await harness.differences(runs[name], runs[base]) for name in others}
        tables.append(tabulate_differences(base, found))
    return tables


def default_task(harness: Harness, dataset: str, method: str) -> Task:
    """A method in its default form, on a dataset.

    What searches finds the dataset's own pages, if it has any; what answers in a task's form does.
    """
    known = {} if method in CONTROLS else method_named(method).context.model_fields
    has_pages = any(item.web for item in harness.items(dataset))
    settings = {"search": WEB} if has_pages and "search" in known else {}
    form = {"task": dataset} if dataset in FORMED and "task" in known else {}
    return Task(dataset=dataset, method=method, settings=settings | form)


def tabulate_figures(caption: str, by_method: Mapping[str, Mapping[str, Figure]]) -> Table:
    """A row for each metric, in blocks by scorer; a column for each method."""
    names = dict.fromkeys(
        name
        for figures in by_method.values()
        for name, figure in figures.items()
        if figure.value is not None
    )
    rows = [
        TableRow(metric, tuple(_cell(figures.get(name)) for figures in by_method.values()), scorer)
        for name in names
        for scorer, _, metric in [name.partition(".")]
    ]
    return Table(caption, ("metric", *by_method), tuple(rows), (INTERVALS,))


def _cell(figure: Figure | None) -> Cell:
    is_share = figure is not None and figure.value is not None and abs(figure.value) <= 1
    return Cell(ours=figure, digits=3 if is_share else 1)


def tabulate_differences(base: str, by_method: Mapping[str, Mapping[str, Difference]]) -> Table:
    """How much higher each metric is than that of `base`, on the items that both have."""
    rows = [
        TableRow(name, (_difference(found), _number(found.p), _number(found.mcnemar)), method)
        for method, differences in by_method.items()
        for name, found in differences.items()
        if found.value is not None
    ]
    columns = ("metric", "difference", "p", "McNemar's p")
    return Table(f"Differences to {base}", columns, tuple(rows), (INTERVALS, PAIRED))


def _difference(found: Difference) -> Cell:
    return Cell(ours=Figure(found.value, found.low, found.high, found.items), digits=3)


def _number(value: float | None) -> Cell:
    return Cell(ours=None if value is None else f"{value:.3f}")

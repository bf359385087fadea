"""What an evaluation shows: a paper's table, or methods beside each other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from errata.evals.harness import Harness
from errata.evals.items import WEB, Figure, Row, Task
from errata.evals.papers import table_named
from errata.evals.papers.table import Need, Run
from errata.evals.runner import CONTROLS, method_of
from errata.evals.tables import Cell, Table, TableRow
from errata.tools.models.spec import is_local

FORMED = ("popqa", "pubhealth", "arc")
"""The datasets whose answers have a form of their own, under the same name (CRAG appendix B.1)."""
INTERVALS = "In brackets: the 95% interval of a bootstrap that draws items."


async def repeat_table(harness: Harness, name: str) -> Table:
    """A paper's table: its figures beside ours, of the runs that the settings allow.

    Raises SettingError if there is no such table.
    """
    table, settings = table_named(name), harness.runner.settings
    has: dict[Need, bool] = {
        "model": not is_local(settings.get("model", "local")),
        "search": settings.get("search", "none") != "none",
    }
    able = [run for run in table.runs() if all(has[need] for need in run.needs)]
    figures, rows = dict[str, Mapping[str, Figure]](), dict[str, Sequence[Row]]()
    for run in able:
        rows[run.name] = await harness.rows(run)
        figures[run.name] = await harness.figures(run)
    return _with_notes(table.compare(figures, rows), harness, (run.task.dataset for run in able))


def _with_notes(table: Table, harness: Harness, datasets: Iterable[str]) -> Table:
    """The table with what is to be said of the files of datasets, such as that one is not whole."""
    notes = (harness.dataset(name)[1].note for name in dict.fromkeys(datasets))
    return replace(table, notes=(*table.notes, *filter(None, notes)))


async def compare_methods(harness: Harness, dataset: str, methods: Sequence[str]) -> Table:
    """The figures of each method, beside each other."""
    runs = {name: Run(task=default_task(harness, dataset, name)) for name in methods}
    figures = {name: await harness.figures(run) for name, run in runs.items()}
    shown = tabulate_figures(f"{dataset}: {len(harness.items(dataset))} items", figures)
    return _with_notes(shown, harness, [dataset])


def default_task(harness: Harness, dataset: str, method: str) -> Task:
    """A method in its default form, on a dataset.

    What searches finds the dataset's own pages, if it has any; what answers in a task's form does.
    """
    known = {} if method in CONTROLS else method_of(method).context.model_fields
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
    rows = list[TableRow]()
    for name in names:
        scorer, _, metric = name.partition(".")
        cells = list[Cell]()
        for figures in by_method.values():
            figure = figures.get(name)
            is_share = figure and figure.value is not None and abs(figure.value) <= 1
            cells.append(Cell(ours=figure, digits=3 if is_share else 1))
        rows.append(TableRow(metric, tuple(cells), scorer))
    return Table(caption, ("metric", *by_method), tuple(rows), (INTERVALS,))

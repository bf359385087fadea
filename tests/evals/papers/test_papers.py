"""The papers' tables: what they print, what they run, and how both stand beside each other."""

import json

import pytest

from errata.core.errors import SettingError
from errata.core.records import Answer, Document, Usage
from errata.evals.datasets import DATASETS
from errata.evals.items import WEB, Figure, Item, Row
from errata.evals.metrics import scorer_named
from errata.evals.papers import TABLES, table_named
from errata.evals.papers.crag import assessment_accuracy
from errata.evals.papers.measures import queries, query_seconds, query_tokens
from errata.evals.papers.table import ABSENT, MODEL, NEEDS, UNCHANGED, UNREADABLE
from errata.evals.tables import to_markdown
from errata.methods import METHODS as BUILT
from example import correction_of

NAMES = [
    *("rac:2", "rac:3", "rac:4", "rac:5", "rac:7"),
    *("re-ex:1", "re-ex:2", "re-ex:3", "re-ex:9"),
    *("crag:1", "crag:2", "crag:3", "crag:4", "crag:5", "crag:6", "crag:11", "crag:figure3"),
]
RUNS = {run.name: run for table in TABLES.values() for run in table.runs()}
TASKS = {
    each.name: each
    for run in RUNS.values()
    for each in (run.task_for("local"), run.drafts or run.task)
}


def runs_of(table, label, group=""):
    return table.ours.get((group, label), {})


def cells_of(table, label, figures, rows=None, group=""):
    [row] = [
        row for row in table.compare(figures, rows).rows if (row.group, row.label) == (group, label)
    ]
    return [str(cell) for cell in row.cells]


def test_every_table_is_there():
    assert sorted(TABLES) == sorted(NAMES)
    assert table_named("rac:2") is TABLES["rac:2"]
    with pytest.raises(SettingError, match="no table is called 'rac:1'; there is rac:2, rac:3"):
        table_named("rac:1")


@pytest.mark.parametrize("name", NAMES)
def test_every_printed_figure_stands_in_the_table(name):
    table = TABLES[name]
    beside = {paper for column in table.columns for paper in column.paper or (column.name,)}
    assert all(set(row) == beside for row in table.printed.values())
    written = table.compare({})
    text = to_markdown(written)
    assert written.notes
    for figure in (figure for row in table.printed.values() for figure in row.values()):
        number = figure.replace("~", "").removesuffix(" x").removesuffix("K").replace(".", "")
        assert figure in {ABSENT, UNREADABLE} or number.isdigit()
        assert figure.replace("~", "\\~") in text or name == "crag:figure3"


def test_every_task_is_of_a_method_that_takes_its_settings():
    pytest.importorskip("errata_baselines")
    assert {task.method for task in TASKS.values()} == {*BUILT, UNCHANGED} - {"cite", "errata"}
    assert {need for run in RUNS.values() for need in run.needs} == set(NEEDS)
    for task in TASKS.values():
        assert task.dataset in DATASETS
        assert json.loads(json.dumps(task.settings)) == task.settings
        if task.method != UNCHANGED:
            assert task.settings["profile"] == "paper"
            search = {"search": "none"} if task.settings.get("search") == WEB else {}
            roles = {"roles": {}} if MODEL in task.settings.get("roles", {}).values() else {}
            assert BUILT[task.method].context(**{**task.settings, **search, **roles})


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_a_metric_of_a_scorer_of_its_runs(name):
    for column in TABLES[name].columns:
        runs = [own[column.run] for own in TABLES[name].ours.values() if column.run in own]
        assert runs
        if isinstance(column.figure, str) and column.figure:
            scorer, _, metric = column.figure.partition(".")
            assert metric in {*scorer_named(scorer).measures, "bleurt_accuracy"}
            assert all(scorer in run.task.scorers for run in runs)


def test_ours_stand_beside_the_papers():
    table = TABLES["crag:5"]
    run = runs_of(table, "CRAG", "PopQA")["run"]
    figures = {run.name: {"match.accuracy": Figure(0.5125, 0.47, 0.55)}}
    assert cells_of(table, "CRAG", figures, group="PopQA") == ["51.2 (47.0–55.0) | 54.9 / 59.8"]
    assert cells_of(table, "RAG", figures, group="PopQA") == ["not run | 50.5 / 52.8"]


def test_a_run_that_needs_more_says_so():
    figures = {}
    assert cells_of(TABLES["rac:3"], "+Self C+R", figures, group="GPT-3.5-Turbo") == [
        "not run | 88.2",
        "not run | 93.0",
        *[f"needs a model and a search engine | {paper}" for paper in ("61.9", "50.7", "52.8")],
        *[f"needs a search engine | {paper}" for paper in ("72.6", "62.3", "58.8")],
    ]


def test_latency_is_in_generations():
    table = TABLES["rac:5"]
    seconds = {"Generation": 2.0, "RAC": 5.0}
    figures = {
        runs_of(table, label)["bio rag"].name: {"cost.seconds": Figure(value, value, value + 1)}
        for label, value in seconds.items()
    }
    assert cells_of(table, "Generation", figures) == ["1.0 (1.0–1.5) | 1 x"]
    assert cells_of(table, "RAC", figures) == ["3.5 (3.5–4.0) | 3.9 x"]
    assert cells_of(table, "EVER*", figures) == ["not run | 98 x"]
    del figures[runs_of(table, "Generation")["bio rag"].name]
    assert cells_of(table, "RAC", figures) == ["- | 3.9 x"]


def assessed(action, text, *, failed=False):
    document = Document(id="d1", text=text)
    item = Item(id=text, question="Where?", documents=(document,), gold={"answers": ["Rome", ""]})
    result = Answer(method="crag", question="Where?", response="", action=action)
    return Row(item=item) if failed else Row(item=item, result=result)


def test_an_assessment_is_right_if_it_says_whether_a_document_holds_an_answer():
    rows = [
        assessed("correct", "She lived in Rome."),
        assessed("ambiguous", "She was a romantic."),
        assessed("incorrect", "She lived in Rome!"),
        assessed("correct", "She lived in Paris."),
    ]
    assert assessment_accuracy(rows) == Figure(0.5, 0.0, 1.0, 4)
    failed = assessed("correct", "No page.", failed=True)
    assert assessment_accuracy([*rows[:1], failed]).value == 0.5
    assert assessment_accuracy([]).value is None


def corrected(name, method, trail, by_role):
    result = correction_of(method=method, trail=trail, usage=Usage(by_role=by_role))
    return Row(item=Item(id=name, question=""), result=result)


def test_the_query_step_is_measured_alone():
    extract = {"seconds": 1.0, "prompt_tokens": 100, "completion_tokens": 20}
    query = {"seconds": 0.5, "prompt_tokens": 50, "completion_tokens": 10}
    verify = {"seconds": 9.0, "prompt_tokens": 900, "completion_tokens": 90}
    roles = {"extract": extract, "query": query, "verify": verify}
    rows = [
        corrected("1", "factool", {"queries": [["a", "b"], ["c", "d"]]}, roles),
        corrected("2", "factool", {"queries": []}, {}),
        Row(item=Item(id="failed", question=""), error="no reply"),
    ]
    assert queries(rows) == Figure(2.0, 0.0, 4.0, 2)
    assert query_tokens(rows) == Figure(90.0, 0.0, 180.0, 2)
    assert query_seconds(rows) == Figure(0.75, 0.0, 1.5, 2)
    assert queries(rows[2:]).value is None

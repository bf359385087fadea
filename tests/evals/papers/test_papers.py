"""The papers' tables: what they print and run, how both stand beside each other, as Markdown."""

import json

import pytest

from errata.core.records import Answer, Document, Usage
from errata.evals.datasets import DATASETS
from errata.evals.items import WEB, Figure, Item, Row
from errata.evals.metrics import scorer_named
from errata.evals.papers import TABLES
from errata.evals.papers.crag import assessment_accuracy
from errata.evals.papers.measures import Removal, has_answer, queries, query_seconds, query_tokens
from errata.evals.papers.table import ABSENT, MODEL, NEEDS, UNCHANGED, UNREADABLE
from errata.evals.tables import Cell, Table, TableRow, to_markdown
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
    assert cells_of(TABLES["rac:3"], "+Self C+R", {}, group="GPT-3.5-Turbo") == [
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


def assessed(action, text):
    document, gold = Document(id="d1", text=text), {"answers": ["Rome", ""]}
    item = Item(id=text, question="Where?", documents=(document,), gold=gold)
    if not action:
        return Row(item=item)
    result = Answer(method="crag", question="Where?", response="", action=action)
    return Row(item=item, result=result)


def test_an_assessment_is_right_if_it_says_whether_a_document_holds_an_answer():
    rows = [
        assessed("correct", "She lived in Rome."),
        assessed("ambiguous", "She was a romantic."),
        assessed("incorrect", "She lived in Rome!"),
        assessed("correct", "She lived in Paris."),
    ]
    assert assessment_accuracy(rows) == Figure(0.5, 0.0, 1.0, 4)
    assert assessment_accuracy([rows[0], assessed("", "It failed.")]).value == 0.5
    assert assessment_accuracy([]).value is None


def corrected(name, queries, by_role):
    own = {"trail": {"queries": queries}, "usage": Usage(by_role=by_role)}
    return Row(item=Item(id=name, question=""), result=correction_of(method="factool", **own))


def test_the_query_step_is_measured_alone():
    bills = {"extract": (1.0, 100, 20), "query": (0.5, 50, 10), "verify": (9.0, 900, 90)}
    names = ("seconds", "prompt_tokens", "completion_tokens")
    roles = {role: dict(zip(names, bill, strict=True)) for role, bill in bills.items()}
    rows = [
        corrected("1", [["a", "b"], ["c", "d"]], roles),
        corrected("2", [], {}),
        Row(item=Item(id="failed", question=""), error="no reply"),
    ]
    assert queries(rows) == Figure(2.0, 0.0, 4.0, 2)
    assert query_tokens(rows) == Figure(90.0, 0.0, 180.0, 2)
    assert query_seconds(rows) == Figure(0.75, 0.0, 1.5, 2)
    assert queries(rows[2:]).value is None


RIGHT = Document(id="d1", title="Ada", text="She lived in Rome.")
TITLED = Document(id="d2", title="Rome", text="It has hills.")
WRONG = Document(id="d3", text="She lived in Romeville, a promenade.")


def retrieved(number, *documents, answers=("rome", "the Eternal City")):
    gold = {"answers": list(answers)} if answers else {}
    return Item(id=f"q{number}", question="Where?", documents=documents, gold=gold)


def removed(share, items):
    return [Removal(share).change_of(items)(each) for each in items]


def test_accurate_results_go_and_the_others_stay_in_order():
    before = retrieved(1, WRONG, RIGHT, TITLED, WRONG)
    [changed] = removed(1.0, [before])
    assert (changed.documents, changed.gold) == ((WRONG, WRONG), before.gold)
    bare = retrieved(2, RIGHT, answers=())
    assert (has_answer(bare), removed(1.0, [bare])) == (False, [bare])


@pytest.mark.parametrize(("share", "right"), [(0, 20), (0.25, 15), (0.5, 10), (1, 0)])
def test_a_share_of_the_right_retrievals_goes_wrong(share, right):
    items = [retrieved(n, WRONG, *((RIGHT, TITLED) if n % 3 else ())) for n in range(30)]
    assert sum(map(has_answer, removed(share, items))) == right


HOSTILE = r"a|b_c 100% [red]x[/red] \d {y} $5 & <b> #1 ~ ^"
HOSTILE_TABLE = Table(
    "A & B",
    ("method", "accuracy"),
    (
        TableRow(HOSTILE, (Cell(ours=Figure(0.5, 0.4, 0.6), paper="54.9", scale=100),)),
        TableRow("two\nlines", (Cell(ours=Figure(1.25), digits=2),)),
        TableRow("RAG", (Cell(paper="50.5"),), "first_group"),
        TableRow("CRAG", (Cell(ours="not run", paper=""),), "first_group"),
    ),
    ("Ours | the paper's",),
)


def test_markdown_shows_every_label_as_it_is():
    lines = to_markdown(HOSTILE_TABLE).splitlines()
    assert lines[0] == r"**A \& B**"
    label = r"a\|b\_c 100% \[red\]x\[/red\] \\d {y} \$5 \& \<b\> \#1 \~ ^"
    assert lines[2:] == [
        "| method | accuracy |",
        "| --- | ---: |",
        rf"| {label} | 50.0 (40.0–60.0) \| 54.9 |",
        "| two lines | 1.25 |",
        r"| *first\_group* |  |",
        r"| RAG | - \| 50.5 |",
        r"| CRAG | not run \| - |",
        "",
        r"Ours \| the paper's",
    ]

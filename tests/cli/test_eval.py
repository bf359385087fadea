"""`errata eval`: methods on a dataset, and tables of the papers."""

import json

import pytest
from filelock import FileLock

DATA = ("popqa", "--data", ".")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "name a dataset, or a table"),
        (("popqa", "--table", "crag:2"), "not both"),
        (("popqas", "--data", "."), "there is no dataset 'popqas'; known: popqa"),
        (("--table", "rac:9", "--data", "."), "no table is called 'rac:9'; there is rac:2"),
        (DATA, "popqa"),
        ((*DATA, "--out", "page.txt"), "cannot write to the folder page.txt"),
        ((*DATA, "--out", "held"), "another run writes to held; wait for it"),
        ((*DATA, "--replay", "nowhere"), "--replay nowhere: no such file"),
        ((*DATA, "--set", "nosuch=3"), "no method has the setting 'nosuch'"),
        ((*DATA, "--role", "verfy=openai:m"), "no method has the role 'verfy'; there is"),
    ],
)
def test_what_cannot_be_run_is_said(run, arguments, fault, tmp_path):
    (tmp_path / "held").mkdir()
    with FileLock(tmp_path / "held" / ".lock"):
        result = run("eval", "--out", str(tmp_path), *arguments)
    assert (result.exit_code, fault in result.stderr) == (2, True)


@pytest.fixture
def evaluate(run, shared_data, tmp_path):
    """Runs the command on a few items of the labelled data; its standard output."""

    def evaluate(*arguments, code=0):
        out = ("--out", str(tmp_path / "out"), "--limit", "2")
        result = run("eval", *arguments, "--data", str(shared_data), *out)
        assert result.exit_code == code, result.stderr
        return result.stdout

    return evaluate


@pytest.mark.slow
def test_methods_stand_beside_each_other_and_a_second_run_repeats_the_figures(evaluate, tmp_path):
    methods = ("factprompt", "--method", "rac", "--method", "delete_everything")
    first = evaluate(*methods)
    assert first == evaluate(*methods)
    assert "| metric | rac | delete\\_everything |" in first
    assert "| revision\\_accuracy |" in first
    [table] = json.loads(evaluate(*methods, "--json"))
    assert {row["label"] for row in table["rows"]} >= {"revision_accuracy", "seconds"}
    rows = sorted((tmp_path / "out" / "rows").iterdir())
    assert [len(path.read_text().splitlines()) for path in rows] == [2, 2]


@pytest.mark.slow
def test_a_papers_table_has_its_figures_beside_ours(evaluate):
    table = evaluate("--table", "crag:4")
    assert "84.3" in table
    assert "needs a model" in table

"""The project's own files agree with each other, and the examples run."""

import json
import re
import runpy
import sys
import tomllib

import pytest


def test_the_changelog_has_the_version(root):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(
        rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text(), re.MULTILINE
    )


@pytest.mark.parametrize(
    ("example", "line"),
    [
        ("rag_chain", "response: Marie Curie was born in Warsaw in 1867."),
        ("agent", "answer: The Eiffel Tower was opened in 1889."),
        ("subgraph", "published: Marie Curie was born in 1867. (1 correction)"),
    ],
)
def test_an_example_runs(root, monkeypatch, capsys, example, line):
    monkeypatch.syspath_prepend(root / "examples")
    monkeypatch.setattr(sys, "argv", [example])
    runpy.run_path(f"{root}/examples/{example}.py", run_name="__main__")
    assert line in capsys.readouterr().out


def test_the_cells_of_the_notebook_run(root, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((root / "examples" / "first_steps.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells)
    names = {}
    for cell in cells:
        exec("".join(cell["source"]), names)  # noqa: S102 - as a kernel does
    assert names["correction"].changed
    printed = capsys.readouterr().out
    assert "'1865' became '1867'" in printed
    assert "The Eiffel Tower was opened in 1889.\n1 call," in printed

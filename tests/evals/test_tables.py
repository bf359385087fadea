"""Tables in both formats, also with labels that are hostile to them."""

import pytest

from errata.evals.items import Figure
from errata.evals.tables import Cell, Table, TableRow, to_markdown

HOSTILE = r"a|b_c 100% [red]x[/red] \d {y} $5 & <b> #1 ~ ^"
TABLE = Table(
    "A & B",
    ("method", "accuracy"),
    (
        TableRow(HOSTILE, (Cell(ours=Figure(0.5, 0.4, 0.6), paper="54.9", scale=100),)),
        TableRow("RAG", (Cell(paper="50.5"),), "first_group"),
        TableRow("CRAG", (Cell(ours="not run", paper=""),), "first_group"),
    ),
    ("Ours | the paper's",),
)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell(ours=Figure(0.5214), paper="54.9", scale=100), "52.1 | 54.9"),
        (Cell(ours=Figure(1.25, 1.0, 1.5), digits=2), "1.25 (1.00–1.50)"),
        (Cell(ours=Figure(0.0, 0.0, 0.0), paper="-"), "0.0 (0.0–0.0) | -"),
        (Cell(), "-"),
    ],
)
def test_a_cell_has_our_figure_and_the_papers(cell, text):
    assert str(cell) == text


def test_markdown_shows_every_label_as_it_is():
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == r"**A \& B**"
    label = r"a\|b\_c 100% \[red\]x\[/red\] \\d {y} \$5 \& \<b\> \#1 \~ ^"
    assert lines[2:] == [
        "| method | accuracy |",
        "| --- | ---: |",
        rf"| {label} | 50.0 (40.0–60.0) \| 54.9 |",
        r"| *first\_group* |  |",
        r"| RAG | - \| 50.5 |",
        r"| CRAG | not run \| - |",
        "",
        r"Ours \| the paper's",
    ]
    bars = [line.replace(r"\|", "").count("|") for line in lines[2:8]]
    assert bars == [3] * 6


def test_a_line_break_does_not_end_a_row():
    table = Table("x", ("", "y"), (TableRow("two\nlines", (Cell(paper="1"),)),))
    assert r"| two lines | - \| 1 |" in to_markdown(table).splitlines()

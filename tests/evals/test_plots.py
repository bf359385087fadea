"""Plots: valid files, the same for the same figures."""

import subprocess
import sys

import pytest
from lxml import etree

pytest.importorskip("matplotlib", reason="needs errata[eval]")

from errata.evals.plots import (
    draw_bars,
    draw_coverage,
    draw_lines,
    draw_reliability,
    draw_scatter,
)
from errata.evals.scoring import Figure

FIGURE = Figure(0.5, 0.4, 0.6, 20)
NONE = Figure(None)
PLOTS = {
    "scatter": lambda target: draw_scatter(
        {"$\\frac{a_b": (3.9, FIGURE), "no figure": (1, NONE), "x": (2, Figure(0.7))},
        target,
        cost="seconds",
        quality="accuracy",
    ),
    "bars": lambda target: draw_bars(
        {"_rac": {"rare": FIGURE, "very rare": NONE}, "$crag": {"rare": Figure(0.6)}},
        target,
        quality="FactScore, %",
    ),
    "many bars": lambda target: draw_bars(
        {"rac": {f"category {n}": Figure(n / 40) for n in range(8)}}, target, quality="accuracy"
    ),
    "no bars": lambda target: draw_bars({"rac": {"rare": NONE}}, target, quality="accuracy"),
    "lines": lambda target: draw_lines(
        {"RAG": [(0.0, FIGURE), (0.5, NONE), (1.0, Figure(0.2))], "CRAG": [(0.0, FIGURE)]},
        target,
        x="share removed",
        quality="accuracy",
    ),
    "reliability": lambda target: draw_reliability({"ours": ([0.2, 0.8], [0.1, 0.9])}, target),
    "coverage": lambda target: draw_coverage(
        {"ours": ([0.01, 0.5, 1], [1.0, 0.9, 0.8]), "_other": ([0.5, 1], [0.9, 0.7])}, target
    ),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_the_same_file_for_the_same_figures(name, tmp_path):
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    PLOTS[name](first)
    PLOTS[name](second)
    assert first.read_bytes() == second.read_bytes()
    assert etree.parse(first).getroot().tag.endswith("svg")
    assert "dc:date" not in first.read_text()


def test_the_figures_show(tmp_path):
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    for target, value in ((one, 0.9), (other, 0.2)):
        draw_lines(
            {"RAG": [(0.0, Figure(value, 0.1, 0.95))]}, target, x="share", quality="accuracy"
        )
    assert one.read_text() != other.read_text()


def test_labels_show_as_they_are_written(tmp_path):
    PLOTS["bars"](tmp_path / "bars.svg")
    PLOTS["scatter"](tmp_path / "scatter.svg")
    bars, scatter = ((tmp_path / f"{name}.svg").read_text() for name in ("bars", "scatter"))
    assert "_rac -->" in bars
    assert "<!-- $crag -->" in bars
    assert "<!-- $\\frac{a_b -->" in scatter
    assert "no figure" not in scatter


def test_a_machine_without_matplotlib_is_told_what_to_install(tmp_path):
    program = (
        "import sys; sys.modules['matplotlib'] = None; from pathlib import Path; "
        "from errata.evals.plots import draw_reliability; "
        f"draw_reliability({{}}, Path({str(tmp_path / 'plot.svg')!r}))"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "SettingError: plots need matplotlib: pip install 'errata[eval]'" in done.stderr
    assert not (tmp_path / "plot.svg").exists()

"""Plots: valid files, the same for the same figures."""

import subprocess
import sys
from functools import partial

import pytest
from lxml import etree

pytest.importorskip("matplotlib", reason="needs errata[eval]")

from errata.evals import plots
from errata.evals.items import Figure

FIGURE, NONE = Figure(0.5, 0.4, 0.6, 20), Figure(None)
POINTS = {"$\\frac{a_b": (3.9, FIGURE), "no figure": (1, NONE), "x": (2, Figure(0.7))}
BARS = {"_rac": {"rare": FIGURE, "very rare": NONE}, "$crag": {"rare": Figure(0.6)}}
MANY = {"rac": {f"category {n}": Figure(n / 40) for n in range(8)}}
LINES = {"RAG": [(0.0, FIGURE), (0.5, NONE), (1.0, Figure(0.2))], "CRAG": [(0.0, FIGURE)]}
CURVES = {"ours": ([0.01, 0.5, 1], [1.0, 0.9, 0.8]), "_other": ([0.5, 1], [0.9, 0.7])}
PLOTS = {
    "scatter": partial(plots.draw_scatter, POINTS, cost="seconds", quality="accuracy"),
    "bars": partial(plots.draw_bars, BARS, quality="FactScore, %"),
    "many bars": partial(plots.draw_bars, MANY, quality="accuracy"),
    "no bars": partial(plots.draw_bars, {"rac": {"rare": NONE}}, quality="accuracy"),
    "lines": partial(plots.draw_lines, LINES, x="share removed", quality="accuracy"),
    "reliability": partial(plots.draw_reliability, {"ours": ([0.2, 0.8], [0.1, 0.9])}),
    "coverage": partial(plots.draw_coverage, CURVES),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_the_same_file_for_the_same_figures(name, tmp_path):
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    PLOTS[name](target=first)
    PLOTS[name](target=second)
    assert first.read_bytes() == second.read_bytes()
    assert etree.parse(first).getroot().tag.endswith("svg")
    assert "dc:date" not in first.read_text()


def test_the_figures_show(tmp_path):
    texts = set()
    for value in (0.9, 0.2):
        lines, target = {"RAG": [(0.0, Figure(value, 0.1, 0.95))]}, tmp_path / "lines.svg"
        plots.draw_lines(lines, target, x="share", quality="accuracy")
        texts.add(target.read_text())
    assert len(texts) == 2


def test_labels_show_as_they_are_written(tmp_path):
    for name in ("bars", "scatter"):
        PLOTS[name](target=tmp_path / f"{name}.svg")
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
    assert "SettingError: a plot needs matplotlib: pip install 'errata[eval]'" in done.stderr
    assert not (tmp_path / "plot.svg").exists()

"""Plots of measurements, as SVG; the same figures give the same file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from errata.core.errors import require
from errata.evals.items import Figure

STYLE: Mapping[str, Any] = {"svg.hashsalt": "errata", "text.parse_math": False}
"""Ids by the contents alone, and labels as they are written."""
LEAST_SHOWN = 0.02
"""From which share of claims on accuracy is plotted; below it few claims make it jump."""
FEW, BAR = 5, 0.6
"""Categories whose names fit side by side; with more of them, inches for each."""
Line = Sequence[tuple[float, Figure]]
Curve = tuple[Iterable[float], Iterable[float]]
"""The places along both axes."""


def draw_scatter(
    points: Mapping[str, tuple[float, Figure]], target: Path, *, cost: str, quality: str
) -> None:
    """Plot quality against cost, such as accuracy against seconds, each point with its label.

    Points without a quality are left out. Raises SettingError without matplotlib; so do all
    functions here.
    """
    with _axes(target, xlabel=cost, ylabel=quality) as axes:
        axes.margins(x=0.25)  # room for the labels
        for label, (spent, figure) in points.items():
            if figure.value is not None:
                place = (spent, figure.value)
                axes.errorbar(*place, yerr=_reach([figure]), fmt="o", capsize=2)
                axes.annotate(label, place, xytext=(5, 5), textcoords="offset points")


def draw_bars(bars: Mapping[str, Mapping[str, Figure]], target: Path, *, quality: str) -> None:
    """Plot a bar for each category and system, given as figures by system and category."""
    categories = list(dict.fromkeys(name for figures in bars.values() for name in figures))
    width = 0.8 / max(len(bars), 1)
    with _axes(target, ylabel=quality) as axes:
        handles = []
        for number, figures in enumerate(bars.values()):
            shown = {n: f for n, f in figures.items() if f.value is not None}
            places = [categories.index(name) + number * width for name in shown]
            heights = [figure.value for figure in shown.values()]
            reach = _reach(shown.values())
            handles.append(axes.bar(places, heights, width, yerr=reach, capsize=2))
        middle = (len(bars) - 1) * width / 2
        axes.set_xticks([place + middle for place in range(len(categories))], categories)
        if len(categories) > FEW:
            axes.figure.set_figwidth(BAR * len(categories))
            axes.tick_params(axis="x", rotation=90)
        axes.legend(handles, map(_label, bars))


def draw_lines(lines: Mapping[str, Line], target: Path, *, x: str, quality: str) -> None:
    """Plot a line for each system."""
    with _axes(target, xlabel=x, ylabel=quality) as axes:
        handles = []
        for line in lines.values():
            shown = {place: figure for place, figure in line if figure.value is not None}
            heights = [figure.value for figure in shown.values()]
            reach = _reach(shown.values())
            handles.append(axes.errorbar(list(shown), heights, yerr=reach, marker="o", capsize=2))
        axes.legend(handles, map(_label, lines))


def draw_reliability(curves: Mapping[str, Curve], target: Path) -> None:
    """Plot reliability curves, and the diagonal of a calibrated judge.

    A curve has the mean probability and the share of true labels of each bin.
    """
    labels = {"xlabel": "probability given", "ylabel": "share that is so"}
    with _axes(target, **labels, xlim=(0, 1), ylim=(0, 1)) as axes:
        handles = axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
        for curve in curves.values():
            handles += axes.plot(*curve, marker="o")
        axes.legend(handles, ["calibrated", *map(_label, curves)])


def draw_coverage(curves: Mapping[str, Curve], target: Path) -> None:
    """Plot how accuracy falls as more claims get a label.

    A curve has the share of claims with a label, and how many of these are right.
    """
    labels = {"xlabel": "share of claims with a label", "ylabel": "share of labels that is right"}
    with _axes(target, **labels, xlim=(0, 1), ylim=(0.5, 1)) as axes:
        handles = []
        for curve in curves.values():
            shown = [place for place in zip(*curve, strict=True) if place[0] > LEAST_SHOWN]
            handles += axes.plot(*zip(*shown, strict=True))
        axes.legend(handles, map(_label, curves))


def check_can_draw() -> None:
    """Raise SettingError without matplotlib, before anything is run that is to be drawn."""
    require("a plot", "eval", "matplotlib")


@contextmanager
def _axes(target: Path, **settings: Any) -> Iterator[Any]:
    """Axes to draw on; the file is written when the block ends without an error."""
    check_can_draw()
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    with rc_context(dict[Any, Any](STYLE)):
        canvas = Canvas(layout="constrained")
        axes = canvas.subplots()
        axes.set(**settings)
        yield axes
        canvas.savefig(target, metadata={"Date": None})


def _reach(figures: Iterable[Figure]) -> tuple[list[float], list[float]]:
    """How far each interval reaches below and above its value."""
    below, above = [], []
    for figure in figures:
        value = figure.value or 0.0
        below.append(max(value - (value if figure.low is None else figure.low), 0))
        above.append(max((value if figure.high is None else figure.high) - value, 0))
    return below, above


def _label(text: str) -> str:
    """A label that the legend shows: it leaves out those that begin with an underscore."""
    return f" {text}" if text.startswith("_") else text

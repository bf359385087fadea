"""Plots of how judges do, as SVG; the same figures give the same file."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from errata.core.errors import require

STYLE: Mapping[str, Any] = {"svg.hashsalt": "errata", "text.parse_math": False}
"""Ids by the contents alone, and labels as they are written."""
LEAST_SHOWN = 0.02
"""From which share of claims on accuracy is plotted; below it few claims make it jump."""
Curve = tuple[Iterable[float], Iterable[float]]
"""The places along both axes."""


def draw_reliability(curves: Mapping[str, Curve], target: Path) -> None:
    """Plot reliability curves, and the diagonal of a calibrated judge.

    A curve has the mean probability and the share of true labels of each bin. Raises SettingError
    without matplotlib; so does `draw_coverage`.
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


@contextmanager
def _axes(target: Path, **settings: Any) -> Iterator[Any]:
    """Axes to draw on; the file is written when the block ends without an error."""
    require("a plot", "train", "matplotlib")
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    with rc_context(dict[Any, Any](STYLE)):
        canvas = Canvas(layout="constrained")
        axes = canvas.subplots()
        axes.set(**settings)
        yield axes
        canvas.savefig(target, metadata={"Date": None})


def _label(text: str) -> str:
    """A label that the legend shows: it leaves out those that begin with an underscore."""
    return f" {text}" if text.startswith("_") else text

"""How far probabilities can be trusted: what was said beside what was so."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
BINS = 10


def balanced(true: Floats) -> Floats:
    """Weigh examples as if both labels were equally common, as the scores are meant."""
    share = true.mean()
    weights: Floats = np.where(true == 1, 0.5 / share, 0.5 / (1 - share)) / len(true)
    return weights


def binned(true: Floats, score: Floats) -> Floats:
    """Give for each of ten bins its share, its mean score and what share of it is so.

    Both labels weigh alike; bins that nothing falls into are left out.
    """
    weights, place = balanced(true), np.minimum((score * BINS).astype(int), BINS - 1)
    filled = [place == i for i in range(BINS) if (place == i).any()]
    return np.array(
        [
            [
                weights[here].sum(),
                *(np.average(v[here], weights=weights[here]) for v in (score, true)),
            ]
            for here in filled
        ]
    )


def calibration_error(true: Floats, score: Floats) -> float:
    """Give the expected calibration error over ten bins."""
    share, said, so = binned(true, score).T
    return float(share @ abs(said - so))


def curve(true: Floats, score: Floats) -> tuple[Floats, Floats]:
    """Give for each bin the mean score, and what share of it is so."""
    _, said, so = binned(true, score).T
    return said, so


def draw(curves: Mapping[str, tuple[Floats, Floats]], target: Path) -> None:
    """Plot curves beside the diagonal on which a calibrated judge lies."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":", label="calibrated")
    for name, (said, so) in curves.items():
        axes.plot(said, so, marker="o", label=name)
    axes.set(xlabel="probability given", ylabel="share that is so", xlim=(0, 1), ylim=(0, 1))
    axes.legend()
    figure.savefig(target, metadata={"Date": None})

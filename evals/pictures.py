"""The plots of a comparison: quality against cost, bars by category, and reliability."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from errata.core.records import Correction
from errata.evals.metrics import Family
from errata.evals.metrics.claims import verdict_on
from errata.evals.metrics.gold import facts_of
from errata.evals.plots import Curve, Point, draw_bars, draw_reliability, draw_scatter
from errata.evals.scoring import Figure, Row

COSTS = {"tokens": "cost.tokens", "seconds": "cost.seconds"}
"""What quality is plotted against."""


def draw_comparison(
    dataset: str,
    by_method: Mapping[str, Mapping[str, Figure]],
    rows: Mapping[str, Sequence[Row]],
    main: Family,
    folder: Path,
) -> None:
    """Draw each method's main metric against tokens and seconds, and by the items' category.

    Raises SettingError without matplotlib.
    """
    folder.mkdir(parents=True, exist_ok=True)
    quality = f"{main.name}.{next(iter(main.measures))}"
    for cost, name in COSTS.items():
        points = [
            Point(method, figures[name].value or 0.0, figures[quality])
            for method, figures in by_method.items()
            if name in figures
        ]
        draw_scatter(points, folder / f"{dataset}-{cost}.svg", cost=cost, quality=quality)
    bars = {method: _by_category(main, own) for method, own in rows.items()}
    if any(len(categories) > 1 for categories in bars.values()):
        draw_bars(bars, folder / f"{dataset}-categories.svg", quality=quality)
    curves = {method: curve for method, own in rows.items() if (curve := _reliability(own))}
    if curves:
        draw_reliability(curves, folder / f"{dataset}-reliability.svg")


def _reliability(rows: Sequence[Row]) -> Curve | None:
    """How probable facts were called, and the share of them that is so, in ten bins.

    None where no verdict has a score, or all facts have one label.
    """
    from sklearn.calibration import calibration_curve

    pairs = [
        (label, verdict.score)
        for row in rows
        if isinstance(row.result, Correction) and "facts" in row.item.gold
        for fact, label in facts_of(row.item)
        if (verdict := verdict_on(fact, row.result)) and verdict.score is not None
    ]
    if len({label for label, _ in pairs}) < 2:  # noqa: PLR2004  true and false
        return None
    share, probability = calibration_curve(*zip(*pairs, strict=True), n_bins=10)
    return list(probability), list(share)


def _by_category(main: Family, rows: Sequence[Row]) -> dict[str, Figure]:
    """The main metric of the rows of each category."""
    metric = next(iter(main.measures))
    names = dict.fromkeys(row.item.category for row in rows)
    return {
        name: main.figures([row for row in rows if row.item.category == name])[metric]
        for name in names
    }

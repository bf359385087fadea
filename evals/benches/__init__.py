"""Benchmarks: what runs cost and withstand, and figures that `errata eval` does not measure.

`make bench NAME=costs` runs one, as does `python -m errata.evals.benches costs`; `ARGS="--help"`
says what it takes. Data is looked for in the folder `--data`.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

BENCHES: Mapping[str, str] = {
    "corrections": "corrections by verifiers that were fitted on other people (FOLDS)",
    "costs": "docs/results/costs.md: what each method asks of a model",
    "faults": "docs/results/faults.md: every fault by every method (8 min)",
    "hostile": "200 runs at once alone and beside a hostile caller (10 min)",
    "leaderboard": "docs/results/leaderboard.md: every method on every dataset, local code",
    "stream": "when an answer that is corrected while it is written is judged and mended",
    "verifier": "the local verifier's score and labels on labelled sets of claims",
}
"""By name what each measures, or the page that it writes."""
DATA = Path("../shared/data")
RESULTS = Path("docs/results")
Rows = Iterable[Sequence[object]]


def bench_parser(about: str | None, page: str = "", **numbers: int) -> argparse.ArgumentParser:
    """A parser with `--data`, and `--out` for a bench that writes a page of that name.

    `numbers` are options that take one, by their defaults.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", type=Path, default=DATA)
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    if page:
        known = RESULTS / page
        parser.add_argument("--out", type=Path, default=known, help=f"the page; {known}")
    return parser


def tabulate(head: Sequence[object], rows: Rows) -> str:
    """A Markdown table, without a line break at its end."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def write_figures(figures: Mapping[str, Any], forms: Mapping[str, str]) -> list[str]:
    """Figures as texts, each by its format."""
    return [f"{figures[name]:{form}}" for name, form in forms.items()]


def print_table(title: str, head: Sequence[object], rows: Rows) -> None:
    """Print a table with its title."""
    sys.stdout.write(f"{title}\n\n{tabulate(head, rows)}\n\n")


def write_page(page: str, target: Path) -> None:
    """Write a page, in a folder that is made if it is not there; print it if that is `-`."""
    if str(target) == "-":
        sys.stdout.write(page)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")

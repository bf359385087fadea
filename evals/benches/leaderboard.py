"""Every method on every dataset with local fillers, as a page.

Rows are kept in the folder `--out`: a run that is stopped goes on where it was.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from errata.evals.benches import RESULTS, bench_parser
from errata.evals.datasets import DATASETS
from errata.evals.harness import Harness
from errata.evals.items import Figure, Item
from errata.evals.papers.table import Run
from errata.evals.report import INTERVALS, default_task
from errata.evals.runner import CONTROLS, Runner
from errata.evals.tables import Cell, Table, TableRow, to_markdown
from errata.methods import METHODS

SHOWN: Mapping[str, Sequence[str]] = {
    "match": ("match.accuracy",),
    "facts": ("facts.revision_accuracy", "facts.correction_accuracy", "facts.true_facts_kept"),
    "claims": ("claims.balanced_accuracy", "claims.f1_true"),
    "detection": ("detection.balanced_accuracy", "detection.f1_false"),
    "factscore": ("factscore.factscore", "factscore.responded"),
    "truthfulqa": ("truthfulqa.bleu_accuracy", "truthfulqa.answered"),
    "overcorrection": ("overcorrection.new_errors_per_response", "overcorrection.text_kept"),
    "cost": ("cost.seconds",),
}
"""The figures of each scorer that the page shows; the first of a dataset is what it goes by."""
HEAD = """# Leaderboard

Every method on every dataset, with the local fillers that ship with the package: no model, no key,
default settings. `make bench NAME=leaderboard` writes this page anew. {what}

A dataset's rows are in the order of their first column. `no_correction` hands the draft out as it
is, `delete_everything` and `refuse_always` are what their names say: no method may lose to them,
and where they look good in a column, look at the first. A method that answers questions has no
draft to correct, and is left out where facts of a draft are counted; one that corrects drafts gets,
where a dataset has none, the draft that `plain` writes.

The shipped judges were fitted on human labels that include people of the biographies, so compare
the rows of `biography` with each other and not with other programs.
"""
"""The page's beginning."""


def methods_for(items: Sequence[Item]) -> list[str]:
    """The methods and controls that a dataset can tell apart."""
    labelled = any("facts" in item.gold or "label" in item.gold for item in items)
    if labelled and any(item.draft for item in items):
        return [*(name for name, method in METHODS.items() if method.corrects), *CONTROLS]
    return [*METHODS, *CONTROLS]


async def tabulate_dataset(harness: Harness, dataset: str) -> Table:
    """A row for each method, the best first."""
    items, about = harness.items(dataset), DATASETS[dataset]
    shown = [name for scorer in about.scorers for name in SHOWN.get(scorer, ())]
    figures = dict[str, Mapping[str, Figure]]()
    for method in methods_for(items):
        figures[method] = await harness.figures(Run(task=default_task(harness, dataset, method)))
        sys.stderr.write(f"{dataset}: {method}\n")
    best = sorted(figures, key=lambda name: -(figures[name][shown[0]].value or 0.0))
    rows = [
        TableRow(name, tuple(Cell(ours=figures[name].get(f), digits=3) for f in shown))
        for name in best
    ]
    description = f"{dataset}: {len(items)} items. {about.description}"
    return Table(description, ("method", *shown), tuple(rows))


def describe_commit() -> str:
    """What git calls the commit that figures come from."""
    named = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


async def write_leaderboard(args: argparse.Namespace) -> None:
    """Run what is missing, and write the page."""
    runner = Runner(out=args.out, at_once=args.at_once)
    harness = Harness(data=args.data, runner=runner, limit=args.limit, seed=args.seed)
    drawn = f"at most {args.limit} items of each dataset, drawn with seed {args.seed}"
    parts = [HEAD.format(what=f"Written at {describe_commit()}: {drawn}. {INTERVALS}")]
    args.page.parent.mkdir(parents=True, exist_ok=True)
    for dataset in args.datasets or DATASETS:
        parts.append(f"## {dataset}\n\n{to_markdown(await tabulate_dataset(harness, dataset))}")
        args.page.write_text("\n".join(parts), encoding="utf-8")


def main(*arguments: str) -> None:
    """Read the options and write the page."""
    options = bench_parser(__doc__, limit=30, seed=0)
    options.add_argument("--at-once", type=int, default=2)
    options.add_argument("--out", type=Path, default=Path("build/results"))
    options.add_argument("--page", type=Path, default=RESULTS / "leaderboard.md")
    options.add_argument("--datasets", nargs="*", choices=list(DATASETS))
    asyncio.run(write_leaderboard(options.parse_args(arguments)))

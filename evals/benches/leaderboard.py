"""Every method on every dataset with local code, as a page.

Rows are kept in the folder `--out`: a run that is stopped goes on where it was.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from errata.evals.benches import RESULTS, bench_parser
from errata.evals.datasets import DATASETS
from errata.evals.harness import Harness
from errata.evals.items import Item
from errata.evals.report import compare_methods
from errata.evals.runner import CONTROLS, Runner
from errata.evals.tables import to_markdown
from errata.methods import METHODS

HEAD = """# Leaderboard

Every method on every dataset, with the local code that ships with the package: no model, no key,
default settings. `make bench NAME=leaderboard` writes this page anew. Written at {commit}: at most
{limit} items of each dataset, drawn with seed {seed}.

`no_correction` hands the draft out as it is, `delete_everything` and `refuse_always` are what their
names say: no method may lose to them. A method that answers questions has no draft to correct, and
is left out where facts of a draft are counted; one that corrects drafts gets, where a dataset has
none, the draft that `plain` writes.

The shipped judges were fitted on human labels that include people of the biographies, so compare
the figures of `biography` with each other and not with other programs.
"""
"""The page's beginning."""


def methods_for(items: Sequence[Item]) -> list[str]:
    """The methods and controls that a dataset can tell apart."""
    labelled = any("facts" in item.gold or "label" in item.gold for item in items)
    if labelled and any(item.draft for item in items):
        return [*(name for name, method in METHODS.items() if method.corrects), *CONTROLS]
    return [*METHODS, *CONTROLS]


def describe_commit() -> str:
    """What git calls the commit that figures come from."""
    named = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603


async def write_leaderboard(args: argparse.Namespace) -> None:
    """Run what is missing, and write the page."""
    runner = Runner(out=args.out, at_once=args.at_once)
    harness = Harness(data=args.data, runner=runner, limit=args.limit, seed=args.seed)
    parts = [HEAD.format(commit=describe_commit(), limit=args.limit, seed=args.seed)]
    args.page.parent.mkdir(parents=True, exist_ok=True)
    for dataset in args.datasets or DATASETS:
        sys.stderr.write(f"{dataset}\n")
        table = await compare_methods(harness, dataset, methods_for(harness.items(dataset)))
        parts.append(f"## {dataset}\n\n{to_markdown(table)}")
        args.page.write_text("\n".join(parts), encoding="utf-8")


def main(*arguments: str) -> None:
    """Read the options and write the page."""
    options = bench_parser(__doc__, limit=30, seed=0)
    options.add_argument("--at-once", type=int, default=2)
    options.add_argument("--out", type=Path, default=Path("build/results"))
    options.add_argument("--page", type=Path, default=RESULTS / "leaderboard.md")
    options.add_argument("--datasets", nargs="*", choices=list(DATASETS))
    asyncio.run(write_leaderboard(options.parse_args(arguments)))

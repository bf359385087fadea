"""`errata eval`: run methods on a dataset and score them, or repeat a table of a paper."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from errata.cli.options import AsJson, with_settings
from errata.cli.output import write_json
from errata.cli.progress import EvalProgress
from errata.core.errors import InputError
from errata.methods import METHODS, offered

if TYPE_CHECKING:
    from errata.evals.harness import Harness
    from errata.evals.tables import Table

WIDTH = 200
"""Width in characters of a table that does not go to a terminal."""
Form = Literal["text", "markdown", "latex"]
Dataset = Annotated[
    str,
    typer.Argument(help="The dataset, or a file of your own rows, ROWS.jsonl; with --table none."),
]
Methods = Annotated[
    list[str] | None,
    typer.Option("--method", help="What to run; given again, it is compared with the first."),
]
TableName = Annotated[str, typer.Option("--table", help="A table of a paper, such as rac:2.")]
Data = Annotated[Path, typer.Option("--data", help="The folder of the datasets.")]
Kept = Annotated[Path, typer.Option("--out", help="Where rows and exchanges are kept.")]
Limit = Annotated[int, typer.Option("--limit", min=0, help="Items of each dataset; 0: all.")]
Seed = Annotated[int, typer.Option("--seed", help="What draws the items.")]
JudgeName = Annotated[
    str, typer.Option("--judge", help="What reads responses: local, hub:MODEL, a model.")
]
AtOnce = Annotated[int, typer.Option("--at-once", min=1, help="Items under way at a time.")]
Replay = Annotated[str, typer.Option("--replay", help="Recorded exchanges to answer from.")]
Format = Annotated[Form, typer.Option("--format", help="How tables are written.")]
Plots = Annotated[Path | None, typer.Option("--plots", help="Draw plots into this folder.")]


@with_settings(offered(), only=("model", "roles", "sampling"))
def eval(  # noqa: A001  the command's name
    settings: dict[str, Any],
    dataset: Dataset = "",
    method: Methods = None,
    table: TableName = "",
    data: Data = Path(),
    out: Kept = Path("errata-eval"),
    limit: Limit = 0,
    seed: Seed = 0,
    judge: JudgeName = "local",
    at_once: AtOnce = 2,
    replay: Replay = "",
    form: Format = "text",
    plots: Plots = None,
    as_json: AsJson = False,
) -> None:
    """Run methods on a dataset and score them, or repeat a table of a paper; go on if killed."""
    from errata.evals.harness import Harness
    from errata.evals.plots import check_can_draw
    from errata.evals.runner import Runner

    if bool(dataset) == bool(table):
        raise InputError("name a dataset, or a table of a paper with --table; not both")
    for folder in filter(None, (out, plots)):
        _make(folder)
    if plots:
        check_can_draw()
    if replay and not Path(replay).exists():
        raise InputError(f"--replay {replay}: no such folder or file of recorded exchanges")
    _refuse_unknown(settings)
    runner = Runner(out=out, settings=settings, at_once=at_once, replay=replay)
    bar = EvalProgress()
    harness = Harness(
        data=data, runner=runner, judge=judge, limit=limit, seed=seed, progress=bar.tell
    )
    with _alone(out), bar.shown():
        methods = list(dict.fromkeys(method or ["rac"]))
        tables = asyncio.run(_evaluate(harness, dataset, methods, table, plots))
    bar.tell_faults()
    _show(tables, form, as_json)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder, so that no other process pays for the same items.

    Raises InputError if another process holds the lock.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / ".lock", timeout=0):
            yield
    except Timeout as error:
        raise InputError(
            f"another run writes to {folder}; wait for it, or name another --out"
        ) from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to the folder {folder}: {error.strerror}") from error


def _refuse_unknown(settings: dict[str, Any]) -> None:
    """Raise InputError for a setting or role that no method has; it is enough if one has it."""
    known = {name for method in METHODS.values() for name in method.context.model_fields}
    if unknown := sorted(settings.keys() - known):
        raise InputError(f"no method has the setting {unknown[0]!r}; see errata correct --help")
    roles = {role for method in METHODS.values() for role in method.context.ROLES}
    if unknown := sorted(settings.get("roles", {}).keys() - roles):
        raise InputError(
            f"no method has the role {unknown[0]!r}; there is {', '.join(sorted(roles))}"
        )


async def _evaluate(
    harness: "Harness", dataset: str, methods: Sequence[str], table: str, plots: Path | None
) -> "list[Table]":
    from errata.evals.report import compare_methods, repeat_table
    from errata.tools.models.pool import close_loop_models

    try:
        if table:
            return [await repeat_table(harness, table, plots)]
        return await compare_methods(harness, dataset, methods, plots)
    finally:
        await close_loop_models()


def _show(tables: "Sequence[Table]", form: Form, as_json: bool) -> None:
    from rich.console import Console

    from errata.evals.tables import to_latex, to_markdown, to_text

    if as_json:
        write_json(tables)
        return
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    for table in tables:
        if form == "text":
            console.print(to_text(table))
        else:
            sys.stdout.write(to_markdown(table) if form == "markdown" else to_latex(table))

"""`errata batch`: correct, check or answer every row of a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from errata.cli.codes import BAD_INPUT, OUTSIDE
from errata.cli.options import AsJson, Settings, for_method, method_option
from errata.cli.output import Progress, write_json
from errata.core.errors import AccessError
from errata.methods import ANSWERING, CORRECTING
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.batch.output import Totals

NAMES = (*CORRECTING, *ANSWERING)


def _whole(kind: str, what: str) -> Any:
    return Option(f"--batch-max-{kind}", min=0, help=f"Whole batch: {what}.")


@dataclass(frozen=True, kw_only=True)
class Whole:
    """What the whole batch may spend."""

    calls: Annotated[int | None, _whole("calls", "model calls")] = None
    tokens: Annotated[int | None, _whole("tokens", "tokens")] = None
    money: Annotated[float | None, _whole("money", "cost")] = None
    searches: Annotated[int | None, _whole("searches", "searches")] = None
    pages: Annotated[int | None, _whole("pages", "web pages")] = None
    seconds: Annotated[float | None, _whole("seconds", "time")] = None


def batch(
    rows: Annotated[
        str,
        Argument(
            metavar="IN", help="{id, question, draft?, documents?: [texts]} rows: JSON lines, -."
        ),
    ],
    out: Annotated[Path, Option(help="Results, as JSON lines.")],
    settings: Settings,
    whole: Whole,
    method: Annotated[str, method_option(NAMES)] = NAMES[0],
    check: Annotated[
        bool, Option("--check", help="Only judge the drafts; change nothing.")
    ] = False,
    fields: Annotated[
        str, Option(help="Write only these, such as id,response,label; else all.")
    ] = "",
    anew: Annotated[bool, Option("--anew", help="Remove what --out holds; begin again.")] = False,
    retry_failed: Annotated[
        bool, Option("--retry-failed", help="Run the rows again that failed before.")
    ] = False,
    at_once: Annotated[
        int, Option(min=0, help="Rows under way where models are asked; 0: 32.")
    ] = 0,
    engine: Annotated[
        Literal["local", "ray"],
        Option(help="Where rows are worked on: here, or on Ray (the cluster of RAY_ADDRESS)."),
    ] = "local",
    stop_after: Annotated[
        int, Option(min=0, help="Stop after this many failures in a row; 0: never.")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """Correct, check or answer every row of a file; resume where a killed run stopped."""
    from errata.batch.ray_data import RayEngine
    from errata.batch.run import INTERRUPTED, LocalEngine, run_batch

    progress = Progress()

    try:
        with progress.shown("working on rows …"):
            totals = run_batch(
                rows,
                out,
                method,
                check=check,
                engine=RayEngine(at_once) if engine == "ray" else LocalEngine(at_once),
                fields=[name.strip() for name in fields.split(",") if name.strip()],
                anew=anew,
                retry_failed=retry_failed,
                stop_after=stop_after,
                limits=vars(whole),
                on_row=lambda totals: progress.tell(describe_totals(totals)),
                **for_method(method, settings),
            )
    except AccessError:
        say(f"errata: the batch ended; what is done is in {out}, and the command goes on there")
        raise
    for line in describe_end(totals, out):
        say(line)
    if as_json:
        own = {name: x for name, x in vars(totals).items() if name not in ("began", "spent")}
        times = {"seconds": round(totals.seconds, 3), "rate": round(totals.rate, 3)}
        write_json({"rows": totals.rows, **own, **vars(totals.spent), **times}, indent=None)
    if totals.stopped == INTERRUPTED:
        raise typer.Exit(130)  # as in shells
    if totals.failed or totals.failed_before:
        raise typer.Exit(OUTSIDE)
    raise typer.Exit(BAD_INPUT if totals.problems else 0)


def describe_end(totals: "Totals", out: Path) -> Iterator[str]:
    """What was done and what it cost; why the batch ended early, and how to go on."""
    if totals.stopped:
        yield f"errata: {totals.stopped}; the same command goes on from here"
    if failed := totals.failed + totals.failed_before:
        why = f"; the first: {totals.first_error}" if totals.first_error else ""
        yield f"errata: rows that failed: {failed:,}; --retry-failed runs them again{why}"
    if totals.unjudged:
        unjudged = f"rows done in which no claim was judged: {totals.unjudged:,}"
        yield f"errata: {unjudged}; their notes say why"
    if totals.problems:
        yield f"errata: lines that are no rows: {totals.problems:,}; see {out}.problems.jsonl"
    yield describe_totals(totals)


def describe_totals(totals: "Totals") -> str:
    """How far a batch is, and what it has spent."""
    before = f" ({totals.before:,} done before)" if totals.before else ""
    spent = totals.spent
    return (
        f"rows: {totals.rows:,}{before}, done: {totals.done:,}, failed: {totals.failed:,}, "
        f"problems: {totals.problems:,}, model calls: {spent.calls:,}, tokens: {spent.tokens:,}, "
        f"money: {spent.money:,.4f}, {totals.rate:.1f} rows a second, {totals.seconds:.2f} s"
    )

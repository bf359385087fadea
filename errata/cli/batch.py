"""`errata batch`: correct, check or answer every row of a file."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from errata.batch.local_engine import LocalEngine
from errata.batch.ray_engine import RayEngine
from errata.batch.rows import MAX_ROW_BYTES
from errata.batch.run import run_batch
from errata.batch.totals import STOP_AFTER, BatchLimits, Totals
from errata.batch.work import Engine
from errata.cli.batch_progress import BatchProgress, describe_end, totals_json
from errata.cli.codes import BAD_INPUT, OUTSIDE
from errata.cli.inputs import say
from errata.cli.options import AsJson, Assignments, fit_settings, method_option, with_settings
from errata.cli.output import failures, write_line
from errata.core.errors import AccessError, SettingError
from errata.methods import ANSWERING, CORRECTING
from errata.nodes.settings import read_assignments

NAMES = (*CORRECTING, *ANSWERING)
LIMITS = "--batch-max-"
Rows = Annotated[
    str,
    typer.Argument(
        metavar="IN",
        help="Rows {id, question, draft?, documents?: [texts]}: JSON lines, Parquet, or -.",
    ),
]
Out = Annotated[Path, typer.Option("--out", help="The rows' results: JSON lines, or .parquet.")]
Check = Annotated[bool, typer.Option("--check", help="Only judge the drafts; change nothing.")]
Fields = Annotated[
    str, typer.Option("--fields", help="Write only these, such as id,response,label; else all.")
]
Anew = Annotated[bool, typer.Option("--anew", help="Remove the results in --out, and begin again.")]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="Run the rows again that failed before.")
]
AtOnce = Annotated[int, typer.Option("--at-once", min=0, help="Rows under way by models; 0: 32.")]
Workers = Annotated[
    int, typer.Option("--workers", min=0, help="Processes where no model is asked; 0: every core.")
]
EngineName = Annotated[
    str, typer.Option("--engine", help="Where rows are worked on: local (this machine) or ray.")
]
Address = Annotated[
    str, typer.Option("--address", help="With ray: HOST:PORT or auto; else one is started here.")
]
MaxRowBytes = Annotated[
    int, typer.Option("--max-row-bytes", min=1, help="A longer row is a problem.")
]
StopAfter = Annotated[
    int, typer.Option("--stop-after", min=0, help="End after so many failures in a row; 0: never.")
]
MaxCalls = Annotated[
    int | None, typer.Option(f"{LIMITS}calls", min=0, help="Whole batch: model calls.")
]
MaxTokens = Annotated[
    int | None, typer.Option(f"{LIMITS}tokens", min=0, help="Whole batch: tokens.")
]
MaxMoney = Annotated[float | None, typer.Option(f"{LIMITS}money", min=0, help="Whole batch: cost.")]
MaxSearches = Annotated[
    int | None, typer.Option(f"{LIMITS}searches", min=0, help="Whole batch: searches.")
]
MaxPages = Annotated[
    int | None, typer.Option(f"{LIMITS}pages", min=0, help="Whole batch: web pages.")
]
MaxSeconds = Annotated[
    float | None, typer.Option(f"{LIMITS}seconds", min=0, help="Whole batch: time.")
]


@with_settings(NAMES)
def batch(
    settings: Callable[[], dict[str, Any]],
    rows: Rows,
    out: Out,
    method: Annotated[str, method_option(NAMES)] = NAMES[0],
    check: Check = False,
    fields: Fields = "",
    anew: Anew = False,
    retry_failed: RetryFailed = False,
    at_once: AtOnce = 0,
    workers: Workers = 0,
    engine: EngineName = "local",
    address: Address = "",
    max_row_bytes: MaxRowBytes = MAX_ROW_BYTES,
    stop_after: StopAfter = STOP_AFTER,
    batch_max_calls: MaxCalls = None,
    batch_max_tokens: MaxTokens = None,
    batch_max_money: MaxMoney = None,
    batch_max_searches: MaxSearches = None,
    batch_max_pages: MaxPages = None,
    batch_max_seconds: MaxSeconds = None,
    more_settings: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Correct, check or answer every row of a file; go on where a killed run was."""
    progress = BatchProgress()
    with failures():
        own = fit_settings(method, NAMES, settings() | read_assignments(more_settings))
        limits = BatchLimits(
            calls=batch_max_calls,
            tokens=batch_max_tokens,
            money=batch_max_money,
            searches=batch_max_searches,
            pages=batch_max_pages,
            seconds=batch_max_seconds,
        )
        try:
            with progress.shown():
                totals = run_batch(
                    rows,
                    out,
                    method,
                    check=check,
                    engine=_engine(engine, address, workers, at_once),
                    fields=[name.strip() for name in fields.split(",") if name.strip()],
                    anew=anew,
                    retry_failed=retry_failed,
                    max_row_bytes=max_row_bytes,
                    stop_after=stop_after,
                    limits=limits,
                    on_row=progress.tell,
                    say=say,
                    **own,
                )
        except AccessError:
            say(f"errata: the batch ended; what is done is in {out}, and the command goes on there")
            raise
    _finish(totals, out, as_json=as_json)


def _engine(name: str, address: str, workers: int, at_once: int) -> Engine:
    if name not in {"local", "ray"} or (address and name != "ray"):
        raise SettingError(
            f"--engine {name} --address {address!r}: the engine is local, or ray with or without "
            "an address"
        )
    return RayEngine(address, workers, at_once) if name == "ray" else LocalEngine(at_once, workers)


def _finish(totals: Totals, out: Path, *, as_json: bool) -> None:
    """Say what was done and how to go on, and end with the exit code that this has."""
    for line in describe_end(totals, out):
        say(line)
    if as_json:
        write_line(totals_json(totals))
    raise typer.Exit(_code(totals))


def _code(totals: Totals) -> int:
    """128 and the signal, as shells have it; 3 if rows failed, 2 if lines were no rows."""
    if totals.signal:
        return 128 + signal.Signals(totals.signal)
    if totals.failed or totals.failed_before:
        return OUTSIDE
    return BAD_INPUT if totals.problems else 0

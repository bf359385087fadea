"""`errata batch`: correct, check or answer every row of a file."""

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.batch.rows import MAX_ROW_BYTES
from errata.batch.totals import STOP_AFTER, BatchLimits, Totals
from errata.cli.codes import BAD_INPUT, OUTSIDE
from errata.cli.options import AsJson, fit_settings, method_option, with_settings
from errata.cli.output import write_line
from errata.cli.progress import BatchProgress, describe_end, totals_json
from errata.core.errors import AccessError, SettingError
from errata.methods import ANSWERING, CORRECTING
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.batch.work import Engine

NAMES = (*CORRECTING, *ANSWERING)


def _whole(name: str, what: str) -> Any:
    """The option that sets a limit on the whole batch."""
    text = f"Whole batch: {what}."
    return typer.Option(f"--batch-max-{name}", min=0, help=text)


@dataclass(frozen=True, kw_only=True)
class Whole:
    """What the whole batch may spend: the options of BatchLimits."""

    batch_max_calls: Annotated[int | None, _whole("calls", "model calls")] = None
    batch_max_tokens: Annotated[int | None, _whole("tokens", "tokens")] = None
    batch_max_money: Annotated[float | None, _whole("money", "cost")] = None
    batch_max_searches: Annotated[int | None, _whole("searches", "searches")] = None
    batch_max_pages: Annotated[int | None, _whole("pages", "web pages")] = None
    batch_max_seconds: Annotated[float | None, _whole("seconds", "time")] = None

    @property
    def limits(self) -> BatchLimits:
        """These options as BatchLimits."""
        own = {name.removeprefix("batch_max_"): value for name, value in vars(self).items()}
        return BatchLimits(**own)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where rows are worked on, and how many at once."""

    at_once: Annotated[int, typer.Option(min=0, help="Rows under way by models; 0: 32.")] = 0
    workers: Annotated[
        int, typer.Option(min=0, help="Processes where no model is asked; 0: every core.")
    ] = 0
    engine: Annotated[
        str, typer.Option(help="Where rows are worked on: local (this machine) or ray.")
    ] = "local"
    address: Annotated[
        str, typer.Option(help="With ray: HOST:PORT or auto; else one is started here.")
    ] = ""

    def open(self) -> "Engine":
        """The engine that the options name; raises SettingError if there is none."""
        from errata.batch.local_engine import LocalEngine
        from errata.batch.ray_engine import RayEngine

        if self.engine not in {"local", "ray"} or (self.address and self.engine != "ray"):
            raise SettingError(
                f"--engine {self.engine} --address {self.address!r}: the engine is local, or ray "
                "with or without an address"
            )
        if self.engine == "ray":
            return RayEngine(self.address, self.workers, self.at_once)
        return LocalEngine(self.at_once, self.workers)


@with_settings(NAMES)
def batch(
    settings: dict[str, Any],
    rows: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="Rows {id, question, draft?, documents?: [texts]}: JSON lines, Parquet, or -.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(help="The rows' results: JSON lines, or .parquet."),
    ],
    place: Place,
    whole: Whole,
    method: Annotated[str, method_option(NAMES)] = NAMES[0],
    check: Annotated[
        bool,
        typer.Option("--check", help="Only judge the drafts; change nothing."),
    ] = False,
    fields: Annotated[
        str,
        typer.Option(help="Write only these, such as id,response,label; else all."),
    ] = "",
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Remove the results in --out, and begin again."),
    ] = False,
    retry_failed: Annotated[
        bool,
        typer.Option("--retry-failed", help="Run the rows again that failed before."),
    ] = False,
    max_row_bytes: Annotated[
        int, typer.Option(min=1, help="A longer row is a problem.")
    ] = MAX_ROW_BYTES,
    stop_after: Annotated[
        int, typer.Option(min=0, help="End after so many failures in a row; 0: never.")
    ] = STOP_AFTER,
    as_json: AsJson = False,
) -> None:
    """Correct, check or answer every row of a file; go on where a killed run was."""
    from errata.batch.run import run_batch

    own = fit_settings(method, NAMES, settings)
    progress = BatchProgress()
    try:
        with progress.shown():
            totals = run_batch(
                rows,
                out,
                method,
                check=check,
                engine=place.open(),
                fields=[name.strip() for name in fields.split(",") if name.strip()],
                anew=anew,
                retry_failed=retry_failed,
                max_row_bytes=max_row_bytes,
                stop_after=stop_after,
                limits=whole.limits,
                on_row=progress.tell,
                say=say,
                **own,
            )
    except AccessError:
        say(f"errata: the batch ended; what is done is in {out}, and the command goes on there")
        raise
    for line in describe_end(totals, out):
        say(line)
    if as_json:
        write_line(totals_json(totals))
    raise typer.Exit(_code(totals))


def _code(totals: Totals) -> int:
    """128 plus the signal, as in shells; 3 if rows failed, 2 if lines were no rows, else 0."""
    if totals.signal:
        return 128 + signal.Signals(totals.signal)
    if totals.failed or totals.failed_before:
        return OUTSIDE
    return BAD_INPUT if totals.problems else 0

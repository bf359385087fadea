"""`errata check`: judge a draft, or several, and change nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.cli.codes import Strict, code_of_check
from errata.cli.correct import METHOD
from errata.cli.drafts import read_drafts
from errata.cli.inputs import Encoding
from errata.cli.options import (
    AsJson,
    Assignments,
    Documents,
    Drafts,
    Html,
    MoreDocuments,
    Question,
    with_settings,
)
from errata.cli.output import failures
from errata.cli.places import Job, plan
from errata.cli.runs import Work, run_jobs
from errata.cli.stored import Checkpoints, RunName, Stored
from errata.cli.views import choose_view, deliver
from errata.methods import CORRECTING
from errata.nodes.settings import read_assignments

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.nodes.state import CorrectionContext


@with_settings(CORRECTING, checking=True)
def check(
    settings: Callable[[], dict[str, Any]],
    more: MoreDocuments = None,
    question: Question = "",
    draft: Drafts = None,
    method: Annotated[str, METHOD] = CORRECTING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    strict: Annotated[
        Strict | None,
        typer.Option(
            "--strict",
            metavar="[=refuted|=supported]",
            help="Exit with 1 if anything is refuted or nothing could be checked; "
            "=supported: if anything is not supported.",
        ),
    ] = None,
    more_settings: Assignments = None,
    checkpoints: Checkpoints = "",
    run: RunName = "",
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    with failures():
        jobs = plan(read_drafts(draft or (), encoding), None, html)
        view = choose_view(as_json=as_json, diff=True)

        def finish(job: Job, correction: "Correction", context: "CorrectionContext") -> int:
            deliver(job, correction, view, several=len(jobs) > 1)
            return code_of_check(correction, context, context.deciding_role, strict)

        own = settings() | read_assignments(more_settings) | {"check_only": True}
        files = [*(documents or ()), *(more or ())]
        work = Work(question, files, method, own, encoding, Stored(checkpoints, run))
        code = run_jobs(jobs, work, finish, view)
    raise typer.Exit(code)

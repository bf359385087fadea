"""`errata correct`: correct a draft, or several."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.cli.codes import code_of_run, code_of_support
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
    method_option,
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

METHOD = method_option(CORRECTING)


@with_settings(CORRECTING)
def correct(
    settings: Callable[[], dict[str, Any]],
    more: MoreDocuments = None,
    question: Question = "",
    draft: Drafts = None,
    method: Annotated[str, METHOD] = CORRECTING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the corrected text to this file or folder.")
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the corrected text to the draft's file.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the diff into a pipe, too.")] = False,
    more_settings: Assignments = None,
    checkpoints: Checkpoints = "",
    run: RunName = "",
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    with failures():
        jobs = plan(read_drafts(draft or (), encoding), out, html, in_place=in_place)
        view = choose_view(as_json=as_json, diff=diff, out=out, in_place=in_place)

        def finish(job: Job, correction: "Correction", context: "CorrectionContext") -> int:
            deliver(job, correction, view, several=len(jobs) > 1)
            code = code_of_run(correction, context, context.deciding_role)
            return code or code_of_support(correction)

        own = settings() | read_assignments(more_settings)
        files = [*(documents or ()), *(more or ())]
        work = Work(question, files, method, own, encoding, Stored(checkpoints, run))
        code = run_jobs(jobs, work, finish, view)
    raise typer.Exit(code)

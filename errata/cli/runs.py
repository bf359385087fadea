"""A method's work on several drafts: one session, draft after draft, each with its exit code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from errata.cli.codes import code_of_error
from errata.cli.counts import Counts
from errata.cli.inputs import read_evidence, say, with_encoding
from errata.cli.options import fit_settings
from errata.cli.output import write_line
from errata.cli.places import Job
from errata.cli.stored import Stored
from errata.cli.views import View
from errata.core.errors import AccessError, ErrataError, InputError
from errata.methods import CORRECTING

if TYPE_CHECKING:
    from errata.core.records import Correction, Document
    from errata.nodes.state import CorrectionContext

Finish = Callable[[Job, "Correction", "CorrectionContext"], int]
"""Shows and writes a result; returns its exit code."""


@dataclass(frozen=True)
class Work:
    """What is done to every draft."""

    question: str
    evidence: Sequence[str]
    """Files, folders and addresses."""
    method: str
    settings: Mapping[str, Any]
    encoding: str = ""
    stored: Stored = field(default_factory=Stored)


def run_jobs(jobs: Sequence[Job], work: Work, finish: Finish, view: View) -> int:
    """Work on each draft and finish it before the next; the highest of their exit codes.

    Raises ErrataError if nothing can be done, or the one draft fails. Of several drafts one that
    fails is named on standard error, and the others are worked on.
    """
    from errata.given import read_given
    from errata.session import Session

    _check_request(jobs, work)
    counts = Counts()
    settings = fit_settings(work.method, CORRECTING, with_encoding(work.settings, work.encoding))
    settings |= work.stored.session
    with Session(work.method, on_progress=counts.tell_step, **settings) as session:
        documents: Sequence[Document | str] = read_evidence(work.evidence, work.encoding)
        if len(jobs) > 1 and not work.stored.run:
            documents = session.run(read_given, documents)
        if len(jobs) > 1 and not (work.evidence or session.context.corpus):
            say("note: the words after --draft are drafts; --documents names what to judge by")

        def run(job: Job) -> int:
            with counts.shown("reading, checking, correcting …"):
                name = work.stored.name(job, jobs)
                correction = session.correct(work.question, job.draft.text, documents, run=name)
            return finish(job, correction, cast("CorrectionContext", session.context))

        return run(jobs[0]) if len(jobs) == 1 else max(_run_all(jobs, run, view))


def _check_request(jobs: Sequence[Job], work: Work) -> None:
    if not (jobs[0].draft.name or work.question.strip()):
        raise InputError(
            "no draft and no question were given; name the draft with --draft FILE (words elsewhere"
            " are documents), or give a --question to have one written"
        )


def _run_all(jobs: Sequence[Job], run: Callable[[Job], int], view: View) -> list[int]:
    """The exit codes of several drafts; if a model's server refuses the key, no other is tried."""
    codes = []
    for job in jobs:
        try:
            codes.append(run(job))
        except ErrataError as error:
            codes.append(code_of_error(error))
            say(f"errata: {job.draft.name}: {error}")
            if view == "json":
                write_line({"file": job.draft.name, "error": str(error)})
            if isinstance(error, AccessError):
                break
    return codes

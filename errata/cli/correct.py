"""`errata correct`, `check` and `answer`: one method on drafts, or on a question."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from errata.cli.codes import Strict, code_of_check, code_of_error, code_of_run, code_of_support
from errata.cli.inputs import read_drafts, read_evidence, with_encoding
from errata.cli.options import (
    AsJson,
    Documents,
    Encoding,
    Html,
    fit_settings,
    method_option,
    with_settings,
)
from errata.cli.output import (
    Job,
    View,
    check_writable,
    choose_view,
    deliver,
    plan,
    show_answer,
    write_html,
    write_line,
)
from errata.cli.progress import Counts
from errata.core.errors import AccessError, ErrataError, InputError
from errata.methods import ANSWERING, CORRECTING
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Correction, Document
    from errata.nodes.context import Context
    from errata.nodes.state import CorrectionContext

STORE = "ERRATA_CHECKPOINTS"
"""The environment variable for `--checkpoints`; commands that name no run ignore it."""
Settings = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Stored:
    """Where a command's runs are kept, and under which name."""

    checkpoints: Annotated[
        str,
        typer.Option(
            metavar="FILE|URL",
            envvar=STORE,
            help="Keep named runs in this file (SQLite), or at a postgresql:// address.",
        ),
    ] = ""
    run: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The run's name in --checkpoints: one that was cut goes on from its last step.",
        ),
    ] = ""

    @property
    def session(self) -> Settings:
        """The checkpoint setting of the session; empty if no run is named.

        Raises InputError if a run is named without a store, or a store on the command line without
        a run.
        """
        if self.run and not self.checkpoints:
            raise InputError(
                "--run names a stored run: say with --checkpoints FILE where it is kept"
            )
        if not self.run and self.checkpoints != os.environ.get(STORE, ""):
            raise InputError(
                "--checkpoints keeps runs that have a name, and this one has none: name it with "
                "--run NAME, or leave --checkpoints out"
            )
        return {"checkpoints": self.checkpoints} if self.run else {}


@dataclass(frozen=True, kw_only=True)
class Request:
    """The arguments and options that `correct` and `check` share."""

    more: Annotated[
        list[str] | None,
        typer.Argument(help="Further documents.", show_default=False),
    ] = None
    question: Annotated[str, typer.Option("--question", "-q", help="What the draft answers.")] = ""
    draft: Annotated[
        list[str] | None,
        typer.Option("--draft", "-d", metavar="FILE…", help="Files, or - for standard input."),
    ] = None
    method: Annotated[str, method_option(CORRECTING)] = CORRECTING[0]
    documents: Documents = None
    encoding: Encoding = ""
    html: Html = None
    as_json: AsJson = False

    @property
    def evidence(self) -> list[str]:
        """Files, folders and addresses."""
        return [*(self.documents or ()), *(self.more or ())]


@with_settings(CORRECTING)
def correct(
    settings: Settings,
    request: Request,
    stored: Stored,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the corrected text to this file or folder."),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write the corrected text to the draft's file.")
    ] = False,
    diff: Annotated[
        bool,
        typer.Option("--diff", help="Print the diff into a pipe, too."),
    ] = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    drafts = read_drafts(request.draft or (), request.encoding)
    jobs = plan(drafts, out, request.html, in_place=in_place)
    view = choose_view(as_json=request.as_json, diff=diff, out=out, in_place=in_place)

    def code(correction: "Correction", context: "CorrectionContext") -> int:
        found = code_of_run(correction, context, context.deciding_role)
        return found or code_of_support(correction)

    raise typer.Exit(_Work(request, settings, stored, view, code).run(jobs))


@with_settings(CORRECTING, checking=True)
def check(
    settings: Settings,
    request: Request,
    stored: Stored,
    strict: Annotated[
        Strict | None,
        typer.Option(
            metavar="[=refuted|=supported]",
            help="Exit with 1 if anything is refuted or nothing could be checked; "
            "=supported: if anything is not supported.",
        ),
    ] = None,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    jobs = plan(read_drafts(request.draft or (), request.encoding), None, request.html)
    view = choose_view(as_json=request.as_json, diff=True)

    def code(correction: "Correction", context: "CorrectionContext") -> int:
        return code_of_check(correction, context, context.deciding_role, strict)

    checking = settings | {"check_only": True}
    raise typer.Exit(_Work(request, checking, stored, view, code).run(jobs))


@dataclass(frozen=True)
class _Work:
    """A method's work on several drafts: one session, draft after draft."""

    request: Request
    settings: Settings
    stored: Stored
    view: View
    code: Callable[["Correction", "CorrectionContext"], int]
    """The exit code of a result."""

    def run(self, jobs: Sequence[Job]) -> int:
        """Work on each draft and deliver it before the next; return the highest exit code.

        Raises ErrataError if nothing can be done, or the only draft fails. Of several drafts, one
        that fails is named on standard error, and the others still run.
        """
        from errata.session import Session

        request, several = self.request, len(jobs) > 1
        _check_request(jobs, request)
        counts = Counts()
        own = with_encoding(self.settings, request.encoding)
        own = fit_settings(request.method, CORRECTING, own) | self.stored.session
        with Session(request.method, on_progress=counts.tell_step, **own) as session:
            documents = self._documents(session, several=several)

            def work(job: Job) -> int:
                run = f"{self.stored.run}/{job.draft.name}" if several else self.stored.run
                with counts.shown("reading, checking, correcting …"):
                    correction = session.correct(
                        request.question,
                        job.draft.text,
                        documents,
                        run=run if self.stored.run else "",
                    )
                deliver(job, correction, self.view, several=several)
                return self.code(correction, cast("CorrectionContext", session.context))

            return max(self._run_all(jobs, work)) if several else work(jobs[0])

    def _documents(self, session: Any, *, several: bool) -> "Sequence[Document | str]":
        """The evidence to judge by; for several drafts pages are fetched once."""
        from errata.given import read_given

        documents: Sequence[Document | str]
        documents = read_evidence(self.request.evidence, self.request.encoding)
        if several and not self.stored.run:
            documents = session.run(read_given, documents)
        if several and not (self.request.evidence or session.context.corpus):
            say("note: the words after --draft are drafts; --documents names what to judge by")
        return documents

    def _run_all(self, jobs: Sequence[Job], work: Callable[[Job], int]) -> list[int]:
        """The exit codes of several drafts; if a server refuses the key, no other is tried."""
        codes = []
        for job in jobs:
            try:
                codes.append(work(job))
            except ErrataError as error:
                codes.append(code_of_error(error))
                say(f"errata: {job.draft.name}: {error}")
                if self.view == "json":
                    write_line({"file": job.draft.name, "error": str(error)})
                if isinstance(error, AccessError):
                    break
        return codes


def _check_request(jobs: Sequence[Job], request: Request) -> None:
    if not (jobs[0].draft.name or request.question.strip()):
        raise InputError(
            "no draft and no question were given; name the draft with --draft FILE (words elsewhere"
            " are documents), or give a --question to have one written"
        )


@with_settings(ANSWERING)
def answer(
    settings: Settings,
    question: Annotated[str, typer.Argument(help="What to answer.")],
    stored: Stored,
    method: Annotated[str, method_option(ANSWERING)] = ANSWERING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from documents or a corpus, from the web where these are wrong, or both."""
    from errata.session import Session

    check_writable(html)
    counts = Counts()
    own = fit_settings(method, ANSWERING, with_encoding(settings, encoding)) | stored.session
    session = Session(method, on_progress=counts.tell_step, **own)
    _check_sources(session.context, documents or ())
    texts = read_evidence(documents or (), encoding)
    with counts.shown("retrieving, judging, answering …"):
        result = session.answer(question, texts, run=stored.run)
    show_answer(result, as_json)
    write_html(result, html)


def _check_sources(context: "Context", documents: Sequence[str]) -> None:
    """Raise InputError if there is nothing to answer from: no document, and no model's memory."""
    sources = documents or context.corpus or getattr(context, "search", "none") != "none"
    remembers = context.by_model("generate") and not getattr(context, "abstain", False)
    if not (sources or remembers):
        raise InputError(
            "nothing was given to answer from; name --documents FILE…, --corpus DIR, --search "
            "ENGINE to search the web, or --model PROVIDER:NAME to answer from its memory"
        )

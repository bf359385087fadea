"""`errata correct`, `check`, `cite` and `answer`: one method on drafts, or on a question."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer
from typer import Argument, Option

from errata.cli.codes import (
    STRICT,
    CodeOf,
    Strict,
    code_of_check,
    code_of_correction,
    code_of_error,
    code_of_run,
)
from errata.cli.drafts import Draft, read_drafts, read_evidence
from errata.cli.options import MAIN, AsForm, Form, Shared, Stream, Takes, Target, method_option
from errata.cli.output import (
    check_writable,
    show_answer,
    show_correction,
    summary,
    write_bytes,
    write_json,
    write_line,
    write_text,
)
from errata.cli.progress import Progress, call
from errata.core.errors import AccessError, ErrataError, InputError
from errata.core.records import result_json
from errata.methods import ANSWERING, CORRECTING
from errata.render.citations import citations_as_markdown, count_faults, why_unread
from errata.render.html import write_report
from errata.render.reports import REPORTS, Report
from errata.render.terminal import say
from errata.tools.files.decoding import STDIN

if TYPE_CHECKING:
    from errata.core.records import Answer, Correction, Document
    from errata.nodes.state import CorrectionContext
    from errata.session import Session

View = Literal["text", "diff", "citations", "nothing"] | Form
"""What standard output gets: the corrected text alone, the diff with verdicts, JSON, the audit of
citations, nothing, or one report of all drafts once they are done."""


@dataclass(frozen=True, kw_only=True)
class Request(Shared):
    """The arguments and options that `correct` and `check` share."""

    more: Annotated[list[str] | None, Argument(help="Further documents.", show_default=False)] = (
        None
    )
    question: Annotated[str, Option("--question", "-q", help="What the draft answers.")] = ""
    draft: Annotated[
        list[str] | None,
        Option("--draft", "-d", metavar="FILE…", help="Files, or - for standard input."),
    ] = None
    method: Annotated[str, method_option(CORRECTING)] = CORRECTING[0]
    as_form: AsForm = None
    stream: Stream = False


def correct(
    settings: Annotated[dict[str, Any], Takes(CORRECTING)],
    request: Request,
    target: Target,
    diff: Annotated[bool, Option("--diff", help="Print the diff into a pipe, too.")] = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    drafts = read_drafts(request.draft or (), request, target)
    view: View = "diff" if diff or (sys.stdout.isatty() and not target.out) else "text"
    if not diff and target.is_file:
        view = "nothing"
    work_on(drafts, request, settings, view, code_of_correction)


def check(
    settings: Annotated[dict[str, Any], Takes(CORRECTING, checking=True)],
    request: Request,
    strict: Annotated[
        Strict | None,
        Option(
            metavar="[=refuted|=disputed|=supported]",
            help="Exit with 1 if anything is refuted or nothing could be checked; "
            "=disputed: also if anything is disputed; =supported: if anything is not supported.",
        ),
    ] = None,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    drafts = read_drafts(request.draft or (), request, Target())
    code_of = partial(code_of_check, strict=strict, several=len(drafts) > 1)
    work_on(drafts, request, settings | {"check_only": True}, "diff", code_of)


def cite(
    settings: Annotated[dict[str, Any], Takes(("cite",), only=MAIN)],
    shared: Shared,
    target: Target,
    files: Annotated[
        list[str] | None, Argument(help="Drafts: files, or - for standard input.")
    ] = None,
    as_form: AsForm = None,
    fix: Annotated[bool, Option("--fix", help="Print the repaired text, not the audit.")] = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with 1 for any fault, or if nothing was read.")
    ] = False,
) -> None:
    """Audit the citations of drafts by their sources; with --fix, repair them."""
    if not files:
        raise InputError("name a draft before --documents; what follows that is evidence")
    drafts = read_drafts(files, shared, target)
    shown: View = "citations"
    if target.is_file:
        shown = "nothing"
    elif fix or target.out:
        shown = "diff" if sys.stdout.isatty() else "text"
    settings |= {"check_only": True} if shown == "citations" else {}

    def code_of(correction: "Correction", context: "CorrectionContext", name: str) -> int:
        faults = count_faults(correction) if strict else {}
        told = ", ".join(f"{number} {kind}" for kind, number in faults.items())
        if told := told or (why_unread(correction) if strict else ""):
            say(f"errata: {name}: {told}")
        return max(code_of_run(correction, context), STRICT if told else 0)

    request = Request(method="cite", as_form=as_form, **vars(shared))
    work_on(drafts, request, settings, shown, code_of)


def answer(
    settings: Annotated[dict[str, Any], Takes(ANSWERING)],
    question: Annotated[str, Argument(help="What to answer.")],
    shared: Shared,
    method: Annotated[str, method_option(ANSWERING)] = ANSWERING[0],
    stream: Stream = False,
) -> None:
    """Answer a question from documents or a corpus, from the web where these are wrong, or both."""
    check_writable(shared.html)
    progress = Progress()
    session = open_session(method, settings, shared.encoding, progress, corrects=False)
    context = session.context
    sources = shared.documents or context.corpus or getattr(context, "search", "none") != "none"
    remembers = context.by_model("generate") and not getattr(context, "abstain", False)
    if not (sources or remembers):
        raise InputError(
            "nothing was given to answer from; name --documents FILE…, --corpus DIR, --search "
            "ENGINE to search the web, or --model PROVIDER:NAME to answer from its memory"
        )
    texts = read_evidence(shared.documents or (), shared.encoding)
    with progress.shown("retrieving, judging, answering …", quiet=stream):
        how = {"stream": stream, "as_json": shared.as_json}
        result = cast("Answer", call(session, "answer", question, texts, **how))
    if shared.as_json and not stream:
        write_json(result)
    elif not shared.as_json:
        show_answer(result)
    if shared.html:
        write_report(result, shared.html)


def work_on(
    drafts: Sequence[Draft],
    request: Request,
    settings: Mapping[str, Any],
    view: View,
    code_of: CodeOf,
) -> None:
    """Work on each draft and deliver it before the next; exit with the highest exit code.

    Raises ErrataError if nothing can be done, or the only draft fails. Of several drafts, one that
    fails is named on standard error, and the others still run, unless a server refuses the key.
    """
    several, view = len(drafts) > 1, request.as_form or ("json" if request.as_json else view)
    if not (drafts[0].name or request.question.strip()):
        raise InputError(
            "no draft and no question were given; name the draft with --draft FILE (words elsewhere"
            " are documents), or give a --question to have one written"
        )
    progress, codes, reports = Progress(), list[int](), list[Report]()
    given = (request.method, settings, request.encoding, progress)
    with open_session(*given, corrects=True) as session:
        documents = _read_documents(request, session, several=several)
        for draft in drafts:
            try:
                with progress.shown("reading, checking, correcting …", quiet=request.stream):
                    asked = (request.question, draft.text, documents)
                    how = {"stream": request.stream, "as_json": request.as_json}
                    result = cast("Correction", call(session, "correct", *asked, **how))
                told = request.stream and request.as_json
                deliver(draft, result, "nothing" if told else view, several=several)
                reports.append(Report(draft.name or STDIN, result))
                context = cast("CorrectionContext", session.context)
                codes.append(code_of(result, context, draft.name))
            except ErrataError as error:
                if not several:
                    raise
                reports.append(Report(draft.name, error=str(error)))
                codes.append(_code_of_failure(draft, error, view))
                if isinstance(error, AccessError):
                    break
    if view in REPORTS:
        sys.stdout.write(REPORTS[view](reports))
    raise typer.Exit(max(codes))


def _read_documents(
    request: Request, session: "Session", *, several: bool
) -> "list[Document | str]":
    """What to judge by; for several drafts pages are fetched once."""
    from errata.given import read_given

    evidence = [*(request.documents or ()), *(request.more or ())]
    documents = read_evidence(evidence, request.encoding)
    if not several:
        return documents
    if request.draft and not (evidence or session.context.corpus):
        say("note: the words after --draft are drafts; --documents names what to judge by")
    return [*session.run(read_given, documents)]


def open_session(
    method: str,
    settings: Mapping[str, Any],
    encoding: str,
    progress: Progress,
    *,
    corrects: bool,
) -> "Session":
    """The session of a command, not yet entered; the files' encoding is the corpus's too."""
    from errata.session import Session

    own = {**settings, **({"encoding": encoding} if encoding else {})}
    session = Session(method, on_progress=progress.tell_step, **own)
    session.check_verb(corrects=corrects)
    return session


def _code_of_failure(draft: Draft, error: ErrataError, view: View) -> int:
    """The exit code of a draft, one of several, that failed; why is printed."""
    say(f"errata: {draft.name}: {error}")
    if view == "json":
        write_line({"file": draft.name, "error": str(error)})
    return code_of_error(error)


def deliver(draft: Draft, correction: "Correction", view: View, *, several: bool = False) -> None:
    """Show a correction and write its files; of several drafts each is named.

    Raises InputError if a file cannot be written; the text is then on standard output.
    """
    headed = several and view in ("text", "diff", "citations")
    if headed:
        sys.stdout.write(f"==> {draft.name} <==\n")
    _show(draft, correction, view, several=several)
    data = draft.encode(correction)
    if view == "text":
        write_bytes(data)
    if headed:
        sys.stdout.write("\n")
    try:
        draft.save(data)
    except InputError:
        if view == "nothing":
            write_bytes(data)
        raise
    if draft.html:
        write_report(correction, draft.html)


def _show(draft: Draft, correction: "Correction", view: View, *, several: bool) -> None:
    """Show all but the corrected text: the diff, JSON, or notes and summary on standard error."""
    if view == "diff":
        show_correction(correction, hint=not several)
    elif view == "json" and several:
        write_line({"file": draft.name, **result_json(correction)})
    elif view == "json":
        write_json(result_json(correction))
    elif view == "citations":
        write_text(f"{citations_as_markdown(correction)}\n")
    else:
        name = f"{draft.name}: " if several else ""
        for note in correction.notes:
            say(f"{name}note: {note}")
        say(f"{name}{summary(correction)}")

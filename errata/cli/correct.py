"""`errata correct`, `check`, `cite` and `answer`: one method on drafts, or on a question."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from errata.cli.codes import (
    CodeOf,
    Strict,
    code_of_audit,
    code_of_check,
    code_of_correction,
    code_of_error,
)
from errata.cli.drafts import Draft, load_evidence, read_drafts, write_whole
from errata.cli.options import (
    AsForm,
    Form,
    Html,
    Settings,
    Shared,
    Target,
    for_method,
    method_option,
)
from errata.cli.output import (
    Progress,
    check_writable,
    show,
    show_answer,
    show_correction,
    summary,
    write_bytes,
    write_json,
)
from errata.core.errors import AccessError, ErrataError, InputError
from errata.methods import ANSWERING, CORRECTING
from errata.render.terminal import say
from errata.tools.files.decoding import STDIN

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.session import Session

PAUSE = 0.5
"""Seconds between two looks at a draft that is watched."""
View = Literal["text", "diff", "citations", "nothing"] | Form
"""What standard output gets: the corrected text alone, the diff with verdicts, JSON, the audit of
citations, nothing, or one report of all drafts once they are done."""


@dataclass(frozen=True, kw_only=True)
class CorrectOptions(Shared):
    """The options that `correct` and `check` share."""

    files: Annotated[list[str] | None, Argument(help="Drafts: files, or - for standard input.")] = (
        None
    )
    draft: Annotated[
        list[str] | None, Option("--draft", "-d", metavar="FILE…", help="Drafts, too.")
    ] = None
    question: Annotated[str, Option("--question", "-q", help="What the draft answers.")] = ""
    method: Annotated[str, method_option(CORRECTING)] = CORRECTING[0]
    as_form: AsForm = None
    html: Html = None

    @property
    def drafts(self) -> list[str]:
        """The names of all drafts."""
        return [*(self.files or ()), *(self.draft or ())]


def correct(
    request: CorrectOptions,
    target: Target,
    settings: Settings,
    diff: Annotated[bool, Option("--diff", help="Print the diff into a pipe, too.")] = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    drafts, view = read_drafts(request.drafts, target), "diff" if diff else target.view
    work_on(drafts, request, for_method(request.method, settings), view, code_of_correction)


def check(
    request: CorrectOptions,
    settings: Settings,
    strict: Annotated[
        Strict | None,
        Option(
            metavar="[=refuted|=disputed|=unfounded|=supported]",
            help="Exit with 1 if anything is refuted or nothing could be checked; =disputed: also "
            "if anything is disputed; =unfounded: also if a number, date or name stands in no "
            "document; =supported: if anything is not supported.",
        ),
    ] = None,
    watch: Annotated[bool, Option("--watch", help="Check again when a draft changes.")] = False,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    own = for_method(request.method, settings) | {"check_only": True}
    files, code_of = request.drafts, partial(code_of_check, strict=strict)
    while True:
        before = _times(files)
        try:
            work_on(read_drafts(files, Target()), request, own, "diff", code_of)
        except (typer.Exit, ErrataError) as end:
            if not watch:
                raise
            say(f"errata: {end}" if isinstance(end, ErrataError) else "watching; Ctrl+C ends")
        while _times(files) == before:
            sleep(PAUSE)


def _times(files: Sequence[str]) -> list[int]:
    """When each file was changed; 0 while it is not there."""
    paths = map(Path, files)
    return [path.stat().st_mtime_ns if path.exists() else 0 for path in paths]


def cite(
    shared: Shared,
    target: Target,
    settings: Settings,
    files: Annotated[
        list[str] | None, Argument(help="Drafts: files, or - for standard input.")
    ] = None,
    as_form: AsForm = None,
    html: Html = None,
    fix: Annotated[bool, Option("--fix", help="Print the repaired text, not the audit.")] = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with 1 for any fault, or if nothing was read.")
    ] = False,
) -> None:
    """Audit the citations of drafts by their sources; with --fix, repair them."""
    if not files:
        raise InputError("name a draft before --documents; what follows that is evidence")
    drafts, own = read_drafts(files, target), for_method("cite", settings)
    view: View = "citations"
    if fix or target.in_place or target.out:
        view = target.view
    else:
        own |= {"check_only": True}
    request = CorrectOptions(method="cite", as_form=as_form, html=html, **vars(shared))
    work_on(drafts, request, own, view, partial(code_of_audit, strict=strict))


def answer(
    question: Annotated[str, Argument(help="What to answer.")],
    shared: Shared,
    settings: Settings,
    method: Annotated[str, method_option(ANSWERING)] = ANSWERING[0],
) -> None:
    """Answer a question from documents, a corpus, the web where these are wrong, or both."""
    progress = Progress()
    session = _open_session(method, for_method(method, settings), progress, corrects=False)
    context = session.context
    sources = shared.documents or context.corpus or getattr(context, "search", "none") != "none"
    remembers = context.by_model("generate") and not getattr(context, "abstain", False)
    if not (sources or remembers):
        raise InputError(
            "nothing was given to answer from; name --documents FILE…, --corpus DIR, --search "
            "ENGINE to search the web, or --model PROVIDER:NAME to answer from its memory"
        )
    texts = load_evidence(shared.documents or (), context.deployment.encoding)
    with progress.shown("retrieving, judging, answering …"):
        result = session.answer(question, texts)
    if shared.as_json:
        write_json(result)
    else:
        show_answer(result)


def work_on(
    drafts: Sequence[Draft],
    request: CorrectOptions,
    settings: Mapping[str, Any],
    view: View,
    code_of: CodeOf,
) -> None:
    """Work on each draft and deliver it before the next; exit with the highest exit code.

    Raises ErrataError if nothing can be done, or the only draft fails. Of several drafts, one that
    fails is named on standard error, and the others still run, unless a server refuses the key.
    """
    from errata.given import read_given
    from errata.render.reports import REPORTS, Report

    several, view = len(drafts) > 1, request.as_form or ("json" if request.as_json else view)
    if not (drafts[0].name or request.question.strip()):
        raise InputError(
            "no draft and no question were given; name the draft before --documents, or give "
            "a --question to have one written"
        )
    check_writable(request.html)
    progress, codes, reports = Progress(), list[int](), list[Report]()
    with _open_session(request.method, settings, progress, corrects=True) as session:
        given = load_evidence(request.documents or (), session.context.deployment.encoding)
        documents = session.run(read_given, given)  # pages are fetched once for all drafts
        for draft in drafts:
            try:
                with progress.shown("reading, checking, correcting …"):
                    result = session.correct(request.question, draft.text, documents)
                deliver(draft, result, view, several=several)
                reports.append(Report(draft.name or STDIN, result))
                context: Any = session.context
                codes.append(code_of(result, context, draft.name or STDIN))
            except ErrataError as error:
                if not several:
                    raise
                reports.append(Report(draft.name, error=str(error)))
                codes.append(_code_of_failure(draft, error, view))
                if isinstance(error, AccessError):
                    break
    if view in REPORTS:
        sys.stdout.write(REPORTS[view](reports))
    if request.html:
        from errata.render.html import report

        write_whole(request.html, report(reports, summary).encode(errors="replace"))
    raise typer.Exit(max(codes))


def _open_session(
    method: str, settings: Mapping[str, Any], progress: Progress, *, corrects: bool
) -> "Session":
    """The session of a command, not yet entered."""
    from errata.auto import NAMING, guess
    from errata.session import Session

    own = guess(settings, watched=sys.stderr.isatty())
    if not any(own.get(name) for name in NAMING):
        say("judged by local code; --model auto takes the best judge at hand")
    session = Session(method, on_progress=progress.tell_step, **own)
    session.check_verb(corrects=corrects)
    return session


def _code_of_failure(draft: Draft, error: ErrataError, view: View) -> int:
    """The exit code of a draft, one of several, that failed; why is printed."""
    say(f"errata: {draft.name}: {error}")
    if view == "json":
        write_json({"file": draft.name, "error": str(error)}, indent=None)
    return code_of_error(error)


def deliver(draft: Draft, correction: "Correction", view: View, *, several: bool = False) -> None:
    """Show a correction and write its file; of several drafts each is named.

    Raises InputError if the file cannot be written; the text is then on standard output.
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


def _show(draft: Draft, correction: "Correction", view: View, *, several: bool) -> None:
    """Show all but the corrected text: the diff, JSON, or notes and summary on standard error."""
    from errata.core.records import result_json
    from errata.render.findings import citations_as_markdown

    if view == "diff":
        show_correction(correction)
    elif view == "json":
        file = {"file": draft.name} if several else {}
        write_json({**file, **result_json(correction)}, indent=None if several else 1)
    elif view == "citations":
        show(correction, [citations_as_markdown(correction)])
    else:
        name = f"{draft.name}: " if several else ""
        for note in correction.notes:
            say(f"{name}note: {note}")
        say(f"{name}{summary(correction)}")

"""`errata cite`: audit the citations of drafts, and repair them."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from errata.cli.codes import STRICT, code_of_run
from errata.cli.correct import View, deliver
from errata.cli.drafts import read_drafts, read_evidence
from errata.cli.options import AsForm, AsJson, Documents, Encoding, Html, TakesSettings
from errata.cli.output import STDOUT, show_reports
from errata.cli.progress import Progress
from errata.render.citations import count_faults
from errata.render.reports import Report
from errata.render.terminal import say

SETTINGS = (
    "corpus model roles sampling prompts profile unsupported call_cache page_cache "
    "max_links max_claims max_seconds max_calls max_money max_pages"
).split()
"""The settings that have an option; `--set` takes any other."""


@TakesSettings(("cite",), only=SETTINGS)
def cite(
    settings: dict[str, Any],
    files: Annotated[list[str], Argument(help="Drafts: files, or - for standard input.")],
    documents: Documents = None,
    encoding: Encoding = "",
    html: Html = None,
    as_form: AsForm = None,
    as_json: AsJson = False,
    fix: Annotated[bool, Option("--fix", help="Print the repaired text, not the audit.")] = False,
    out: Annotated[
        Path | None, Option(help="Write the repaired text to this file or folder.")
    ] = None,
    in_place: Annotated[
        bool, Option("--in-place", help="Write the repaired text to the draft's file.")
    ] = False,
    strict: Annotated[bool, Option("--strict", help="Exit with 1 if any fault is found.")] = False,
) -> None:
    """Audit the citations of drafts by their sources; with --fix, repair them."""
    from errata.session import Session

    drafts = read_drafts(files, encoding, out=out, html=html, in_place=in_place)
    given, progress, codes = read_evidence(documents or (), encoding), Progress(), list[int]()
    reports = list[Report]()
    own = settings | ({"encoding": encoding} if encoding else {})
    written = in_place or (out and out != STDOUT)
    own |= {} if fix or out or in_place else {"check_only": True}
    view: View = as_form or ("json" if as_json else "nothing" if written else "citations")
    if (fix or out) and view == "citations":
        view = "diff" if sys.stdout.isatty() else "text"
    with Session("cite", on_progress=progress.tell_step, **own) as session:
        for draft in drafts:
            with progress.shown("opening sources, judging …"):
                result = session.correct("", draft.text, given)
            deliver(draft, result, view, several=len(drafts) > 1)
            reports.append(Report(draft.name, result))
            codes.append(code_of_run(result, session.context, "verify"))
            if strict and (faults := count_faults(result)):
                told = ", ".join(f"{number} {name}" for name, number in faults.items())
                say(f"errata: {draft.name}: {told}")
                codes.append(STRICT)
    show_reports(reports, view)
    raise typer.Exit(max(codes))

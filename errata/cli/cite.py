"""`errata cite`: audit the citations of drafts, and repair them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from errata.cli.codes import STRICT, code_of_run
from errata.cli.correct import Request, View, work_on
from errata.cli.drafts import read_drafts
from errata.cli.options import AsForm, AsJson, Documents, Encoding, Html, TakesSettings
from errata.cli.output import STDOUT
from errata.core.errors import InputError
from errata.render.citations import count_faults, why_unread
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.nodes.state import CorrectionContext

SETTINGS = (
    "corpus model roles sampling prompts profile unsupported call_cache page_cache "
    "max_links max_claims max_seconds max_calls max_money max_pages"
).split()
"""The settings that have an option; `--set` takes any other."""


@TakesSettings(("cite",), only=SETTINGS)
def cite(
    settings: dict[str, Any],
    files: Annotated[
        list[str] | None, Argument(help="Drafts: files, or - for standard input.")
    ] = None,
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
    strict: Annotated[
        bool, Option("--strict", help="Exit with 1 for any fault, or if nothing was read.")
    ] = False,
) -> None:
    """Audit the citations of drafts by their sources; with --fix, repair them."""
    if not files:
        raise InputError("name a draft before --documents; what follows that is evidence")
    drafts = read_drafts(files, encoding, out=out, html=html, in_place=in_place)
    shown: View = "citations"
    if in_place or (out and out != STDOUT):
        shown = "nothing"
    elif fix or out:
        shown = "diff" if sys.stdout.isatty() else "text"
    settings |= {} if fix or out or in_place else {"check_only": True}

    def code_of(correction: "Correction", context: "CorrectionContext", name: str) -> int:
        faults = count_faults(correction) if strict else {}
        told = ", ".join(f"{number} {kind}" for kind, number in faults.items())
        if told := told or (why_unread(correction) if strict else ""):
            say(f"errata: {name}: {told}")
        return max(code_of_run(correction, context, "verify"), STRICT if told else 0)

    request = Request(
        method="cite",
        documents=documents,
        encoding=encoding,
        html=html,
        as_form=as_form,
        as_json=as_json,
    )
    work_on(drafts, request, settings, shown, code_of)

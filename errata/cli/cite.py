"""`errata cite`: audit the citations of drafts, and repair them."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from errata.cli.codes import STRICT, code_of_run
from errata.cli.correct import Request, View, work_on
from errata.cli.drafts import read_drafts
from errata.cli.options import MAIN, AsForm, Shared, Takes, Target
from errata.core.errors import InputError
from errata.render.citations import count_faults, why_unread
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.nodes.state import CorrectionContext


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

"""`errata correct`: correct a draft."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from errata.cli.options import (
    AsJson,
    Assignments,
    Documents,
    Draft,
    Html,
    MoreDocuments,
    Question,
    fit_settings,
    method_option,
    read_assignments,
    with_settings,
)
from errata.cli.output import (
    exit_if_unjudged,
    exit_if_unsupported,
    failures,
    show_correction,
    write_html,
)
from errata.errors import InputError
from errata.methods import CORRECTING

if TYPE_CHECKING:
    from errata.nodes.state import CorrectionContext
    from errata.records import Correction

METHOD = method_option(CORRECTING)


@with_settings(CORRECTING)
def correct(
    settings: Callable[[], dict[str, Any]],
    more: MoreDocuments = None,
    question: Question = "",
    draft: Draft = "",
    method: Annotated[str, METHOD] = CORRECTING[0],
    documents: Documents = None,
    more_settings: Assignments = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    with failures():
        own = settings() | read_assignments(more_settings)
        files = [*(documents or ()), *(more or ())]
        correction, context = run(question, draft, method, files, own)
        write_html(correction, html)
        show_correction(correction, as_json)
    exit_if_unjudged(correction, context, context.deciding_role)
    exit_if_unsupported(correction)


def run(
    question: str, draft: str, method: str, files: Sequence[Path], settings: Mapping[str, Any]
) -> "tuple[Correction, CorrectionContext]":
    """The correction of a draft by files, and the settings it was made with."""
    from rich.console import Console

    from errata.session import Session
    from errata.tools.retrieval.folder import read_documents

    session = Session(method, **fit_settings(method, CORRECTING, settings))
    text = read_draft(draft) if draft else ""
    documents = [document for file in files for document in read_documents(file)]
    with Console(stderr=True).status("reading, checking, correcting …"):
        return session.correct(question, text, documents), session.context  # type: ignore[return-value]


def read_draft(source: str) -> str:
    """The draft in a file or on standard input.

    Raises InputError if it is empty or cannot be read.
    """
    from errata.tools.text.files import read_text

    text = sys.stdin.read() if source == "-" else read_text(Path(source))
    if not text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    return text.rstrip("\n")

"""`errata answer`: answer a question."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from errata.cli.counts import Counts
from errata.cli.inputs import Encoding, read_evidence, with_encoding
from errata.cli.options import (
    AsJson,
    Assignments,
    Documents,
    Html,
    fit_settings,
    method_option,
    read_assignments,
    with_settings,
)
from errata.cli.output import failures, show_answer, write_html
from errata.cli.places import check_writable
from errata.methods import ANSWERING


@with_settings(ANSWERING)
def answer(
    settings: Callable[[], dict[str, Any]],
    question: Annotated[str, typer.Argument(help="What to answer.")],
    method: Annotated[str, method_option(ANSWERING)] = ANSWERING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    more_settings: Assignments = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from documents or a corpus, from the web where these are wrong, or both."""
    from errata.session import Session

    with failures():
        check_writable(html)
        own = settings() | read_assignments(more_settings)
        counts = Counts()
        fitting = fit_settings(method, ANSWERING, with_encoding(own, encoding))
        session = Session(method, on_progress=counts.tell_step, **fitting)
        texts = read_evidence(documents or (), encoding)
        with counts.shown("retrieving, judging, answering …"):
            result = session.answer(question, texts)
        show_answer(result, as_json)
        write_html(result, html)

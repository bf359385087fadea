"""`errata answer`: answer a question."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

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
    with_settings,
)
from errata.cli.output import failures, show_answer, write_html
from errata.cli.places import check_writable
from errata.cli.stored import Checkpoints, RunName, Stored
from errata.core.errors import InputError
from errata.methods import ANSWERING
from errata.nodes.settings import read_assignments

if TYPE_CHECKING:
    from errata.nodes.context import Context


@with_settings(ANSWERING)
def answer(
    settings: Callable[[], dict[str, Any]],
    question: Annotated[str, typer.Argument(help="What to answer.")],
    method: Annotated[str, method_option(ANSWERING)] = ANSWERING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    more_settings: Assignments = None,
    checkpoints: Checkpoints = "",
    run: RunName = "",
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
        fitting |= Stored(checkpoints, run).session
        session = Session(method, on_progress=counts.tell_step, **fitting)
        _check_sources(session.context, documents or ())
        texts = read_evidence(documents or (), encoding)
        with counts.shown("retrieving, judging, answering …"):
            result = session.answer(question, texts, run=run)
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

"""`errata answer`: one method on a question."""

from typing import TYPE_CHECKING, Annotated, Any, cast

from typer import Argument

from errata.cli.correct import open_session
from errata.cli.drafts import read_evidence
from errata.cli.options import Shared, Stream, Takes, method_option
from errata.cli.output import check_writable, show_answer, write_json
from errata.cli.progress import Progress
from errata.cli.stream import call
from errata.core.errors import InputError
from errata.methods import ANSWERING
from errata.render.html import write_report

if TYPE_CHECKING:
    from errata.core.records import Answer


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

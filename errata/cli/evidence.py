"""`errata evidence` and `errata watch`: list, forget and re-check the stored verdicts."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from errata.cli.codes import OUTSIDE, STRICT
from errata.cli.drafts import read_evidence
from errata.cli.options import MODELS, AsJson, Documents, Encoding, TakesSettings
from errata.cli.output import show
from errata.cli.progress import Progress
from errata.cli.stores import opened_store
from errata.core.errors import InputError, count
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Document
    from errata.durable.watch import Watched
    from errata.tools.judges.cases import Judgement
    from errata.tools.judges.evidence_store import EvidenceStore

Place = Annotated[
    str,
    Argument(metavar="FILE|URL", envvar="ERRATA_EVIDENCE_STORE", help="The evidence store."),
]
SETTINGS = (
    *MODELS,
    *"unsupported cut_sections page_cache max_seconds max_calls max_money".split(),
)
"""The settings of `watch` that have an option; `--set` takes any other."""
Sources = Mapping[str, "Document"]


def _opened(place: str) -> AbstractContextManager["EvidenceStore"]:
    from errata.tools.judges.evidence_store import find_evidence

    return opened_store(find_evidence(place), "evidence store")


def evidence(
    what: Annotated[Literal["list", "forget"], Argument(help="What to do with what is found.")],
    place: Place,
    url: Annotated[str, Option("--url", help="Only claims judged by this page.")] = "",
    before: Annotated[str, Option(metavar="DATE", help="Only what was judged before a day.")] = "",
    claim: Annotated[str, Option("--claim", help="Only this claim, word for word.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the verdicts of an evidence store, or have it forget some."""
    try:
        day = date.fromisoformat(before).isoformat() if before else ""
    except ValueError as error:
        raise InputError(f"--before takes a day such as 2026-01-31; got {before!r}") from error
    if what == "forget" and not (url or day or claim):
        raise InputError("say what to forget: --url, --before, --claim, or several, which all hold")
    with _opened(place) as store:
        if what == "forget":
            gone = store.forget(url, day, claim)
            told = f"{count(gone, 'claim', 'was')} forgotten"
            show({"forgotten": gone}, [told], as_json=as_json)
            return
        found = store.search(url, day, claim)
        rows = [_row(own, _sources(store, own)) for own in found]
    show(rows, (_line(row, f": {row['claim']}") for row in rows), as_json=as_json)


def _sources(store: "EvidenceStore", *judgements: "Judgement") -> Sources:
    return store.documents(q.document for own in judgements for q in own.verdict.evidence)


def _row(own: "Judgement", documents: Sources) -> dict[str, Any]:
    """A judgement as JSON, its quotes with their sources."""
    quotes = [
        {
            "text": quote.text,
            "source": (source.url or source.title or source.id) if source else "",
            "read": source.retrieved_at if source else "",
        }
        for quote in own.verdict.evidence
        for source in [documents.get(quote.document)]
    ]
    return {
        "claim": own.case.claim,
        "question": own.case.question,
        "label": own.verdict.label,
        "judged": own.judged,
        "judge": own.case.filler,
        "quotes": quotes,
    }


def _line(row: Mapping[str, Any], claim: str = "") -> str:
    """A judgement in lines of text."""
    quotes = (f"\n  “{' '.join(q['text'].split())}” ({q['source']})" for q in row["quotes"])
    label = row["label"].replace("_", " ")
    return f"{row['judged'][:10]} {label}{claim} [{row['judge']}]{''.join(quotes)}"


@TakesSettings(("rac",), only=SETTINGS)
def watch(
    settings: dict[str, Any],
    place: Place,
    documents: Documents = None,
    encoding: Encoding = "",
    strict: Annotated[bool, Option("--strict", help="Exit with 1 if a verdict changed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge stored claims again where their documents changed, and report new verdicts."""
    from errata.durable.watch import watch as look
    from errata.given import read_given
    from errata.session import Session

    with Session("rac", **settings) as session, _opened(place) as store:
        given = session.run(read_given, read_evidence(documents or (), encoding))
        with Progress().shown("reading pages, judging …"):
            found: Watched = session.run(look, place, session.context, given)
        pairs = store.untold()
        errata = [
            {"before": _row(a, _sources(store, a)), "after": _row(b, _sources(store, b))}
            for a, b in pairs.values()
        ]
        show({**asdict(found), "errata": errata}, _report(found, errata), as_json=as_json)
        sys.stdout.flush()
        store.tell(pairs)  # only now: a report that was cut comes again
        model = session.context.by_model("verify")
    if model and found.unjudged and (strict or not found.judged):
        say(f"errata: the model for verify left {count(found.unjudged, 'claim')} unjudged")
        raise typer.Exit(OUTSIDE)
    raise typer.Exit(STRICT if strict and errata else 0)


def _report(found: "Watched", errata: list[dict[str, Any]]) -> Iterator[str]:
    for pair in errata:
        before, after = pair["before"], pair["after"]
        yield f"erratum: {before['claim']}"
        yield f"  was {_line(before)}"
        yield f"  is {_line(after)}"
    told = "1 erratum" if len(errata) == 1 else f"{len(errata)} errata"
    yield (
        f"{count(found.documents, 'document')} compared, {len(found.changed)} changed; "
        f"{count(found.judged, 'claim')} judged anew, {told}"
    )
    yield from (f"changed: {name}" for name in found.changed)
    yield from (f"not read: {fault}" for fault in found.unread)
    if found.apart:
        yield f"{count(found.apart, 'document')} without an address not compared: --documents FILE"
    yield from (f"note: {note}" for note in found.notes)
    if found.unjudged:
        yield f"{count(found.unjudged, 'claim')} could not be judged: left for the next look"
    for name, number in found.others.items():
        yield f"{count(number, 'claim')} judged by {name}, or by other settings: give these"

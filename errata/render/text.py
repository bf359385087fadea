"""Results told in plain text, the answer first: what a model that called a tool reads."""

from collections.abc import Iterator

from errata.records import Answer, Correction, Knowledge, Quote, Verdict

_LONGEST = 300
"""Characters of a quote that are told; the rest is in the record."""


def as_text(result: Correction | Answer) -> str:
    """Tell a correction or an answer: its text, then what it rests on."""
    if isinstance(result, Answer):
        return "\n".join([result.response, "", *_ground(result), *_noted(result)])
    lines = [result.response, ""]
    lines += [f"Changed: {e.before!r} to {e.after!r}: {e.explanation}" for e in result.edits]
    return "\n".join([*lines, *_unsupported(result), *_noted(result)]).strip()


def verdicts_as_text(result: Correction) -> str:
    """Tell a check: the label of the whole, then a line for each claim."""
    lines = [_judged(result, verdict) for verdict in result.verdicts]
    return "\n".join([f"The draft is {_words(result.label)}.", "", *lines, *_noted(result)])


def _unsupported(result: Correction) -> Iterator[str]:
    mended = {claim for edit in result.edits for claim in edit.claims}
    for verdict in result.verdicts:
        if verdict.label != "supported" and verdict.claim not in mended:
            yield _judged(result, verdict)


def _judged(result: Correction, verdict: Verdict) -> str:
    text = next((claim.text for claim in result.claims if claim.id == verdict.claim), "")
    said = f"{_words(verdict.label).capitalize()}: {text}"
    return said + "".join(f" Evidence: {_quoted(quote)}" for quote in verdict.evidence[:1])


def _ground(result: Answer) -> Iterator[str]:
    titles = {document.id: document.url or document.title for document in result.documents}
    for strip in result.knowledge:
        yield f"From {titles.get(strip.document) or strip.document}: {_quoted(strip)}"


def _quoted(quote: Quote | Knowledge) -> str:
    text = " ".join(quote.text.split())
    return f'"{text[:_LONGEST]}…"' if len(text) > _LONGEST else f'"{text}"'


def _noted(result: Correction | Answer) -> Iterator[str]:
    return (f"Note: {note}" for note in result.notes)


def _words(label: str) -> str:
    return label.replace("_", " ")

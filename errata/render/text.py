"""Results as plain text, the answer first: what a model that called a tool reads."""

from collections.abc import Iterator, Mapping, Sequence

from errata.records import Answer, Correction, Knowledge, Quote, Verdict

QUOTE_LENGTH = 300
"""Characters of a quote that are shown; the rest is in the record."""


def as_text(result: Correction | Answer) -> str:
    """The response, then what it rests on."""
    if isinstance(result, Answer):
        return "\n".join([result.response, "", *_knowledge(result), *_notes(result)])
    edits = (f"Changed: {e.before!r} to {e.after!r}: {e.explanation}" for e in result.edits)
    return "\n".join([result.response, "", *edits, *_unmended(result), *_notes(result)]).strip()


def verdicts_as_text(result: Correction) -> str:
    """The label of the whole draft, then a line for each claim."""
    texts = claim_texts(result)
    lines = [_verdict(texts, verdict) for verdict in result.verdicts]
    return "\n".join([f"The draft is {_words(result.label)}.", "", *lines, *_notes(result)])


def count(items: Sequence[object], noun: str) -> str:
    """How many there are: `1 claim`, `2 claims`."""
    return f"{len(items)} {noun}{'' if len(items) == 1 else 's'}"


def _unmended(result: Correction) -> Iterator[str]:
    """The claims that are not supported and that no edit mends."""
    texts = claim_texts(result)
    mended = {claim for edit in result.edits for claim in edit.claims}
    for verdict in result.verdicts:
        if verdict.label != "supported" and verdict.claim not in mended:
            yield _verdict(texts, verdict)


def claim_texts(result: Correction) -> dict[str, str]:
    """The claims' texts by their ids."""
    return {claim.id: claim.text for claim in result.claims}


def _verdict(texts: Mapping[str, str], verdict: Verdict) -> str:
    line = f"{_words(verdict.label).capitalize()}: {texts.get(verdict.claim, '')}"
    return line + "".join(f" Evidence: {_quote(quote)}" for quote in verdict.evidence[:1])


def _knowledge(result: Answer) -> Iterator[str]:
    titles = {document.id: document.url or document.title for document in result.documents}
    for strip in result.knowledge:
        yield f"From {titles.get(strip.document) or strip.document}: {_quote(strip)}"


def _quote(quote: Quote | Knowledge) -> str:
    text = " ".join(quote.text.split())
    return f'"{text[:QUOTE_LENGTH]}…"' if len(text) > QUOTE_LENGTH else f'"{text}"'


def _notes(result: Correction | Answer) -> Iterator[str]:
    return (f"Note: {note}" for note in result.notes)


def _words(label: str) -> str:
    return label.replace("_", " ")

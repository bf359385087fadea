"""`errata correct --spans`: another program marked what is wrong; all other sentences stay."""

import json
from collections.abc import Iterator
from typing import Any

from errata.cli.drafts import Draft, decode_source
from errata.core.edits import Span, Spans
from errata.core.errors import InputError


def unmarked(source: str, question: str, draft: Draft) -> list[Span]:
    """The sentences of a draft that a file of JSON marks nothing of.

    Its marks are all objects with `start` and `end`, wherever they stand: LettuceDetect's spans,
    Guardrails' `error_spans`. Raises InputError if the file cannot be read, or a mark is of another
    text: outside the draft, or with another `text` than stands there.
    """
    from errata.tools.local.extract import split_draft

    try:
        found = list(_marks(json.loads(decode_source(source, "").text)))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source!r} is no JSON: {error}") from error
    for start, end, text in found:
        inside = 0 <= start <= end <= len(draft.text)
        if not inside or text not in (None, draft.text[start:end]):
            where = f"characters {start} to {end}"
            raise InputError(f"{source!r} marks {where} of another text than {draft.name!r}")
    marks = Spans(found, lambda mark: mark[:2])
    places = ((each.start, each.end) for each in split_draft(question, draft.text))
    return [place for place in places if not marks.touching(*place)]


def _marks(value: Any) -> Iterator[tuple[int, int, Any]]:
    if isinstance(value, dict):
        start, end = value.get("start"), value.get("end")
        if type(start) is type(end) is int:
            yield start, end, value.get("text")
    parts = value.values() if isinstance(value, dict) else value
    for each in parts if isinstance(value, dict | list) else ():
        yield from _marks(each)

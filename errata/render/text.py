"""Results as plain text, the answer first: what a model that called a tool reads."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import get_args

from errata.core.errors import count
from errata.core.records import (
    Answer,
    Correction,
    Knowledge,
    Quote,
    Skipped,
    Verdict,
    VerdictLabel,
)

QUOTE_LENGTH = 300
"""Characters of a quote that are shown; the rest is in the record."""


def as_text(result: Correction | Answer) -> str:
    """The response, then what it rests on: knowledge, or edits and claims that no edit mends."""
    if isinstance(result, Answer):
        titles = {document.id: document.url or document.title for document in result.documents}
        rests_on = [
            f"From {titles.get(strip.document) or strip.document}: {_quote(strip)}"
            for strip in result.knowledge
        ]
        return "\n".join([result.response, "", *rests_on, *_notes(result)])
    edits = (f"Changed: {e.before!r} to {e.after!r}: {e.explanation}" for e in result.edits)
    mended = {claim for edit in result.edits for claim in edit.claims}
    left = [v for v in result.verdicts if v.label != "supported" and v.claim not in mended]
    lines = [result.response, "", *edits, *_verdicts(result, left), *_notes(result)]
    return "\n".join(lines).strip()


def verdicts_as_text(result: Correction) -> str:
    """The label of the whole draft, then a line for each claim."""
    lines = [*_verdicts(result, result.verdicts)]
    label = describe_label(result)
    lines += [f"Not checked: {said}"] if (said := describe_skipped(result.skipped)) else []
    opening = f"The draft is {label}." if result.checked else f"{label.capitalize()}."
    return "\n".join([opening, "", *lines, *_notes(result)])


def describe_label(result: Correction) -> str:
    """The label of the whole draft in words, unless nothing was judged."""
    if not result.checked:
        return "nothing could be checked"
    return "not fully supported" if result.label == "not_mentioned" else result.label


def describe_claims(result: Correction) -> str:
    """How many claims there are, and how many of each label: `3 claims: 2 supported, 1 refuted`."""
    order = list(get_args(VerdictLabel))
    verdicts = sorted(result.verdicts, key=lambda verdict: order.index(verdict.label))
    counted = Counter(label_in_words(verdict, result.unmended) for verdict in verdicts)
    labels = ", ".join(f"{number} {label}" for label, number in counted.items())
    return count(result.claims, "claim") + (f": {labels}" if labels else "")


def describe_unchecked(result: Correction) -> str:
    """Why nothing could be checked: how many claims have which label, and for what reason."""
    reasons = Counter((label_in_words(v), v.explanation) for v in result.verdicts)
    parts = (
        f"{count(number, 'claim')} {label}" + (f" ({reason})" if reason else "")
        for (label, reason), number in reasons.items()
    )
    skipped = describe_skipped(result.skipped)
    said = f"the draft holds no claim: {skipped}" if skipped else "the draft holds no claim"
    return "; ".join(parts) or said


def describe_retrieval(result: Answer) -> str:
    """What was done about the retrieval: `incorrect, searched for 'x'; `; empty if nothing was."""
    query = f"searched for {result.queries[0]!r}" if result.queries else ""
    done = ", ".join(part for part in (result.action, query) if part)
    return f"{done}; " if done else ""


def describe_cost(result: Correction | Answer) -> str:
    """What a result took: `2 model calls, 1 from the cache, cost 0.0012`; a cost if it had one."""
    calls, kept, money = result.usage.model_calls, result.usage.cached_calls, result.usage.money
    cached = f", {kept} from the cache" if kept else ""
    cost = f", cost {Decimal(f'{money:.2g}'):f}" if money else ""
    return f"{count(calls, 'model call')}{cached}{cost}"


def describe_skipped(skipped: Sequence[Skipped]) -> str:
    """How much of a draft claims nothing, and what it is: `2 sentences (a heading, a question)`."""
    reasons = ", ".join(sorted({each.reason for each in skipped}))
    return f"{count(skipped, 'sentence')} ({reasons})" if skipped else ""


def label_in_words(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label as people read it: with its reason, and whether the refuted claim stays.

    >>> label_in_words(Verdict(claim="c1", label="not_mentioned", reason="not_understood"))
    'not understood'
    >>> label_in_words(Verdict(claim="c1", label="refuted"), unmended=["c1"])
    'refuted (stays)'
    """
    is_read = verdict.reason != "not_understood"
    label = verdict.label.replace("_", " ") if is_read else "not understood"
    return f"{label} (stays)" if verdict.claim in unmended else label


def label_with_score(verdict: Verdict, unmended: Collection[str] = ()) -> str:
    """A verdict's label in words, with its score where it has one."""
    label = label_in_words(verdict, unmended)
    return label if verdict.score is None else f"{label} {verdict.score:.2f}"


def _verdicts(result: Correction, verdicts: Iterable[Verdict]) -> Iterator[str]:
    """A line for each verdict: its label in words, its claim, and its first quote."""
    texts = {claim.id: claim.text for claim in result.claims}
    for verdict in verdicts:
        label = label_in_words(verdict, result.unmended).capitalize()
        quotes = "".join(f" Evidence: {_quote(quote)}" for quote in verdict.evidence[:1])
        yield f"{label}: {texts.get(verdict.claim, '')}{quotes}"


def _quote(quote: Quote | Knowledge) -> str:
    text = " ".join(quote.text.split())
    return f'"{text[:QUOTE_LENGTH]}…"' if len(text) > QUOTE_LENGTH else f'"{text}"'


def _notes(result: Correction | Answer) -> Iterator[str]:
    return (f"Note: {note}" for note in result.notes)

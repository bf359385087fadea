"""The figures of a report: bars with a place and a width in percent, each told in words beside."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, get_args

from errata.core.errors import count
from errata.core.records import Answer, Correction, Usage, VerdictLabel
from errata.core.urls import split_url

_KINDS = (*get_args(VerdictLabel), "no claim")
_WORST = (*"refuted conflicting unreadable unchecked not_mentioned supported".split(), _KINDS[-1])
"""Which label a sentence has whose claims have several: the first of these."""


class Bar(NamedTuple):
    """A stretch of a line: where it begins and how wide it is, in percent of the line."""

    start: float
    width: float
    kind: str = "plain"


class Line(NamedTuple):
    """A line of a figure: its name, its bars, and what they say in words."""

    name: str
    bars: list[Bar]
    told: str


class Figure(NamedTuple):
    """Lines under one title."""

    title: str
    lines: list[Line]


def draw_figures(result: Correction | Answer) -> list[Figure]:
    """Share of text by verdict, evidence by source and date, time and cost; no empty figure."""
    figures = [
        Figure("Evidence by source and date", _evidence(result)),
        Figure("Time and cost, step by step", list(_steps(result.usage))),
    ]
    if isinstance(result, Correction):
        figures.insert(0, Figure("Share of the text by verdict", _shares(result)))
    return [figure for figure in figures if figure.lines]


def _shares(result: Correction) -> list[Line]:
    """A line for each label, with a bar in each place of the draft that has it."""
    said = {verdict.claim: verdict.label for verdict in result.verdicts}
    places: dict[tuple[int, int], str] = {(s.start, s.end): _KINDS[-1] for s in result.skipped}
    for claim in result.claims:
        span, label = (claim.start, claim.end), said.get(claim.id, "unchecked")
        places[span] = min(places.get(span, label), label, key=_WORST.index)
    whole = max(1, len(result.draft))
    lines = list[Line]()
    for kind in _KINDS:
        spans = sorted(span for span, label in places.items() if label == kind)
        bars = [Bar(100 * a / whole, 100 * (b - a) / whole, kind) for a, b in spans]
        share = sum(bar.width for bar in bars)
        if bars:
            told = f"{share:.0f}% of the text, {count(bars, 'sentence')}"
            lines.append(Line(kind.replace("_", " "), bars, told))
    return lines


def _evidence(result: Correction | Answer) -> list[Line]:
    """A line for each source and day, the most quoted first, with a bar as wide as its share."""
    quotes: Iterable[tuple[str, int, int]]
    if isinstance(result, Answer):
        quotes = {(strip.document, strip.start, strip.end) for strip in result.knowledge}
    else:
        evidence = [*(v.evidence for v in result.verdicts), *(e.evidence for e in result.edits)]
        quotes = {(quote.document, quote.start, quote.end) for quote in chain(*evidence)}
    number = Counter(document for document, _, _ in quotes)
    quoted, documents = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for document in result.documents:
        origin = split_url(document.url).hostname or document.source
        key = (origin, document.retrieved_at[:10] or "no date")
        quoted[key] += number[document.id]
        documents[key] += 1
    every = max(1, sum(quoted.values()))
    return [
        Line(
            f"{origin}, {day}",
            [Bar(0, 100 * quotes / every)],
            f"{count(quotes, 'quote')} of {count(documents[origin, day], 'document')}",
        )
        for (origin, day), quotes in quoted.most_common()
    ]


def _steps(usage: Usage) -> Iterator[Line]:
    """A line for each step in the order they began; a step that ran again is one bar."""
    whole = sum(share.get("seconds", 0.0) for share in usage.by_role.values()) or 1.0
    began = 0.0
    for name, share in usage.by_role.items():
        seconds = share.get("seconds", 0.0)
        yield Line(name, [Bar(100 * began / whole, 100 * seconds / whole)], _cost(share))
        began += seconds


def _cost(share: Mapping[str, float]) -> str:
    """What a step took: `6.43 s, 2 model calls, 1200 tokens, cost 0.0012`."""
    tokens = share.get("prompt_tokens", 0) + share.get("completion_tokens", 0)
    numbers = {
        "model call": share.get("model_calls", 0),
        "cached call": share.get("cached_calls", 0),
        "token": tokens,
        "search": share.get("searches", 0),
        "page": share.get("pages", 0),
    }
    parts = [f"{share.get('seconds', 0.0):.2f} s"]
    parts += [count(int(number), noun) for noun, number in numbers.items() if number]
    return ", ".join([*parts, *([f"cost {share['money']:.2g}"] if share.get("money") else [])])

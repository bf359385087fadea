"""What the evidence has in a claim's place: another day, number or name of the same thing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.tools.judges.features import Evidence, Reading, is_held
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.strips import Strip
from errata.tools.text.words import STOPWORDS, Word, split_words

NEAR = 6
"""How many words may lie between an event and its date."""
CLOSE = 3
"""How many, where the event is all that the strip shares with the claim."""
CONTEXT = 0.75
"""How much of the rest of the claim a strip must hold."""
LEAD = 12
"""How many opening strips of a document speak of its subject without naming it."""
OPENING = 160
"""How far into a document, in characters, its subject's days may stand in brackets."""
_HEADINGS = ("Born", "Died")
_LIFE = {"born": "born", "die": "died"}
_DAYS = re.compile(
    r"\((?:[^()]*?; ?|born )?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?(?P<died>[^()–—]{4,40}))?\)"
)
_ONE_ANSWER = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered) in|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted) by) $"
)
_RUNNING = re.compile(r"\b(?:until|till|since|from|to|through|between|and|over|least|than) $")
_STATE = re.compile(r"\b(?:has|have|had|is|was|are|were) $")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)$")


@dataclass(frozen=True)
class Contradiction:
    """Hold what a strip has in the place of a span."""

    instead_of: Entity
    span: Entity
    strip: Strip


def missing_entities(claim: Reading, evidence: Evidence) -> list[Entity]:
    """Give the spans of a claim that no strip holds."""
    return [span for span in claim.entities if not is_held(span, evidence.strips)]


def find_contradictions(
    span: Entity, claim: Reading, evidence: Evidence
) -> Iterator[Contradiction]:
    """Find every span that the evidence has in this one's place."""
    if _RUNNING.search(claim.text[: span.start]) or not _on_topic(claim, span):
        return
    for strip in evidence.strips:
        if evidence.place(strip) < LEAD or claim.topic & strip.bag:
            for other in _in_place(span, claim, strip):
                if not other.stems <= set(claim.stems):
                    yield Contradiction(span, other, strip)


def _on_topic(claim: Reading, span: Entity) -> bool:
    """Tell whether the name that opens the claim is what the documents are about."""
    opening = next(
        (s for s in find_entities(claim.text) if s.kind == "name" and s.end <= span.start), None
    )
    return not opening or not claim.topic or opening.stems <= claim.topic


def _in_place(span: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    if span.kind in ("date", "year"):
        event = _event(span, claim)
        if event in _LIFE:
            return _precise(_in_brackets(event, claim, strip) or _near(event, claim, strip), span)
        only = len([s for s in strip.entities if s.kind in ("date", "year")]) == 1
        if not only or not _context(span, claim, strip, 1):
            return []
        gap = NEAR if _context(span, claim, strip, 2) else CLOSE
        return _precise(_near(event, claim, strip, gap), span)
    return _counted(span, claim, strip) if span.kind == "number" else _placed(span, claim, strip)


def _context(span: Entity, claim: Reading, strip: Strip, least: int) -> bool:
    """Tell whether a strip holds enough of the rest of the claim to speak of the same thing."""
    rest = {stem for stem in claim.own if stem not in span.stems and stem not in STOPWORDS}
    return len(rest) >= least and len(rest & strip.bag) >= CONTEXT * len(rest)


def _event(span: Entity, claim: Reading) -> str:
    """Name what happened: birth, death, or the last content word before the date."""
    before = [word.stem for word in split_words(claim.text[: span.start]) if word.is_content]
    told = [stem for stem in before if stem in _LIFE]
    return (told or before or [""])[-1]


def _in_brackets(event: str, claim: Reading, strip: Strip) -> list[Entity]:
    """Give the day that stands in brackets after the name that opens a document."""
    match = _DAYS.search(strip.text)
    if not match or strip.start + match.start() > OPENING or not match[_LIFE[event]]:
        return []
    before = {word.stem for word in split_words(strip.text[: match.start()])}
    days = [find_entities(match[group]) for group in match.groupdict() if match[group]]
    whole = all(len(found) == 1 and found[0].kind in ("date", "year") for found in days)
    named = match["died"] or match.group().startswith("(born")
    named = named and (not claim.topic or bool(before & claim.topic))
    return days[event == "die"] if whole and named else []


def _near(event: str, claim: Reading, strip: Strip, gap: int = NEAR) -> list[Entity]:
    """Give the dates and years that follow an event closely, nearest first."""
    places = [w for w in strip.words if w.stem == event and _same_subject(w, claim, strip)]
    after = [
        (len(split_words(strip.text[place.end : other.start])), other)
        for place in places
        for other in strip.entities
        if other.kind in ("date", "year") and other.start >= place.end
    ]
    return [other for far, other in sorted(after, key=lambda pair: pair[0]) if far <= gap]


def _same_subject(event: Word, claim: Reading, strip: Strip) -> bool:
    """Tell whether the last name before an event is the claim's; a table's heading has none."""
    before = [s for s in strip.entities if s.kind == "name" and s.end <= event.start]
    return (
        event.text in _HEADINGS
        or not before
        or bool(before[-1].stems & (claim.topic | set(claim.stems)))
    )


def _precise(found: Sequence[Entity], span: Entity) -> list[Entity]:
    """Give the first date in the precision of the span; none where it says less."""
    for other in found[:2]:
        year = other.key.split("-")[0]
        if span.kind == "year" and other.kind == "date" and year != "?":
            return [Entity("year", other.start, other.end, year, year)]
        if other.kind == span.kind and _shape(other) == _shape(span):
            return [other]
    return []


def _shape(span: Entity) -> tuple[bool, ...]:
    return (span.text.endswith("s"), *(part == "?" for part in span.key.split("-")))


def _counted(span: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """Find another number of the same things, or another place in the same order."""
    thing = _following(claim.text, span)
    ordinal = bool(_ORDINAL.search(span.key))
    state = bool(_STATE.search(claim.text[: span.start]))
    if not thing or not _context(span, claim, strip, 1 if ordinal else 2 if state else 3):
        return []
    return [
        other
        for other in strip.entities
        if other.kind == "number"
        and bool(_ORDINAL.search(other.key)) == ordinal
        and _following(strip.text, other) == thing
    ]


def _following(text: str, span: Entity) -> str:
    after = split_words(text[span.end : span.end + 40])
    return after[0].stem if after and after[0].is_content else ""


def _placed(span: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """Find another name where only one can stand, such as after "born in"."""
    lead = _ONE_ANSWER.search(claim.text[: span.start])
    if not lead or not _context(span, claim, strip, 1):
        return []
    names = [other for other in strip.entities if other.kind == "name"]
    return [
        other
        for other in names
        if strip.text[: other.start].endswith(lead.group())
        and _same_subject(_word_at(strip, other.start - len(lead.group())), claim, strip)
    ]


def _word_at(strip: Strip, place: int) -> Word:
    return next(word for word in strip.words if word.end > place)

"""Contradictions: another date, number or name that the evidence states in place of a claim's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.tools.judges.evidence import Evidence, Reading, appears_in
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.strips import Strip
from errata.tools.text.words import STOPWORDS, Word, split_words

MAX_GAP = 6
"""The most words between an event and its date."""
MAX_GAP_ALONE = 3
"""The same where the strip shares nothing but the event with the claim."""
MIN_SHARED = 0.75
"""The share of the claim's other words that a strip must contain."""
OPENING_STRIPS = 12
"""The first strips of a document are about its subject even where they do not name it."""
OPENING_CHARACTERS = 160
"""How far into a document the brackets with its subject's days may begin."""
_HEADINGS = ("Born", "Died")
_LIFE_EVENTS = {"born": "born", "die": "died"}
_DAYS = re.compile(
    r"\((?:[^()]*?; ?|born )?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?(?P<died>[^()–—]{4,40}))?\)"
)
_SINGLE_ANSWER = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered) in|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted) by) $"
)
_RANGE = re.compile(r"\b(?:until|till|since|from|to|through|between|and|over|least|than) $")
_STATE = re.compile(r"\b(?:has|have|had|is|was|are|were) $")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)$")


@dataclass(frozen=True)
class Contradiction:
    """An entity of a claim, and the one that a strip states in its place."""

    claimed: Entity
    stated: Entity
    strip: Strip


def find_missing_entities(claim: Reading, evidence: Evidence) -> list[Entity]:
    """The entities of a claim that no strip has."""
    return [entity for entity in claim.entities if not appears_in(entity, evidence.strips)]


def find_contradictions(
    entity: Entity, claim: Reading, evidence: Evidence
) -> Iterator[Contradiction]:
    """All entities that the evidence states in place of one entity of a claim."""
    if _RANGE.search(claim.text[: entity.start]) or not _is_on_topic(claim, entity):
        return
    for strip in evidence.strips:
        if evidence.position(strip) < OPENING_STRIPS or claim.topic & strip.bag:
            for rival in _find_rivals(entity, claim, strip):
                if not rival.stems <= set(claim.stems):
                    yield Contradiction(entity, rival, strip)


def _is_on_topic(claim: Reading, entity: Entity) -> bool:
    """Whether the first name before an entity is what the documents are about."""
    names = (e for e in find_entities(claim.text) if e.kind == "name" and e.end <= entity.start)
    first = next(names, None)
    return not first or not claim.topic or first.stems <= claim.topic


def _find_rivals(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    if entity.kind == "number":
        return _rival_numbers(entity, claim, strip)
    if entity.kind == "name":
        return _rival_names(entity, claim, strip)
    return _rival_dates(entity, claim, strip)


def _rival_dates(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The date of the same event: a birth or death, or else a strip's only date."""
    event = _last_event(entity, claim)
    if event in _LIFE_EVENTS:
        days = _days_in_brackets(event, claim, strip) or _dates_after(event, claim, strip, MAX_GAP)
        return _match_precision(days, entity)
    is_only = sum(e.kind in ("date", "year") for e in strip.entities) == 1
    if not is_only or not _shares_context(entity, claim, strip, least=1):
        return []
    gap = MAX_GAP if _shares_context(entity, claim, strip, least=2) else MAX_GAP_ALONE
    return _match_precision(_dates_after(event, claim, strip, gap), entity)


def _shares_context(entity: Entity, claim: Reading, strip: Strip, least: int) -> bool:
    """Whether a claim has `least` other content stems, and a strip contains most of them."""
    rest = {s for s in claim.own_stems if s not in entity.stems and s not in STOPWORDS}
    return len(rest) >= least and len(rest & strip.bag) >= MIN_SHARED * len(rest)


def _last_event(entity: Entity, claim: Reading) -> str:
    """The stem of the event before a date: a birth or death, or else the last content word."""
    before = [word.stem for word in split_words(claim.text[: entity.start]) if word.is_content]
    life_events = [stem for stem in before if stem in _LIFE_EVENTS]
    return (life_events or before or [""])[-1]


def _days_in_brackets(event: str, claim: Reading, strip: Strip) -> list[Entity]:
    """The day of birth or death in the brackets after the name that opens a document."""
    match = _DAYS.search(strip.text)
    is_opening = match and strip.start + match.start() <= OPENING_CHARACTERS
    if not match or not is_opening or not match[_LIFE_EVENTS[event]]:
        return []
    before = {word.stem for word in split_words(strip.text[: match.start()])}
    days = [find_entities(match[group]) for group in match.groupdict() if match[group]]
    are_dates = all(len(day) == 1 and day[0].kind in ("date", "year") for day in days)
    are_life_dates = match["died"] or match.group().startswith("(born")
    names_topic = not claim.topic or before & claim.topic
    return days[event == "die"] if are_dates and are_life_dates and names_topic else []


def _dates_after(event: str, claim: Reading, strip: Strip, max_gap: int) -> list[Entity]:
    """The dates and years at most `max_gap` words after an event, nearest first."""
    places = [w for w in strip.words if w.stem == event and _concerns_claim(w, claim, strip)]
    dates = [
        (len(split_words(strip.text[place.end : entity.start])), entity)
        for place in places
        for entity in strip.entities
        if entity.kind in ("date", "year") and entity.start >= place.end
    ]
    return [entity for gap, entity in sorted(dates, key=lambda pair: pair[0]) if gap <= max_gap]


def _concerns_claim(event: Word, claim: Reading, strip: Strip) -> bool:
    """Whether the last name before an event is the claim's; true for a table heading or no name."""
    before = [e for e in strip.entities if e.kind == "name" and e.end <= event.start]
    return (
        event.text in _HEADINGS
        or not before
        or bool(before[-1].stems & (claim.topic | set(claim.stems)))
    )


def _match_precision(dates: Sequence[Entity], entity: Entity) -> list[Entity]:
    """The first of the two nearest dates, as precise as an entity; empty where both say less."""
    for date in dates[:2]:
        year = date.key.split("-")[0]
        if entity.kind == "year" and date.kind == "date" and year != "?":
            return [Entity("year", date.start, date.end, year, year)]
        if date.kind == entity.kind and _precision(date) == _precision(entity):
            return [date]
    return []


def _precision(date: Entity) -> tuple[bool, ...]:
    """Whether it is a decade, and which parts of it are missing."""
    return (date.text.endswith("s"), *(part == "?" for part in date.key.split("-")))


def _rival_numbers(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The other counts of the same things, or the other positions in the same order."""
    counted = _next_stem(claim.text, entity)
    is_ordinal = bool(_ORDINAL.search(entity.key))
    is_state = bool(_STATE.search(claim.text[: entity.start]))
    least = 1 if is_ordinal else 2 if is_state else 3
    if not counted or not _shares_context(entity, claim, strip, least):
        return []
    return [
        other
        for other in strip.entities
        if other.kind == "number"
        and bool(_ORDINAL.search(other.key)) == is_ordinal
        and _next_stem(strip.text, other) == counted
    ]


def _next_stem(text: str, entity: Entity) -> str:
    """The stem of the word after an entity; empty for a stopword."""
    after = split_words(text[entity.end : entity.end + 40])
    return after[0].stem if after and after[0].is_content else ""


def _rival_names(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The other names after a phrase that only one name can follow, such as "born in"."""
    phrase = _SINGLE_ANSWER.search(claim.text[: entity.start])
    if not phrase or not _shares_context(entity, claim, strip, least=1):
        return []
    return [
        name
        for name in strip.entities
        if name.kind == "name"
        and strip.text[: name.start].endswith(phrase.group())
        and _concerns_claim(_word_at(strip, name.start - len(phrase.group())), claim, strip)
    ]


def _word_at(strip: Strip, place: int) -> Word:
    return next(word for word in strip.words if word.end > place)

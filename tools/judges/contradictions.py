"""Contradictions: another date, number or name that the evidence states in place of a claim's."""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.bounds import check_time, current_bounds, note_undone
from errata.tools.judges.evidence import OPENING_CHARACTERS, Evidence, Reading
from errata.tools.text.agreement import counts_alike
from errata.tools.text.entities import Entity, find_entities, year_of
from errata.tools.text.strips import Strip
from errata.tools.text.words import Word, split_words

MAX_GAP = 6
"""The most words between an event and its date."""
MAX_GAP_ALONE = 3
"""The same where the strip shares nothing but the event with the claim."""
MIN_SHARED = 0.75
"""The share of the claim's other words that a strip must contain."""
OPENING_STRIPS = 12
"""The first strips of a document are about its subject even where they do not name it."""
CHARACTERS_BEFORE = 40
"""How far the words just before an entity reach."""
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
_OPEN = re.compile(r",? or (?:earlier|later|before|after)\b")
_STATE = re.compile(r"\b(?:has|have|had|is|was|are|were) $")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)$")


@dataclass(frozen=True)
class Contradiction:
    """An entity of a claim, and the one that a strip states in its place."""

    claimed: Entity
    stated: Entity
    strip: Strip


def find_missing_entities(claim: Reading, evidence: Evidence) -> list[Entity]:
    """The entities of a claim that no strip has, as many as the open bounds allow."""
    missing = [entity for entity in claim.entities if not evidence.mentions(entity)]
    most = current_bounds().max_entities
    if len(missing) > most:
        note_undone(f"only max_entities={most} entities of a claim were compared with the evidence")
    return missing[:most]


def find_life_dates(claim: Reading, evidence: Evidence) -> Iterator[Contradiction]:
    """The days of birth or death that the evidence states in place of the claim's."""
    for entity in find_missing_entities(claim, evidence):
        if entity.kind in ("date", "year") and _last_event(entity, claim) in _LIFE_EVENTS:
            yield from find_contradictions(entity, claim, evidence)


def find_contradictions(
    entity: Entity, claim: Reading, evidence: Evidence
) -> Iterator[Contradiction]:
    """All entities that the evidence states in place of one entity of a claim."""
    is_open = _RANGE.search(_text_before(claim, entity)) or _OPEN.match(claim.text, entity.end)
    if is_open or not _is_on_topic(claim, entity, evidence):
        return
    claim_stems = claim.bag
    for strip in _first_strips(_likely_strips(entity, claim, evidence)):
        check_time()
        if evidence.position(strip) < OPENING_STRIPS or claim.topic & strip.bag:
            for rival in _find_rivals(entity, claim, strip):
                if not rival.stems <= claim_stems:
                    yield Contradiction(entity, rival, strip)


def _first_strips(strips: Sequence[Strip]) -> Iterator[Strip]:
    """As many strips as the open bounds allow; a note if a search goes to the end of these."""
    most = current_bounds().max_compared
    yield from strips[:most]
    if len(strips) > most:
        note_undone(f"only max_compared={most} strips were searched for what contradicts an entity")


def _likely_strips(entity: Entity, claim: Reading, evidence: Evidence) -> Sequence[Strip]:
    """The strips that can state a rival, in order: they have the event, or share the context."""
    if entity.kind in ("number", "name"):
        context = claim.context - entity.stems
        enough = len(context) - math.ceil(MIN_SHARED * len(context)) + 1
        return evidence.strips_with_any(
            sorted(context, key=evidence.frequency.__getitem__)[:enough]
        )
    event = _last_event(entity, claim)
    return evidence.strips_with_any([event], openings=event in _LIFE_EVENTS)


def _text_before(claim: Reading, entity: Entity) -> str:
    """What stands just before an entity."""
    return claim.text[max(0, entity.start - CHARACTERS_BEFORE) : entity.start]


def _is_on_topic(claim: Reading, entity: Entity, evidence: Evidence) -> bool:
    """Whether the first name before an entity is what the documents are about.

    It may be longer than in the question ("Einstein") if the documents of that name open with it.
    """
    names = (e for e in claim.all_entities if e.kind == "name" and e.end <= entity.start)
    first = next(names, None)
    if not first or not claim.topic or first.stems <= claim.topic:
        return True
    namesakes = [stems for stems in evidence.subjects if stems & first.stems & claim.topic]
    return bool(namesakes) and all(first.stems <= stems for stems in namesakes)


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
        days = days_in_brackets(event, claim, strip) or _dates_after(event, claim, strip, MAX_GAP)
        return _match_precision(days, entity)
    is_only = sum(e.kind in ("date", "year") for e in strip.entities) == 1
    if not is_only or not _shares_context(entity, claim, strip, least=1):
        return []
    gap = MAX_GAP if _shares_context(entity, claim, strip, least=2) else MAX_GAP_ALONE
    return _match_precision(_dates_after(event, claim, strip, gap), entity)


def _shares_context(entity: Entity, claim: Reading, strip: Strip, least: int) -> bool:
    """Whether a claim has `least` other content stems, and a strip contains most of them."""
    rest = claim.context - entity.stems
    return len(rest) >= least and len(rest & strip.bag) >= MIN_SHARED * len(rest)


def _last_event(entity: Entity, claim: Reading) -> str:
    """The stem of the event before a date: a birth or death, or else the last content word."""
    words = claim.content_words
    before = words[: bisect_right(words, entity.start, key=lambda word: word.end)]
    life_events = (word.stem for word in reversed(before) if word.stem in _LIFE_EVENTS)
    return next(life_events, before[-1].stem if before else "")


def days_in_brackets(event: str, claim: Reading, strip: Strip) -> list[Entity]:
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
        or bool(before[-1].stems & claim.topic or before[-1].stems & claim.bag)
    )


def _match_precision(dates: Sequence[Entity], entity: Entity) -> list[Entity]:
    """The first of the two nearest dates, as precise as an entity; empty where both say less."""
    for date in dates[:2]:
        year, is_year = year_of(date), entity.kind == "year" and entity.text.isdigit()
        if is_year and date.kind == "date" and year:
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
    is_state = bool(_STATE.search(_text_before(claim, entity)))
    least = 1 if is_ordinal else 2 if is_state else 3
    is_part = not counts_alike(claim.text, strip.text)
    if not counted or is_part or not _shares_context(entity, claim, strip, least):
        return []
    return [
        other
        for other in strip.entities
        if other.kind == "number"
        and bool(_ORDINAL.search(other.key)) == is_ordinal
        and not _RANGE.search(strip.text[: other.start])
        and _next_stem(strip.text, other) == counted
    ]


def _next_stem(text: str, entity: Entity) -> str:
    """The stem of the word after an entity; empty for a stopword."""
    after = split_words(text[entity.end : entity.end + 40])
    return after[0].stem if after and after[0].is_content else ""


def _rival_names(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The other names after a phrase that only one name can follow, such as "born in"."""
    phrase = _SINGLE_ANSWER.search(_text_before(claim, entity))
    if not phrase or not _shares_context(entity, claim, strip, least=1):
        return []
    return [
        name
        for name in strip.entities
        if name.kind == "name"
        and strip.text.endswith(phrase.group(), 0, name.start)
        and _concerns_claim(_word_at(strip, name.start - len(phrase.group())), claim, strip)
    ]


def _word_at(strip: Strip, place: int) -> Word:
    return next(word for word in strip.words if word.end > place)

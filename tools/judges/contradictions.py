"""Another date or name that the evidence states in place of one that it lacks.

"It opened in 1935" by "It opened on 3 May 1931"; "born in Oslo" by "born in Bergen". Not "born in
1935" by "opened in 1931".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.bounds import check_time, current_bounds, note_undone
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.entities import Entity, find_entities, year_of
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems

MIN_SHARED = 0.75
"""The share of the claim's other words that a strip must contain."""
SUBJECT = 12
"""How many characters into a strip its subject may begin."""
BEFORE = 40
"""How many characters just before an entity are read."""
_SINGLE_ANSWER = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered) in|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted) by) $"
)
"""What only one name can follow."""
BORDER = re.compile(r"\b(?:until|till|since|from|to|through|between|and|before|after|by) $")
"""What makes the date after it a border of some time."""
UNREAD = re.compile(
    r"\b(?:next|previous|following|later|earlier|after|before|since|until|up from|down from)\b"
    r"|\d{4}s|\d[–-]\d{4}|[’']\d\d\b|(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])"
)
"""Dates that only a reader understands: the next day, '68, 31/3."""
_OPEN = re.compile(r",? or (?:earlier|later|before|after)\b")
_LIFE = re.compile(
    r"\((?:[^()]*?; ?)?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?|, (?=died ))(?P<die>[^()–—]{4,40})\)"
)
"""The days of birth and death after a name, by the stems of "born" and "died"."""
LIFE_EVENTS = frozenset(_LIFE.groupindex)


@dataclass(frozen=True)
class Contradiction:
    """An entity of a claim, and the one that a strip states in its place."""

    claimed: Entity
    stated: Entity
    strip: Strip


def find_contradictions(claim: Reading, evidence: Evidence) -> list[Contradiction]:
    """All dates and names that strips state in place of those of a claim that none has.

    A strip states one if it has three quarters of the claim's other words and, of the entity's
    kind, one that the claim lacks.
    """
    missing = [e for e in claim.entities if e.kind != "number" and not evidence.mentions(e)]
    most = current_bounds().max_entities
    if len(missing) > most:
        note_undone(f"only max_entities={most} entities of a claim were compared with the evidence")
    return [found for entity in missing[:most] for found in _contradict(entity, claim, evidence)]


def _contradict(entity: Entity, claim: Reading, evidence: Evidence) -> Iterator[Contradiction]:
    if _is_border(entity, claim.text) or _OPEN.match(claim.text, entity.end):
        return
    rest = claim.context - entity.stems
    for strip in _likely_strips(rest, evidence):
        check_time()
        told = strip.bag | _presupposed(strip, evidence)
        rivals = _life_dates(entity, claim, strip)
        if not rivals and rest and len(rest & told) >= MIN_SHARED * len(rest):
            rivals = _find_rivals(entity, claim, strip)
        for rival in rivals:
            if not rival.stems <= claim.bag:
                yield Contradiction(entity, rival, strip)


def _presupposed(strip: Strip, evidence: Evidence) -> frozenset[str]:
    """What a strip need not say: that brackets have life dates, and whom it is about."""
    life = LIFE_EVENTS if _LIFE.search(strip.text) else frozenset[str]()
    names = (e for e in strip.entities if e.kind == "name" and e.start <= SUBJECT)
    is_named = any(name.stems for name in names)
    return life if is_named else life | content_stems(evidence.heading(strip.document))


def _likely_strips(rest: frozenset[str], evidence: Evidence) -> Sequence[Strip]:
    """As many strips with one of a claim's rarest other words as the open bounds allow."""
    enough = len(rest) - int(MIN_SHARED * len(rest)) + 1
    rarest = sorted(rest, key=evidence.frequency.__getitem__)[:enough]
    strips, most = evidence.strips_with_any(rarest), current_bounds().max_compared
    if not rest.isdisjoint(LIFE_EVENTS):
        strips = [*(s for s in evidence.strips if not evidence.position(s)), *strips]
    if len(strips) > most:
        note_undone(f"only max_compared={most} strips were searched for what contradicts an entity")
    return strips[:most]


def _find_rivals(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The other names after a phrase that only one can follow; or a strip's only date."""
    if entity.kind == "name":
        phrase = _SINGLE_ANSWER.search(_text_before(claim.text, entity))
        names = (e for e in strip.entities if e.kind == "name" and phrase)
        return [e for e in names if phrase and strip.text.endswith(phrase.group(), 0, e.start)]
    dates = [e for e in strip.entities if e.kind in ("date", "year")]
    is_read = not UNREAD.search(strip.text) and not any(_is_border(e, strip.text) for e in dates)
    return _as_precise(dates, entity) if is_read else []


def _life_dates(entity: Entity, claim: Reading, strip: Strip) -> list[Entity]:
    """The day of birth or death in the brackets after the name that the claim has."""
    life, event = _LIFE.search(strip.text), set(claim.bag & LIFE_EVENTS)
    named = content_stems(strip.text[: life.start()]) if life else frozenset[str]()
    name = next((e.stems for e in claim.all_entities if e.kind == "name"), claim.topic)
    if not life or len(event) != 1 or not name or not name <= named or entity.kind == "name":
        return []
    dates = [e for e in find_entities(life[event.pop()]) if e.kind in ("date", "year")]
    return _as_precise(dates, entity)


def _as_precise(dates: Sequence[Entity], entity: Entity) -> list[Entity]:
    """The only date, as precise as an entity; none where it says less."""
    if len(dates) != 1:
        return []
    [date], year = dates, year_of(dates[0])
    if entity.kind == "year" and entity.text.isdigit() and date.kind == "date" and year:
        return [Entity("year", date.start, date.end, year, year)]
    is_as_precise = date.kind == entity.kind and _precision(date) == _precision(entity)
    return list(dates) if is_as_precise else []


def _precision(date: Entity) -> tuple[bool, ...]:
    """Whether it is a decade, and which parts of it are missing."""
    return (date.text.endswith("s"), *(part == "?" for part in date.key.split("-")))


def _is_border(entity: Entity, text: str) -> bool:
    """Whether an entity is the border of some time; after "founded by" it is none."""
    before = _text_before(text, entity)
    return bool(BORDER.search(before)) and not _SINGLE_ANSWER.search(before)


def _text_before(text: str, entity: Entity) -> str:
    return text[max(0, entity.start - BEFORE) : entity.start]

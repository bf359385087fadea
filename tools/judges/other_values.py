"""Values of a claim in whose place a strip has others.

"120 km" by "12 km long"; "born in Oslo" by "born in Bergen"; "born in 1825" by "Ada Byron (born
10 May 1815)". Not "40 people" by "60 people in Lund", where the claim counts all.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from errata.core.limits import check_time
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.pairs import Difference, Pair, is_on_another, unless_held
from errata.tools.judges.values import (
    MOST,
    Value,
    find_date_values,
    find_values,
    has_same_digits,
    precision,
)
from errata.tools.text.entities import Entity, agree, find_dates, write_like
from errata.tools.text.sentences import Strip
from errata.tools.text.words import content_stems

ALL = 0.99
"""The share of a claim's words that is all of them."""
BEFORE = 40
"""How many characters before a name are read."""
MOSTLY = 0.75
"""The share of the claim's other words that a strip must have with another date or name."""
COMPARED = 500
"""The most strips in which another date is looked for."""
ELSEWHERE = 50
"""The most strips in which a value is looked for."""
_SINGLE_ANSWER = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered) in|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted) by) $"
)
"""What only one name can follow."""
BORDER = re.compile(r"\b(?:until|till|since|from|to|through|between|and|before|after|by) $")
"""What makes the date after it a border of some time."""
PART_OF_YEAR = re.compile(
    r"\b(?:early|late|mid|(?:start|beginning|middle|end) of)[ -](?:in )?(?:the )?(?:1\d{3}|20\d\d)"
)
"""A time that no code compares with months: late 1918."""
UNREAD = re.compile(
    rf"{PART_OF_YEAR.pattern}"
    r"|\b(?:next|previous|following|later|earlier|after|before|since|until|up from|down from)\b"
    r"|\d{4}s|\d[–-]\d{4}|[’']\d\d\b|(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])"
)
"""Dates that only a reader understands: the next day, '68, 31/3."""
_TOTAL = re.compile(r"\b(?:in all|in total|altogether|combined|overall|together)\b")
_PART = re.compile(r"\b(season|tournament|match|game|round|quarter|final)")
_AROUND = re.compile(rf"{BORDER.pattern[:-1]}|\b(?:and|around|about) $")

_DIFFERENCE = re.compile(r" (?:more|less|fewer|[a-z]+er) (?:than|before|after)\b")
"""What makes the number before it one that is reckoned: 50 euros more than."""
_LIFE = re.compile(
    r"\((?:[^()]*?; ?)?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?|, (?=died ))(?P<die>[^()–—]{4,40})\)"
)
_OPEN = re.compile(r",? or (?:earlier|later|before|after)\b")
LIFE_EVENTS = frozenset(_LIFE.groupindex)
"""The stems of "born" and "died"."""


def find_other_values(pair: Pair) -> Iterator[Difference]:
    """Values of the claim that no like value of the strip bears out.

    Of bare numbers only a strip with all of the claim's other words has another: "sales: 40".
    """
    ours, stated = find_values(pair.claim.text)[:MOST], find_values(pair.strip.text)
    held = [value for value in stated if any(value.repeats(claimed) for claimed in ours)]
    for claimed in ours:
        like = [v for v in stated if not claimed.is_bare and claimed.is_like(v) and v not in held]
        if claimed.is_bare and pair.shared({claimed.text}) >= ALL:
            like = [v for v in stated if v.is_bare and v.is_change == claimed.is_change]
        is_other = bool(like) and all(other.bears_out(claimed) is False for other in like)
        if is_other and _is_comparable(claimed, stated, pair):
            found = _difference(claimed, like, pair)
            yield from unless_held(found, pair, _holding(claimed, pair))


def find_other_dates(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """The date of any strip that has most of the claim's other words, where none has its own."""
    for claimed in find_date_values(claim.text)[:MOST]:
        check_time()
        having = evidence.strips_with_any(claimed.stems)
        if any(_may_bear_out(e, claimed) for strip in having for e in strip.entities):
            continue
        # A strip with most of some words has one of the rarest.
        rest = sorted(claim.context - claimed.stems, key=lambda stem: (-evidence.idf(stem), stem))
        rarest = rest[: len(rest) - int(MOSTLY * len(rest)) + 1]
        for strip in evidence.strips_with_any(rarest, COMPARED):
            pair, stated = Pair(claim, strip, evidence, frozenset()), find_date_values(strip.text)
            is_other = any(date.bears_out(claimed) is False for date in stated)
            if is_other and _tells(pair, claimed.stems) and _is_comparable(claimed, stated, pair):
                yield replace(_difference(claimed, stated, pair), shared=1.0)


def _may_bear_out(entity: Entity, claimed: Value) -> bool:
    """Whether a date says a claimed one, or may: a year alone says of no day that it is right."""
    if entity.kind not in ("date", "year"):
        return False
    date = Value("date", entity.start, entity.end, entity.text, entity=entity)
    is_said = date.bears_out(claimed)
    return bool(is_said) or (is_said is None and precision(entity) > 1)


def find_other_names(pair: Pair) -> Iterator[Difference]:
    """A name after what only one name can follow, where the strip has another one there."""
    for claimed in (e for e in pair.claim.entities if e.kind == "name"):
        phrase = _asked_before(pair.claim, claimed)
        if not (phrase and _tells(pair, claimed.stems)):
            continue
        # Of a place any strip may bear it out: who was born in Oslo was born in Norway.
        is_place = not phrase.group().endswith(("by ", "of "))
        strips = pair.evidence.strips_with_any(claimed.stems)
        having = (strip for strip in strips if claimed.stems <= strip.bag)
        if not any(is_place or _tells(pair.beside(strip), claimed.stems) for strip in having):
            for name in pair.strip.entities:
                is_other = name.kind == "name" and not name.stems <= pair.claim.bag
                if is_other and pair.strip.text.endswith(phrase.group(), 0, name.start):
                    yield Difference("name", claimed.text, name.text, pair.strip, 1.0, name.text)


def _tells(pair: Pair, apart: frozenset[str]) -> bool:
    """Whether the strip has most of a claim's words, a date or name left apart.

    It need not say whom its document is about, if it is on nothing else first.
    """
    is_other = is_on_another(pair.claim, pair.strip)
    about = "" if is_other else pair.evidence.heading(pair.strip.document)
    rest = pair.claim.context - apart
    return len(rest & (pair.strip.bag | content_stems(about))) >= MOSTLY * len(rest)


def find_relations(claim: Reading) -> frozenset[str]:
    """The content stems of what only one name can follow, where a name of the claim follows it."""
    names = (e for e in claim.all_entities if e.kind == "name")
    phrases = (_asked_before(claim, name) for name in names)
    return frozenset[str]().union(*(content_stems(p.group()) for p in phrases if p))


def _asked_before(claim: Reading, name: Entity) -> re.Match[str] | None:
    return _SINGLE_ANSWER.search(claim.text[max(0, name.start - BEFORE) : name.start])


def _is_comparable(claimed: Value, stated: Sequence[Value], pair: Pair) -> bool:
    """Whether the strip has one value for what the claim has one for."""
    before = pair.claim.text[: claimed.start]
    if claimed.kind == "time":
        return not _AROUND.search(before)
    if claimed.kind == "date":
        return not BORDER.search(before) and _have_one_date(stated, pair)
    if claimed.quantity is None:
        return True
    if _DIFFERENCE.match(pair.claim.text, claimed.end):
        return False
    # What is counted within a season or a game is only comparable if the claim says so.
    parts = _PART.findall(pair.strip.text) if claimed.quantity.kind == "count" else ()
    is_part = any(word not in pair.claim.text.lower() for word in parts)
    # "Of ten games it lost five": a bare number may count the same.
    is_bare = claimed.quantity.kind == "count" and any(v.is_bare for v in stated)
    is_there = any(other.repeats(claimed) for other in stated)
    return not (is_there or is_part or (is_bare and not claimed.is_bare)) and _one_scope(pair)


def _have_one_date(stated: Sequence[Value], pair: Pair) -> bool:
    """Whether claim and strip date the same event, each once, and its document no other way.

    Of somebody who "was appointed in 1971" another strip may say that he was appointed again.
    """
    ours, theirs = find_date_values(pair.claim.text), [v for v in stated if v.kind == "date"]
    if len(ours) != 1 or len(theirs) != 1 or UNREAD.search(pair.strip.text):
        return False
    left = set(pair.claim.context) - pair.presupposed & pair.strip.bag
    events = {stem for stem in left if not stem[0].isdigit() and stem in pair.strip.bag}
    dates = (
        date
        for strip in pair.evidence.strips_with_any(events, ELSEWHERE)
        if strip.document == pair.strip.document and 2 * len(events & strip.bag) >= len(events)
        for date in find_date_values(strip.text)
    )
    return pair.one_event() and all(date.bears_out(theirs[0]) is not False for date in dates)


def _difference(claimed: Value, like: Sequence[Value], pair: Pair) -> Difference:
    """The difference, with what can stand in the claim's place where only one value can."""
    other, kind, apart = like[0], claimed.kind, claimed.stems
    if kind == other.kind == "quantity" and has_same_digits(claimed.text, other.text):
        found = pair.difference("scale", claimed.text, other.text, apart - other.stems)
    else:
        found = pair.difference(kind, claimed.text, other.text, apart)
    if claimed.entity and other.entity:
        is_told = kind != "date" or precision(claimed.entity) <= precision(other.entity)
        new = write_like(other.entity, claimed.entity) if is_told else ""
        return replace(found, replacement=new)
    is_clear = len(like) == 1
    if claimed.quantity and other.quantity:
        one_rate = claimed.quantity.rate == other.quantity.rate
        is_clear = is_clear and claimed.quantity.bound == "exact" and one_rate
    return replace(found, replacement=other.text if is_clear else "")


def _one_scope(pair: Pair) -> bool:
    """Whether the strip counts what the claim counts: at the same time, and no part of a total."""
    ours, theirs = find_date_values(pair.claim.text), find_date_values(pair.strip.text)
    agrees = any(a.bears_out(b) is not False for a in ours for b in theirs)
    one_time = agrees or bool(UNREAD.search(pair.strip.text)) or not (ours and theirs)
    # "60 people in Lund" may be a part of "90 people in all".
    one_total = not _TOTAL.search(pair.claim.text) or _TOTAL.search(pair.strip.text)
    return one_time and bool(one_total) and pair.one_event()


def _holding(claimed: Value, pair: Pair) -> Iterator[Strip]:
    """The strips with some of the claim's words that bear a value out."""
    check_time()
    stems = set(pair.claim.own_stems) | claimed.stems
    for strip in pair.evidence.strips_with_any(stems, ELSEWHERE):
        held = any(value.bears_out(claimed) for value in find_values(strip.text))
        is_scope = claimed.kind != "quantity" or _one_scope(pair.beside(strip))
        if held and is_scope and pair.bears_out(strip):
            yield strip


def find_life_dates(pair: Pair) -> Iterator[Difference]:
    """Another day of birth or death than a claim has of the same name."""
    stated, dates = _read_life(pair.claim, pair.strip), find_date_values(pair.claim.text)
    if stated and len(dates) == 1 and (claimed := dates[0].entity):
        is_told = 0 < precision(claimed) <= precision(stated)
        is_other = not agree(claimed, stated) and not any(_holding(dates[0], pair))
        if is_told and is_other and not _OPEN.match(pair.claim.text, claimed.end):
            found = Difference("life", claimed.text, stated.text, pair.strip, 1.0)
            yield replace(found, replacement=write_like(stated, claimed))


def has_life_date(claim: Reading, strip: Strip) -> bool:
    """Whether a claim says only when somebody was born or died, and a strip's brackets agree."""
    stated, dates = _read_life(claim, strip), find_dates(claim.text)
    names = frozenset[str]().union(*(e.stems for e in claim.all_entities if e.kind == "name"))
    said = claim.context - names - LIFE_EVENTS - claim.topic
    one = len(dates) == 1 and said <= dates[0].stems
    return bool(
        stated and one and agree(dates[0], stated) and 0 < precision(dates[0]) <= precision(stated)
    )


def _read_life(claim: Reading, strip: Strip) -> Entity | None:
    """The day in a strip's brackets of the event that a claim has; None without one."""
    life, event = _LIFE.search(strip.text), set(claim.bag & LIFE_EVENTS)
    named = content_stems(strip.text[: life.start()]) if life else frozenset[str]()
    name = next((e.stems for e in claim.all_entities if e.kind == "name"), claim.topic)
    if not life or len(event) != 1 or not name or not name <= named:
        return None
    dates = find_dates(life[event.pop()])
    return dates[0] if len(dates) == 1 else None

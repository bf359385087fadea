"""Values of a claim in whose place a strip has others: quantities, dates, times, positions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import isclose

from errata.bounds import check_time, current_bounds
from errata.tools.judges.contradictions import UNREAD
from errata.tools.judges.evidence import Reading
from errata.tools.judges.pairs import Difference, Kind, Pair, unless_held
from errata.tools.text.agreement import agree, counts_alike, has_same_digits, is_alike
from errata.tools.text.entities import Entity, find_dates, write_like
from errata.tools.text.entities import agree as same
from errata.tools.text.quantities import Quantity, Time, find_quantities, find_times
from errata.tools.text.strips import Strip
from errata.tools.text.words import split_words

ALL = 0.99
"""The share of a claim's words that is all of them."""
ELSEWHERE = 50
"""The most strips in which a value is looked for."""
_BY = re.compile(r"\bby (?:about |around |nearly |over |some )?$")
_PART = re.compile(r"\b(season|tournament|match|game|round|quarter|final)")
_BORDER = re.compile(r"\b(?:until|till|since|from|through|by) $")
_AROUND = re.compile(r"\b(?:until|till|since|from|by|before|after|between|and|around|about) $")


def find_values(pair: Pair) -> Iterator[Difference]:
    """All values of a claim in whose place a strip has others."""
    for find in (_quantities, _dates, _times, _ordinals):
        yield from find(pair)


def _quantities(pair: Pair) -> Iterator[Difference]:
    """A quantity of the claim that no like quantity of the strip bears out."""
    stated = find_quantities(pair.strip.text)
    for claimed in find_quantities(pair.claim.text)[: current_bounds().max_entities]:
        like = [other for other in stated if _compares(claimed, other, pair)]
        is_part = (claimed.kind == "count" and _is_part(pair)) or not _one_scope(pair)
        is_there = any(_is_same(claimed, other) for other in stated)
        if like and not (is_part or is_there) and all(agree(claimed, o) is False for o in like):
            own = {word.stem for word in split_words(claimed.text)}
            kind: Kind = "quantity"
            if has_same_digits(claimed, like[0]):
                kind, own = "scale", own - {word.stem for word in split_words(like[0].text)}
            found = pair.difference(kind, claimed.text, like[0].text, own)
            is_clear = len(like) == 1 and claimed.bound == "exact" and claimed.rate == like[0].rate
            found = replace(found, replacement=like[0].text if is_clear else "")
            yield from unless_held(found, pair, _holding_quantity(claimed, pair))


def _compares(claimed: Quantity, stated: Quantity, pair: Pair) -> bool:
    """Whether a strip's quantity can stand in place of a claim's.

    What something rose by is no value that it had. Of bare numbers only a strip with all of the
    claim's other words has another: "sales: 40" for "sales were 55".
    """
    ours, theirs = pair.claim.text[: claimed.start], pair.strip.text[: stated.start]
    if bool(_BY.search(ours)) != bool(_BY.search(theirs)):
        return False
    if claimed.kind == stated.kind == "count" and not (claimed.counted or stated.counted):
        return pair.shared({claimed.text}) >= ALL
    return is_alike(claimed, stated)


def _is_same(claimed: Quantity, stated: Quantity) -> bool:
    """Whether a strip has a claim's number, with whatever unit it leaves out."""
    same_text = claimed.text.casefold() == stated.text.casefold()
    return same_text or (claimed.kind == stated.kind and claimed.low == stated.low)


def has_change(claim: Reading, strip: Strip) -> bool:
    """Whether a strip's change "from 40 to 55" is as large as the claim's "by 15"."""
    changes = [q for q in find_quantities(claim.text) if _BY.search(claim.text[: q.start])]
    stated = find_quantities(strip.text)
    return bool(changes) and all(
        any(isclose(abs(a.low - b.low), q.low) for a in stated for b in stated if a.kind == b.kind)
        for q in changes
    )


def _one_scope(pair: Pair) -> bool:
    """Whether the strip counts what the claim counts: at the same time, and no part of a total."""
    ours, theirs = find_dates(pair.claim.text), find_dates(pair.strip.text)
    is_compared = bool(UNREAD.search(pair.strip.text))
    agrees = any(same(a, b) or same(b, a) for a in ours for b in theirs)
    one_time = agrees or is_compared or not (ours and theirs)
    one_count = counts_alike(pair.claim.text, pair.strip.text)
    return one_time and one_count and pair.one_event()


def _is_part(pair: Pair) -> bool:
    """Whether the strip counts within a season or a game, and the claim does not say so."""
    return any(word not in pair.claim.text.lower() for word in _PART.findall(pair.strip.text))


def _holding_quantity(claimed: Quantity, pair: Pair) -> Iterator[Strip]:
    """The strips with some of the claim's words that bear a quantity out."""
    check_time()
    for strip in pair.evidence.strips_with_any(set(pair.claim.own_stems))[:ELSEWHERE]:
        held = (q.kind == claimed.kind and agree(claimed, q) for q in find_quantities(strip.text))
        if any(held) and pair.bears_out(strip) and _one_scope(pair.beside(strip)):
            yield strip


def _dates(pair: Pair) -> Iterator[Difference]:
    """The only date of the claim where the strip has one other."""
    stated, dates = find_dates(pair.strip.text), find_dates(pair.claim.text)
    if len(dates) != 1 or len(stated) != 1 or UNREAD.search(pair.strip.text):
        return
    claimed, other = dates[0], stated[0]
    is_border = _BORDER.search(pair.claim.text[: claimed.start])
    is_other = not (is_border or same(claimed, other) or same(other, claimed))
    if is_other and pair.one_event() and _is_once(other, pair):
        found = pair.difference("date", claimed.text, other.text, claimed.stems)
        found = replace(found, replacement=write_like(other, claimed))
        yield from unless_held(found, pair, _holding_date(claimed, pair))


def _is_once(stated: Entity, pair: Pair) -> bool:
    """Whether the strip's date is its document's only one beside what the claim dates.

    Of somebody who "was appointed in 1971" another strip may say that he was appointed again.
    """
    left = set(pair.claim.context) - pair.presupposed & pair.strip.bag
    events = {stem for stem in left if not stem[0].isdigit() and stem in pair.strip.bag}
    dates = (
        date
        for strip in pair.evidence.strips_with_any(events)[:ELSEWHERE]
        if strip.document == pair.strip.document and 2 * len(events & strip.bag) >= len(events)
        for date in find_dates(strip.text)
    )
    return all(same(date, stated) or same(stated, date) for date in dates)


def _holding_date(claimed: Entity, pair: Pair) -> Iterator[Strip]:
    """The strips that bear a date out."""
    if not pair.evidence.mentions(claimed):
        return
    strips = pair.evidence.strips_with_any(set(pair.claim.own_stems) | claimed.stems)
    for strip in strips[: ELSEWHERE * len(claimed.stems)]:
        dates = find_dates(strip.text)
        if any(same(claimed, other) for other in dates) and pair.bears_out(strip):
            yield strip


def _times(pair: Pair) -> Iterator[Difference]:
    """A time of the day in the claim where the strip has only others."""
    ours, theirs = find_times(pair.claim.text), find_times(pair.strip.text)
    for claimed in ours:
        is_border = bool(_AROUND.search(pair.claim.text[: claimed.start]))
        if theirs and not is_border and all(other.minutes != claimed.minutes for other in theirs):
            own = {word.stem for word in split_words(claimed.text)}
            found = pair.difference("time", claimed.text, theirs[0].text, own)
            new = theirs[0].text if len(theirs) == 1 else ""
            yield from unless_held(
                replace(found, replacement=new), pair, _holding_time(claimed, pair)
            )


def _holding_time(claimed: Time, pair: Pair) -> Iterator[Strip]:
    for strip in pair.evidence.strips_with_any(set(pair.claim.own_stems))[:ELSEWHERE]:
        if any(time.minutes == claimed.minutes for time in find_times(strip.text)):
            yield strip


def _ordinals(pair: Pair) -> Iterator[Difference]:
    """A position of the claim where the strip has another before the same word."""
    most = current_bounds().max_entities
    stated = [(e, _next_stem(pair.strip.text, e)) for e in _positions(pair.strip.entities)[:most]]
    for claimed in _positions(pair.claim.all_entities)[:most]:
        word = _next_stem(pair.claim.text, claimed)
        like = [e for e, stem in stated if stem == word]
        if like and all(e.key != claimed.key for e in _positions(pair.strip.entities)):
            yield pair.difference("ordinal", claimed.text, like[0].text, claimed.stems)


def _positions(entities: Iterable[Entity]) -> Sequence[Entity]:
    return [e for e in entities if e.kind == "number" and e.key.endswith("th")]


def _next_stem(text: str, entity: Entity) -> str:
    after = split_words(text[entity.end : entity.end + 40])
    return after[0].stem if after else ""

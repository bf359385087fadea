"""Values of a claim in whose place a strip has others, or which belong to something else there.

"120 km" by "12 km long"; "27 bones in each foot" by "27 in each hand and 26 in each foot". Not
"40 people" by "60 people in Lund", where the claim counts all.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from errata.bounds import check_time
from errata.spans import Spans
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.pairs import Difference, Pair, subject_of, unless_held
from errata.tools.judges.values import Value, find_values, precision
from errata.tools.text.agreement import counts_alike
from errata.tools.text.entities import NAME, Entity, write_like
from errata.tools.text.quantities import Quantity
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems, split_words

MOST = 100
"""How many values of a claim are compared."""
ALL = 0.99
"""The share of a claim's words that is all of them."""
BEFORE = 40
"""How many characters before a name are read."""
MIN_SHARED = 0.75
"""The share of the claim's other words that a strip must have that states an unmentioned value."""
COMPARED = 500
"""The most strips in which an unmentioned value's rival is looked for."""
ELSEWHERE = 50
"""The most strips in which a value is looked for."""
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
_PART = re.compile(r"\b(season|tournament|match|game|round|quarter|final)")
_AROUND = re.compile(rf"{BORDER.pattern[:-1]}|\b(?:and|around|about) $")
_JOINT = re.compile(r",? (?:and|but|while|whereas|then) |[;,](?= )")
_CONJUNCTION = re.compile(r",? (?:and|but|while|whereas) ")
_PLACE = re.compile(rf"\b(?:in|at|to|for|with|by|from) (?:the )?(?P<name>{NAME.pattern})")
_SCOPES = frozenset("all some most each every no none half many few other another".split())
"""Words that are no content words, but tell one thing from another."""


def find_other_values(pair: Pair) -> Iterator[Difference]:
    """Values of the claim that no like value of the strip bears out, and misplaced ones."""
    stated = find_values(pair.strip.text)
    for claimed in find_values(pair.claim.text)[:MOST]:
        like = [other for other in stated if _is_like(claimed, other, pair)]
        is_other = bool(like) and all(other.bears_out(claimed) is False for other in like)
        if is_other and _is_comparable(claimed, stated, pair):
            found = _difference(claimed, like, pair)
            yield from unless_held(found, pair, _holding(claimed, pair))
    yield from _find_misplaced(pair)


def find_unmentioned(claim: Reading, evidence: Evidence) -> Iterator[Difference]:
    """A date or name that no strip has, where one with most of the claim's words has another."""
    for claimed in (*_dates(claim.text), *_names(claim))[:MOST]:
        rest = claim.context - claimed.stems
        strips = [s for s in _likely_strips(rest, evidence) if _tells(rest, claim, s, evidence)]
        if rest and not _is_mentioned(claimed, claim, strips, evidence):
            for strip in strips:
                pair = Pair(claim, strip, evidence, frozenset())
                for found in _find_rival(claimed, pair):
                    yield replace(found, shared=1.0)


def _tells(rest: frozenset[str], claim: Reading, strip: Strip, evidence: Evidence) -> bool:
    """Whether a strip has most of a claim's other words."""
    told = strip.bag | _presupposed(claim, strip, evidence)
    return len(rest & told) >= MIN_SHARED * len(rest)


def _is_mentioned(
    claimed: Value, claim: Reading, strips: Sequence[Strip], evidence: Evidence
) -> bool:
    """Whether any strip has a value; of who did something or whose it is, only those that tell it.

    Of a place others may speak: who was born in Oslo was born in Norway.
    """
    phrase = claim.text[max(0, claimed.start - BEFORE) : claimed.start]
    if claimed.kind == "name" and phrase.endswith(("by ", "of ")):
        return any(claimed.stems <= strip.bag for strip in strips)
    return isinstance(claimed.meaning, Entity) and evidence.mentions(claimed.meaning)


def _find_rival(claimed: Value, pair: Pair) -> Iterator[Difference]:
    """The other date of a strip, or the other names after what only one name can follow."""
    if claimed.kind == "date":
        stated = [v for v in find_values(pair.strip.text) if v.kind == "date"]
        is_other = any(value.bears_out(claimed) is False for value in stated)
        if is_other and _is_comparable(claimed, stated, pair):
            yield _difference(claimed, stated, pair)
        return
    meaning = claimed.meaning
    phrase = _asked_before(pair.claim, meaning) if isinstance(meaning, Entity) else None
    for name in pair.strip.entities:
        is_other = name.kind == "name" and not name.stems <= pair.claim.bag
        if phrase and is_other and pair.strip.text.endswith(phrase.group(), 0, name.start):
            found = pair.difference("name", claimed.text, name.text, claimed.stems)
            yield replace(found, replacement=name.text)


def _likely_strips(rest: frozenset[str], evidence: Evidence) -> Sequence[Strip]:
    """The first strips with one of the rarest of a claim's other words."""
    enough = len(rest) - int(MIN_SHARED * len(rest)) + 1
    rarest = sorted(rest, key=evidence.frequency.__getitem__)[:enough]
    return evidence.strips_with_any(rarest)[:COMPARED]


def _presupposed(claim: Reading, strip: Strip, evidence: Evidence) -> frozenset[str]:
    """What a strip need not say: whom its document is about, if it is on nothing else first."""
    subject = subject_of(strip.text)
    is_other = subject and subject.isdisjoint(claim.bag)
    return frozenset() if is_other else content_stems(evidence.heading(strip.document))


def _names(claim: Reading) -> list[Value]:
    """The names of a claim after what only one name can follow."""
    names = (e for e in claim.entities if e.kind == "name" and _asked_before(claim, e))
    return [Value("name", e.start, e.end, e.text, e) for e in names]


def find_relations(claim: Reading) -> frozenset[str]:
    """The content stems of what only one name can follow, where a name of the claim follows it."""
    names = (e for e in claim.all_entities if e.kind == "name")
    phrases = (_asked_before(claim, name) for name in names)
    return frozenset[str]().union(*(content_stems(p.group()) for p in phrases if p))


def _asked_before(claim: Reading, name: Entity) -> re.Match[str] | None:
    return _SINGLE_ANSWER.search(claim.text[max(0, name.start - BEFORE) : name.start])


def _is_like(claimed: Value, stated: Value, pair: Pair) -> bool:
    """Whether a strip's value can stand in place of a claim's.

    Of bare numbers only a strip with all of the claim's other words has another: "sales: 40".
    """
    if claimed.is_bare and stated.is_bare and claimed.is_change == stated.is_change:
        return pair.shared({claimed.text}) >= ALL
    return not claimed.is_bare and claimed.is_like(stated)


def _is_comparable(claimed: Value, stated: Sequence[Value], pair: Pair) -> bool:
    """Whether the strip has one value for what the claim has one for."""
    before = pair.claim.text[: claimed.start]
    if claimed.kind == "time":
        return not _AROUND.search(before)
    if claimed.kind == "date":
        return not BORDER.search(before) and _have_one_date(stated, pair)
    if claimed.kind == "quantity":
        is_there = any(other.repeats(claimed) for other in stated)
        return not (is_there or _is_part(claimed, pair)) and _one_scope(pair)
    return True


def _have_one_date(stated: Sequence[Value], pair: Pair) -> bool:
    """Whether claim and strip date the same event, each once, and its document no other way.

    Of somebody who "was appointed in 1971" another strip may say that he was appointed again.
    """
    ours, theirs = _dates(pair.claim.text), [v for v in stated if v.kind == "date"]
    if len(ours) != 1 or len(theirs) != 1 or UNREAD.search(pair.strip.text):
        return False
    left = set(pair.claim.context) - pair.presupposed & pair.strip.bag
    events = {stem for stem in left if not stem[0].isdigit() and stem in pair.strip.bag}
    dates = (
        date
        for strip in pair.evidence.strips_with_any(events)[:ELSEWHERE]
        if strip.document == pair.strip.document and 2 * len(events & strip.bag) >= len(events)
        for date in _dates(strip.text)
    )
    return pair.one_event() and all(date.bears_out(theirs[0]) is not False for date in dates)


def _difference(claimed: Value, like: Sequence[Value], pair: Pair) -> Difference:
    """The difference, with what can stand in the claim's place where only one value can."""
    other, kind, apart = like[0], claimed.kind, claimed.stems
    if claimed.has_same_digits(other):
        found = pair.difference("scale", claimed.text, other.text, apart - other.stems)
    else:
        found = pair.difference(kind, claimed.text, other.text, apart)
    if isinstance(claimed.meaning, Entity) and isinstance(other.meaning, Entity):
        is_told = kind != "date" or precision(claimed.meaning) <= precision(other.meaning)
        new = write_like(other.meaning, claimed.meaning) if is_told else ""
        return replace(found, replacement=new)
    is_clear = len(like) == 1
    if isinstance(claimed.meaning, Quantity) and isinstance(other.meaning, Quantity):
        one_rate = claimed.meaning.rate == other.meaning.rate
        is_clear = is_clear and claimed.meaning.bound == "exact" and one_rate
    return replace(found, replacement=other.text if is_clear else "")


def _one_scope(pair: Pair) -> bool:
    """Whether the strip counts what the claim counts: at the same time, and no part of a total."""
    ours, theirs = _dates(pair.claim.text), _dates(pair.strip.text)
    agrees = any(a.bears_out(b) is not False for a in ours for b in theirs)
    one_time = agrees or bool(UNREAD.search(pair.strip.text)) or not (ours and theirs)
    return one_time and counts_alike(pair.claim.text, pair.strip.text) and pair.one_event()


def _is_part(claimed: Value, pair: Pair) -> bool:
    """Whether the strip counts within a season or a game, and the claim does not say so."""
    is_count = isinstance(claimed.meaning, Quantity) and claimed.meaning.kind == "count"
    parts = _PART.findall(pair.strip.text)
    return is_count and any(word not in pair.claim.text.lower() for word in parts)


def _holding(claimed: Value, pair: Pair) -> Iterator[Strip]:
    """The strips with some of the claim's words that bear a value out."""
    check_time()
    stems = set(pair.claim.own_stems) | claimed.stems
    for strip in pair.evidence.strips_with_any(stems)[:ELSEWHERE]:
        held = any(value.bears_out(claimed) for value in find_values(strip.text))
        is_scope = claimed.kind != "quantity" or _one_scope(pair.beside(strip))
        if held and is_scope and pair.bears_out(strip):
            yield strip


@dataclass(frozen=True)
class _Cell:
    """A stretch of a sentence with one value, and the words on both sides of it."""

    value: Value
    sides: tuple[frozenset[str], frozenset[str]]


def _find_misplaced(pair: Pair) -> Iterator[Difference]:
    """A value of the claim that belongs to another thing in the strip's sentence."""
    for find, joint in ((_dates, _JOINT), (_counts, _JOINT), (_places, _CONJUNCTION)):
        ours = find(pair.claim.text)
        if len(ours) == 1:
            cells = list(_cells(pair.strip.text, find(pair.strip.text), joint))
            yield from _misplaced(pair, ours[0], cells)


def _misplaced(pair: Pair, claimed: Value, cells: Sequence[_Cell]) -> Iterator[Difference]:
    holding = [
        cell
        for cell in cells
        if cell.value.repeats(claimed) or cell.value.bears_out(claimed) is not False
    ]
    ours = _stems(pair.claim.text)
    if len(holding) == 1:
        others = [cell for cell in cells if cell is not holding[0]]
        meant = [o for o in others if _belongs(ours, o, holding[0], is_first=o is cells[0])]
        if len(meant) == 1:
            yield pair.difference("place", claimed.text, meant[0].value.text, claimed.stems)


def _belongs(ours: frozenset[str], other: _Cell, holding: _Cell, *, is_first: bool) -> bool:
    """Whether a claim speaks of what stands beside another value than its own.

    On one side of the values the other cell has words of the claim that the claim's lacks, and the
    claim's has words that neither has. Later cells may leave out what the first one says.
    """
    for theirs, held in zip(other.sides, holding.sides, strict=True):
        told, foreign = ours & theirs - held, held - ours - theirs
        if told and foreign:
            is_name = holding.value.kind == "name"
            return not ((is_first and ours & (held - theirs)) or (is_name and ours & held))
    return False


def _cells(text: str, values: Sequence[Value], joint: re.Pattern[str]) -> Iterator[_Cell]:
    """The stretches between joints that have exactly one value."""
    taken = Spans(values, lambda value: (value.start, value.end))
    joints = [m.span() for m in joint.finditer(text) if not taken.touching(m.start(), m.end())]
    cuts = [(0, 0), *joints, (len(text), len(text))]
    for (_, start), (end, _) in pairwise(cuts):
        own = [value for value in taken.touching(start, end) if start <= value.start]
        if len(own) == 1:
            sides = _stems(text[start : own[0].start]), _stems(text[own[0].end : end])
            yield _Cell(own[0], sides)


def _stems(text: str) -> frozenset[str]:
    words = split_words(text)
    return frozenset(w.stem for w in words if w.is_content or w.text.lower() in _SCOPES)


def _dates(text: str) -> list[Value]:
    return [value for value in find_values(text) if value.kind == "date"]


def _counts(text: str) -> list[Value]:
    # How often is part of a rate.
    return [
        value
        for value in find_values(text)
        if isinstance(value.meaning, Quantity) and value.meaning.counted != "time"
    ]


def _places(text: str) -> list[Value]:
    """The names behind a preposition: where, for whom, with whom."""
    spans = ((m.start("name"), m.end("name"), m["name"]) for m in _PLACE.finditer(text))
    return [Value("name", a, b, name, Entity("name", a, b, name, name)) for a, b, name in spans]

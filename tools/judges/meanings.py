"""What of a claim a strip has another way: opposites, denials, who did what to whom, whose value.

"27 bones in each foot" by "27 in each hand and 26 in each foot"; not "26 bones in each foot".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from errata.core.edits import Spans
from errata.tools.judges.pairs import Difference, Pair
from errata.tools.judges.values import Value, find_date_values, find_values
from errata.tools.text.clauses import EXCEPTIONS, FINITE, is_denial, is_denying_word, split_clauses
from errata.tools.text.entities import MONTHS, NAME, Entity
from errata.tools.text.words import CONTRARIES, PHRASES, Word, split_words

_FINITE = re.compile(FINITE)
_BASES = frozenset(
    """acquire attack beat buy call defeat employ follow give help hire insure invite kill lead
    lend owe own pay rent replace report send sell succeed sue supervise support teach tell
    win""".split()
)
"""Verbs that follow "must" and "may" as they are."""
_MUTUAL = frozenset(
    """agre ask base border collabor compet consist describ differ equal exchang featur fight form
    fought includ join live locat marri match meet merg met name play releas resembl said say
    share speak spoke stand star talk tell told use wed work""".split()
)
"""The stems of verbs that hold both ways, or whose sides do not tell who did it."""
_NOBODY = frozenset("shall must may can will would should could".split()) | frozenset(MONTHS)
_PREPOSITIONS = frozenset(
    "with for to from in at on as into over under against through during about".split()
)
_BE = frozenset("is are was were be been being".split())
LONGEST = 80
"""How many words of a clause are compared."""
VERBS = 16
"""How many verbs of a text are compared."""
_BY_WITHIN = 4
"""How many words after a verb its "by" may stand."""
_CUT = re.compile(
    r"[;:—]|,? (?:and|but|which|who|where|when|while|although|after|before|until|because|that"
    r"|as(?! an? ))\b"
)
_JOINT = re.compile(r",? (?:and|but|while|whereas|then) |[;,](?= )")
_CONJUNCTION = re.compile(r",? (?:and|but|while|whereas) ")
_PLACE = re.compile(rf"\b(?:in|at|to|for|with|by|from) (?:the )?(?P<name>{NAME.pattern})")
_CONTRAST = re.compile(r", (?:and |but )?not\b")
"""Denies one of two, and says the other: "by her, not by him"."""
_PLAIN = frozenset("a an any the do does did there".split())
"""Words that a sentence loses or gains with its "not"."""
_SCOPES = frozenset("all some most each every no none half many few other another".split())
"""Words that are no content words, but tell one thing from another."""


def find_opposites(pair: Pair) -> Iterator[Difference]:
    """A word or phrase of the claim whose opposite the strip has, and which the strip lacks."""
    ours, theirs = _texts(pair.claim.words), _texts(pair.strip.words)
    if not pair.deny_alike or pair.exchanges_sides():
        return
    for word in sorted(set(ours) - set(theirs)):
        stated = next((o for o in CONTRARIES.get(word, ()) if o in theirs and o not in ours), "")
        if stated:
            stems = {w.stem for w in pair.claim.words if w.text.lower() == word}
            yield pair.difference("opposite", word, stated, stems)
    our_text, their_text = (f" {' '.join(words)} " for words in (ours, theirs))
    for claimed, opposites in PHRASES.items():
        if f" {claimed} " in our_text and f" {claimed} " not in their_text:
            for stated in opposites:
                if f" {stated} " in their_text:
                    yield pair.difference("opposite", claimed, stated)


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text.lower() for word in words]


def find_denials(pair: Pair) -> Iterator[Difference]:
    """A clause of the strip denies what the claim says, or says plainly what the claim denies."""
    texts = (pair.strip.text.rstrip(), pair.claim.text.rstrip())
    if any(text.endswith("?") or _CONTRAST.search(text) for text in texts):
        return
    ours, theirs = (is_denial(words, pair.claim.bag) for words in (pair.claim.words, pair.clause))
    several = len(list(split_clauses(pair.claim.text, pair.claim.words))) > 1
    if (several and pair.deny_alike) or (ours and not _says_plainly(pair)):
        return
    if None not in (ours, theirs) and ours != theirs:
        affirms, denies = "says what the claim denies", "denies what the claim says"
        apart = {w.stem for w in pair.claim.words if is_denying_word(w.text.lower())}
        shared = pair.shared(apart, frozenset(word.stem for word in pair.clause))
        stated = f"the evidence {affirms if ours else denies}"
        yield Difference("negation", "", stated, pair.strip, shared)


def _says_plainly(pair: Pair) -> bool:
    """Whether a clause is a claim without its "not", more words aside, but for the first one.

    "Her sister won" and "all but Chile signed" say nothing against "she did not win" and "Chile did
    not sign": of 24 right denials, documents said 10 of something else.
    """
    words = (word for word in pair.claim.words if not is_denying_word(word.text.lower()))
    said, rest = (
        [w.stem for w in each if w.text.lower() not in _PLAIN] for each in (words, pair.clause)
    )
    theirs, has_exception = iter(rest), not EXCEPTIONS.isdisjoint(_texts(pair.strip.words))
    is_same = rest[:1] == said[:1] and all(stem in theirs for stem in said)
    return is_same and len(said) > 1 and not has_exception


def find_exchanged_roles(pair: Pair) -> Iterator[Difference]:
    """The claim and the strip have the two sides of a verb exchanged."""
    found = find_exchange(pair.claim.text, pair.strip.text)
    if found and pair.deny_alike:
        claimed, stated = (" ".join(w.text for w in words) for words in (found.doer, found.other))
        yield replace(pair.difference("roles", claimed, stated, {found.verb}), replacement="")


class Exchanged(NamedTuple):
    """What a claim has before and after a verb, and a strip the other way round."""

    doer: Sequence[Word]
    other: Sequence[Word]
    verb: str
    """The stem of the claim's verb."""


class _Event(NamedTuple):
    """A verb with the content words on the side of who does it and on the other."""

    verb: str
    doers: dict[str, Word]
    others: dict[str, Word]


def find_exchange(claim: str, strip: str) -> Exchanged | None:
    """The two sides of a claim's verb that a strip has exchanged; None if it has none.

    >>> exchanged = find_exchange("Pixar bought Disney.", "In 2006 Disney bought Pixar.")
    >>> [word.text for word in (*exchanged.doer, *exchanged.other)]
    ['Pixar', 'Disney']
    """
    stated = _events(strip)
    for ours in _events(claim):
        same = [theirs for theirs in stated if theirs.verb == ours.verb]
        doers, others = ours.doers.keys(), ours.others.keys()
        if doers and any(doers <= t.doers.keys() and others <= t.others.keys() for t in same):
            continue
        for theirs in same:
            if found := _exchanged(ours, theirs):
                return found
    return None


def _exchanged(ours: _Event, theirs: _Event) -> Exchanged | None:
    """What stands on the other side in two events with the same verb.

    What stands on the same side in both tells nothing. A name may be longer in the strip.
    """
    doer = ours.doers.keys() - theirs.doers.keys()
    wanted = theirs.doers.keys() - ours.doers.keys()
    other = wanted & ours.others.keys()
    rest = [theirs.doers[stem] for stem in wanted - other]
    is_exchanged = doer <= theirs.others.keys() and not doer & ours.others.keys()
    is_whole = (
        all(not word.text[:1].islower() for word in rest) and not wanted & theirs.others.keys()
    )
    if not (doer and other and is_exchanged and is_whole):
        return None
    return Exchanged(_in_order(ours.doers, doer), _in_order(ours.others, other), ours.verb)


def _in_order(words: dict[str, Word], stems: set[str]) -> list[Word]:
    """The first of some words, with those that follow it at once."""
    first, *rest = sorted((words[stem] for stem in stems), key=lambda word: word.start)
    run = [first]
    for word in rest:
        if word.start - run[-1].end > 1:
            break
        run.append(word)
    return run


@lru_cache(maxsize=4096)
def _events(text: str) -> tuple[_Event, ...]:
    """Who does what to whom in a text."""
    events = list[_Event]()
    for clause in split_clauses(text, split_words(text), _CUT):
        words = clause[:LONGEST]
        for place, word in enumerate(words):
            is_plain = bool(_FINITE.fullmatch(word.text)) or word.text.removesuffix("s") in _BASES
            is_verb = word.is_content and word.stem not in _MUTUAL and is_plain
            if is_verb and (event := _event(words, place)):
                events.append(event)
    return tuple(events[:VERBS])


def _event(clause: Sequence[Word], place: int) -> _Event | None:
    """The event of a verb; None for a passive that does not say by whom."""
    before, after = clause[:place], clause[place + 1 :]
    by = next((n for n, word in enumerate(after[:_BY_WITHIN]) if word.text == "by"), None)
    if by is not None:
        before, after = _to_preposition(after[by + 1 :]), before
    elif any(word.text in _BE for word in before[-2:]):
        return None
    else:
        after = _to_preposition(after)
    return _Event(clause[place].stem, _content(before), _content(after))


def _to_preposition(words: Sequence[Word]) -> list[Word]:
    """The words before a preposition: who signs with a club does not sign it."""
    return list(takewhile(lambda word: word.text not in _PREPOSITIONS, words))


def _content(words: Sequence[Word]) -> dict[str, Word]:
    """The content words by stem; nobody is a number or a month."""
    return {
        w.stem: w
        for w in words
        if w.is_content and w.text not in _NOBODY and not w.text[0].isdigit()
    }


@dataclass(frozen=True)
class _Cell:
    """A stretch of a sentence with one value, and the words on both sides of it."""

    value: Value
    sides: tuple[frozenset[str], frozenset[str]]


def find_misplaced(pair: Pair) -> Iterator[Difference]:
    """A value of the claim that belongs to another thing in the strip's sentence."""
    for find, joint in ((find_date_values, _JOINT), (_counts, _JOINT), (_places, _CONJUNCTION)):
        claimed, ours = find(pair.claim.text), _stems(pair.claim.text)
        if len(claimed) != 1:
            continue
        cells = list(_cells(pair.strip.text, find(pair.strip.text), joint))
        values = ((cell, cell.value) for cell in cells)
        holding = [
            c for c, v in values if v.repeats(claimed[0]) or v.bears_out(claimed[0]) is not False
        ]
        others = [cell for cell in cells if cell not in holding] if len(holding) == 1 else []
        meant = [o for o in others if _belongs(ours, o, holding[0], is_first=o is cells[0])]
        if len(meant) == 1:
            stated = meant[0].value.text
            yield pair.difference("place", claimed[0].text, stated, claimed[0].stems)


def is_in_place(pair: Pair) -> bool:
    """Whether a strip of several counts has all of a claim, and its count with what belongs to it.

    "Adults take 10 ml" by "Adults take 10 ml, children 5 ml", and not "Adults take 5 ml".
    """
    claimed, ours = _counts(pair.claim.text), _stems(pair.claim.text)
    if len(claimed) != 1 or not ours <= _stems(pair.strip.text) or not pair.deny_alike:
        return False
    cells = list(_cells(pair.strip.text, _counts(pair.strip.text), _JOINT))
    are_ours = [frozenset[str]().union(*cell.sides) <= ours for cell in cells]
    values = (cell.value for cell in cells)
    holding = [value.repeats(claimed[0]) or bool(value.bears_out(claimed[0])) for value in values]
    return len(cells) > 1 and holding.count(True) == 1 and are_ours == holding


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


def _counts(text: str) -> list[Value]:
    # How often is part of a rate.
    return [v for v in find_values(text) if v.quantity and v.quantity.counted != "time"]


def _places(text: str) -> list[Value]:
    """The names behind a preposition: where, for whom, with whom."""
    names = ((*m.span("name"), m["name"]) for m in _PLACE.finditer(text))
    return [Value("name", *name, entity=Entity("name", *name, name[2])) for name in names]

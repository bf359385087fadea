"""Words of a claim that a strip contradicts: opposites, denials, exchanged roles."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from errata.tools.judges.pairs import Difference, Pair
from errata.tools.judges.roles import find_exchange
from errata.tools.text.denials import deny_alike, is_denial, is_denying_word, split_clauses
from errata.tools.text.opposites import CONTRARIES, CONTRARY_STEMS, PHRASES, synonyms_of
from errata.tools.text.words import Word, content_stems

_RISE = re.compile(
    r"\b(?:rose|risen|rises|increase[sd]?|grew|grown|climbed|jumped|soared|went up|goes up|up from"
    r"|up by|higher than)\b"
)
_FALL = re.compile(
    r"\b(?:fell|fallen|falls|decrease[sd]?|dropped|declined|shrank|sank|slumped|went down|goes down"
    r"|down from|down by|lower than)\b"
)


def find_contrary(pair: Pair) -> Iterator[Difference]:
    """All words of a claim that a strip contradicts."""
    for find in (_opposites, _directions, _negations, _exchanged_roles):
        yield from find(pair)


def _opposites(pair: Pair) -> Iterator[Difference]:
    """A word or phrase of the claim whose opposite the strip has, and which the strip lacks."""
    ours, theirs = _texts(pair.claim.words), _texts(pair.strip.words)
    if not _deny_alike(pair) or pair.exchanges_sides():
        return
    for word in sorted(set(ours) - set(theirs)):
        stated = next((o for o in CONTRARIES.get(word, ()) if o in theirs and o not in ours), "")
        if stated:
            stems = {w.stem for w in pair.claim.words if w.text.lower() == word}
            yield pair.difference("opposite", word, stated, stems)
    yield from _opposite_synonyms(pair)
    our_text, their_text = (f" {' '.join(words)} " for words in (ours, theirs))
    for claimed, opposites in PHRASES.items():
        if f" {claimed} " in our_text and f" {claimed} " not in their_text:
            for stated in opposites:
                if f" {stated} " in their_text:
                    yield pair.difference("opposite", claimed, stated)


def _opposite_synonyms(pair: Pair) -> Iterator[Difference]:
    """A word whose synonym has an opposite in the strip: "refused" beside "approved"."""
    for word in pair.claim.content_words:
        contrary, own = _contraries_of(word.stem)
        stated = (
            next((w for w in pair.strip.words if w.stem in contrary), None) if contrary else None
        )
        if stated and pair.strip.bag.isdisjoint({word.stem, *synonyms_of(word.stem), *own}):
            yield pair.difference("opposite", word.text, stated.text, {word.stem})


@lru_cache(maxsize=4096)
def _contraries_of(word_stem: str) -> tuple[frozenset[str], frozenset[str]]:
    """The opposites of a word's synonyms, and its own."""
    opposites = (CONTRARY_STEMS.get(known, frozenset()) for known in synonyms_of(word_stem))
    return frozenset[str]().union(*opposites), CONTRARY_STEMS.get(word_stem, frozenset())


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text.lower() for word in words]


def _deny_alike(pair: Pair) -> bool:
    return deny_alike(pair.claim.words, pair.strip.words, pair.claim.bag)


def _directions(pair: Pair) -> Iterator[Difference]:
    """Something rises in the claim and falls in the strip, or the other way round."""
    texts = (pair.claim.text, pair.strip.text)
    up, their_up = (_RISE.search(text) for text in texts)
    down, their_down = (_FALL.search(text) for text in texts)
    ours, theirs = up or down, their_up or their_down
    is_one = bool(up) != bool(down) and bool(their_up) != bool(their_down)
    if ours and theirs and is_one and bool(up) != bool(their_up) and _deny_alike(pair):
        found = pair.difference("opposite", ours[0], theirs[0], content_stems(ours[0]))
        yield replace(found, replacement="")


def _negations(pair: Pair) -> Iterator[Difference]:
    """The claim denies what a clause of the strip says, or the other way round."""
    if "?" in (pair.strip.text.rstrip()[-1:], pair.claim.text.rstrip()[-1:]):
        return
    ours, theirs = (is_denial(words, pair.claim.bag) for words in (pair.claim.words, pair.clause))
    several = len(list(split_clauses(pair.claim.text, pair.claim.words))) > 1
    if several and _deny_alike(pair):
        return
    if ours != theirs:
        affirms, denies = "says what the claim denies", "denies what the claim says"
        apart = {w.stem for w in pair.claim.words if is_denying_word(w.text.lower())}
        shared = pair.shared(apart, frozenset(word.stem for word in pair.clause))
        stated = f"the evidence {affirms if ours else denies}"
        yield Difference("negation", "", stated, pair.strip, shared)


def _exchanged_roles(pair: Pair) -> Iterator[Difference]:
    """The claim and the strip have the two sides of a verb exchanged."""
    found = find_exchange(pair.claim.text, pair.strip.text)
    if found and _deny_alike(pair):
        claimed, stated = (" ".join(w.text for w in words) for words in (found.doer, found.other))
        yield replace(pair.difference("roles", claimed, stated, {found.verb}), replacement="")

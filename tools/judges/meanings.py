"""Words of a claim that a strip contradicts: opposites, denials, exchanged roles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from errata.tools.judges.pairs import Difference, Pair
from errata.tools.judges.roles import find_exchange
from errata.tools.text.denials import deny_alike, is_denial, is_denying_word, split_clauses
from errata.tools.text.opposites import CONTRARIES, PHRASES
from errata.tools.text.words import Word


def find_contrary(pair: Pair) -> Iterator[Difference]:
    """All words of a claim that a strip contradicts."""
    for find in (_opposites, _negations, _exchanged_roles):
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
    our_text, their_text = (f" {' '.join(words)} " for words in (ours, theirs))
    for claimed, opposites in PHRASES.items():
        if f" {claimed} " in our_text and f" {claimed} " not in their_text:
            for stated in opposites:
                if f" {stated} " in their_text:
                    yield pair.difference("opposite", claimed, stated)


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text.lower() for word in words]


def _deny_alike(pair: Pair) -> bool:
    return deny_alike(pair.claim.words, pair.strip.words, pair.claim.bag)


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

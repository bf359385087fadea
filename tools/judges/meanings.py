"""Words of a claim that a strip contradicts: opposites, denials, quantifiers, roles, identities."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from errata.tools.judges.pairs import Difference, Pair, unless_held
from errata.tools.judges.roles import find_exchange, find_other_doer
from errata.tools.text.clauses import find_subject
from errata.tools.text.denials import deny_alike, is_denial, is_denying_word, split_clauses
from errata.tools.text.entities import NAME, find_entities
from errata.tools.text.opposites import CONTRARIES, CONTRARY_STEMS, PHRASES
from errata.tools.text.strips import Strip
from errata.tools.text.synonyms import synonyms_of
from errata.tools.text.words import Word, content_stems, stem

_RISE = re.compile(
    r"\b(?:rose|risen|rises|increase[sd]?|grew|grown|climbed|jumped|soared|went up|goes up|up from"
    r"|up by|higher than)\b"
)
_FALL = re.compile(
    r"\b(?:fell|fallen|falls|decrease[sd]?|dropped|declined|shrank|sank|slumped|went down|goes down"
    r"|down from|down by|lower than)\b"
)
_QUANTIFIERS: dict[str, int] = {
    "no": 0, "none": 0, "few": 1, "some": 2, "several": 2, "a few": 2, "half": 3, "many": 3,
    "most": 4, "almost all": 5, "nearly all": 5, "all": 6, "every": 6, "each": 6, "both": 6,
}  # fmt: skip
"""How much each one says; `most` and what says more can be compared with what says less."""
_MOST, _ALL = 4, 6
_QUANTIFIER = re.compile(
    r"(?<!at )(?<!the )(?<!not )\b(?P<word>almost all|nearly all|a few|no|none|few|some"
    r"|several|half|many|most|all|every|each|both)\b(?: of)?(?: the| its| their| these)?"
    r" (?P<noun>[a-z]+)",
    re.IGNORECASE,
)
_MODES = tuple(
    (mode, re.compile(rf"\b(?:{'|'.join(words.split(', '))})\b", re.IGNORECASE))
    for mode, words in {
        "optional": "need not, needn't, (?:does|do|did) not (?:have|need) to, do(?:es)?n't (?:have"
        "|need) to, optional, voluntary, not (?:required|obliged|mandatory|necessary)",
        "forbidden": "must not, mustn't, may not, cannot, can not, can't, forbidden, prohibited, "
        "banned, impossible, not (?:allowed|permitted|possible)",
        "required": "must, ha(?:s|ve|d) to, needs? to, required, mandatory, compulsory, obliged, "
        "obligatory",
        "allowed": "may, can, allowed, permitted, possible, free to, able to",
    }.items()
)
"""What must, need not, may and must not be done, by the words that say so; the first found counts.
"""
_EXCLUDED = frozenset(
    (("required", "optional"), ("required", "forbidden"), ("forbidden", "allowed"),
     ("forbidden", "optional"))
)  # fmt: skip
_ONLY = re.compile(r"^(?:Only|only)\b")
_ANYBODY = re.compile(r"^(?:Every|All|Any|Each|Every(?:one|body)|Any(?:one|body))\b", re.IGNORECASE)
_WAS = re.compile(r"\bwas\b")
_HOLDER = re.compile(
    rf"^(?P<role>(?:The |Its |His |Her |Their |{NAME.pattern}['’]s? )[^,;:]{{2,60}}?) (?:is|was) "
    rf"(?P<name>{NAME.pattern})(?=[.,;]|$| (?:and|who|since|from|until|in)\b)"
)
_HELD = re.compile(
    rf"^(?!(?:He|She|It|They|This|That|There)\b)"
    rf"(?P<name>{NAME.pattern}) (?:is|was|became) (?P<role>the [^,;:.]{{2,60}})"
)


def find_contrary(pair: Pair) -> Iterator[Difference]:
    """All words of a claim that a strip contradicts."""
    for find in (
        _opposites,
        _directions,
        _negations,
        _quantifiers,
        _modes,
        _limits,
        _roles,
        _roles_held,
    ):
        yield from find(pair)


def _opposites(pair: Pair) -> Iterator[Difference]:
    """A word or phrase of the claim whose opposite the strip has, and which the strip lacks."""
    ours, theirs = _texts(pair.claim.words), _texts(pair.read.words)
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
            next((w for w in pair.read.words if w.stem in contrary), None) if contrary else None
        )
        if stated and pair.read.bag.isdisjoint({word.stem, *synonyms_of(word.stem), *own}):
            yield pair.difference("opposite", word.text, stated.text, {word.stem})


@lru_cache(maxsize=4096)
def _contraries_of(word_stem: str) -> tuple[frozenset[str], frozenset[str]]:
    """The opposites of a word's synonyms, and its own."""
    opposites = (CONTRARY_STEMS.get(known, frozenset()) for known in synonyms_of(word_stem))
    return frozenset[str]().union(*opposites), CONTRARY_STEMS.get(word_stem, frozenset())


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text.lower() for word in words]


def _deny_alike(pair: Pair) -> bool:
    return deny_alike(pair.claim.words, pair.read.words, pair.claim.bag)


def _directions(pair: Pair) -> Iterator[Difference]:
    """Something rises in the claim and falls in the strip, or the other way round."""
    texts = (pair.claim.text, pair.read.text)
    up, their_up = (_RISE.search(text) for text in texts)
    down, their_down = (_FALL.search(text) for text in texts)
    ours, theirs = up or down, their_up or their_down
    is_one = bool(up) != bool(down) and bool(their_up) != bool(their_down)
    if ours and theirs and is_one and bool(up) != bool(their_up) and _deny_alike(pair):
        found = pair.difference("opposite", ours[0], theirs[0], content_stems(ours[0]))
        yield replace(found, replacement="")


def _negations(pair: Pair) -> Iterator[Difference]:
    """The claim denies what a clause of the strip says, or the other way round."""
    if "?" in (pair.read.text.rstrip()[-1:], pair.claim.text.rstrip()[-1:]):
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


def _quantifiers(pair: Pair) -> Iterator[Difference]:
    """The claim says of all or most what the strip says of fewer of the same."""
    if not _deny_alike(pair):
        return
    said = pair.read.text.lower()
    stated = {content_stems(m["noun"]): m["word"] for m in _QUANTIFIER.finditer(pair.read.text)}
    for ours in _QUANTIFIER.finditer(pair.claim.text):
        claimed, noun = ours["word"].lower(), content_stems(ours["noun"])
        other = stated.get(noun, "") if noun else ""
        much, less = _QUANTIFIERS[claimed], _QUANTIFIERS.get(other.lower(), _ALL)
        is_more = less < _MOST <= much or (much == _ALL and less < _ALL)
        again = {stem(word) for word in re.findall(rf"\b{claimed}\b (\w+)", said)}
        if is_more and not again & pair.claim.bag:
            yield pair.difference("quantifier", ours["word"], other)


def _modes(pair: Pair) -> Iterator[Difference]:
    """The claim allows, demands or forbids what the strip does not."""
    clause = pair.read.text[pair.clause[0].start : pair.clause[-1].end] if pair.clause else ""
    (ours, claimed), (theirs, stated) = (_mode(text) for text in (pair.claim.text, clause))
    is_excluded = (ours, theirs) in _EXCLUDED or (theirs, ours) in _EXCLUDED
    if is_excluded and _deny_alike(pair):
        found = pair.difference("mode", claimed, stated, content_stems(claimed))
        yield replace(found, replacement="")


def _mode(text: str) -> tuple[str, str]:
    """How a text demands or allows something, and by which words; empty if it does not."""
    found = ((mode, pattern.search(text)) for mode, pattern in _MODES)
    return next(((mode, match[0]) for mode, match in found if match), ("", ""))


def _limits(pair: Pair) -> Iterator[Difference]:
    """The claim says of everybody what the strip says of some only, or the other way round."""
    texts = (pair.claim.text, pair.read.text)
    only, their_only = (_ONLY.match(text) for text in texts)
    anybody, their_anybody = (_ANYBODY.match(text) for text in texts)
    ours, theirs = only or anybody, their_only or their_anybody
    if ours and theirs and bool(only) != bool(their_only) and _deny_alike(pair):
        claimed, stated = map(find_subject, texts)
        found = pair.difference("quantifier", claimed, stated, content_stems(claimed))
        yield replace(found, replacement="")


def _roles(pair: Pair) -> Iterator[Difference]:
    """The claim and the strip have the two sides of a verb exchanged."""
    found = find_exchange(pair.claim.text, pair.read.text)
    if found and _deny_alike(pair):
        claimed, stated = (" ".join(w.text for w in words) for words in (found.doer, found.other))
        yield replace(pair.difference("roles", claimed, stated, {found.verb}), replacement="")


def find_doers(pair: Pair) -> Iterator[Difference]:
    """Another did in the strip what only one can have done."""
    found = find_other_doer(pair.claim.text, pair.read.text)
    if found and _deny_alike(pair):
        claimed, stated = (" ".join(word.text for word in words) for words in found)
        yield pair.difference("doer", claimed, stated, {word.stem for word in found[0]})


def _roles_held(pair: Pair) -> Iterator[Difference]:
    """Another holds in the strip the one role that the claim speaks of."""
    ours, name = _holder(pair.claim.text)
    theirs, other = _holder_of(ours, pair)
    apart = content_stems(name)
    one_time = len({bool(_WAS.search(text)) for text in (pair.claim.text, pair.read.text)}) == 1
    is_other = one_time and apart.isdisjoint(content_stems(other))
    if ours and theirs and is_other and _deny_alike(pair):
        found = pair.difference("identity", name, other, apart)
        yield from unless_held(found, pair, _holding_name(ours, apart, pair))


def _holding_name(role: str, name: frozenset[str], pair: Pair) -> Iterator[Strip]:
    """The strips by which one of a name holds the role."""
    names = (e.stems for e in find_entities(role) if e.kind == "name")
    head = content_stems(role) - pair.presupposed - frozenset[str]().union(*names)
    for strip, _ in pair.evidence.best(pair.claim):
        if name <= strip.bag and head & strip.bag:
            yield strip


def _holder_of(role: str, pair: Pair) -> tuple[str, str]:
    """The role of a strip and who holds it, if it is the claim's role; else nothing."""
    theirs, name = _holder(pair.read.text)
    stated = content_stems(theirs) | pair.presupposed
    named = (e.stems for e in find_entities(role) if e.kind == "name" and e.stems & stated)
    own = content_stems(role) - pair.presupposed - frozenset[str]().union(*named)
    is_same = own and own <= stated
    return (theirs, name) if is_same else ("", "")


def _holder(text: str) -> tuple[str, str]:
    """The role and the name of its holder in a sentence that says no more; else nothing."""
    match = _HOLDER.match(text) or _HELD.match(text)
    return (match["role"], match["name"]) if match else ("", "")

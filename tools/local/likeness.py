"""Changes of a sentence that can be made alone: like for like, or an aside more or less."""

import re
from collections.abc import Sequence

from errata.edits import join_edits
from errata.records import Edit
from errata.tools.text.clauses import FINITE
from errata.tools.text.entities import find_entities
from errata.tools.text.words import STOPWORDS, WORD

_PREPOSITION = (
    r"(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around)"
)
_LEAD = re.compile(rf"^(?:{_PREPOSITION} )?(?:(?:an?|the) )?", re.IGNORECASE)
_LINKS = re.compile(r"(?:[\s,&–-]|\band\b|\bor\b|\bto\b|\bthe\b|\bof\b)*")
VERB = re.compile(rf"\b{FINITE}\b|\b\w+ing\b")
"""A verb, by its form."""
_ASIDE = re.compile(r"\([^()]*\)|,[^,;:]+,?|[–—][^–—]+[–—]?")
_PHRASE = re.compile(rf"{_PREPOSITION} [^,;:()]+", re.IGNORECASE)
_BEGINS = re.compile(rf"\s*(?:[.,;:!?]|$|{_PREPOSITION} )")
"""What may follow a phrase that is left out."""
_MOST_WORDS = 4
"""How many words a noun phrase has that is replaced by another."""


def widen(text: str, changes: Sequence[Edit]) -> list[Edit]:
    """Changes that cut no date, number or name in two; those that then meet are one.

    >>> before = "She sang on May 1, 1957 there."
    >>> change = Edit(start=9, end=18, before="on May 1,", after="in")
    >>> widen(before, [change])[0].before
    'on May 1, 1957'
    """
    spans = [(entity.start, entity.end) for entity in find_entities(text)]
    groups: list[tuple[int, int, list[Edit]]] = []
    for change in changes:
        inside = [s for s in spans if s[0] < change.end and change.start < s[1]]
        start = min([change.start, *(a for a, _ in inside)])
        end = max([change.end, *(b for _, b in inside)])
        if groups and start <= groups[-1][1]:
            first, last, own = groups.pop()
            groups.append((min(first, start), max(last, end), [*own, change]))
        else:
            groups.append((start, end, [change]))
    return [join_edits(text, own, (start, end)) for start, end, own in groups]


def are_alike(change: Edit) -> bool:
    """Whether a change puts a date, number, name or noun phrase in the place of another.

    >>> are_alike(Edit(start=0, end=4, before="in May 1957", after="in 1961"))
    True
    >>> are_alike(Edit(start=0, end=4, before="and wrote", after="who wrote"))
    False
    """
    before, after = (_LEAD.sub("", text.strip()) for text in (change.before, change.after))
    kinds = _kinds(before), _kinds(after)
    if all(kinds):
        return bool(kinds[0] & kinds[1])
    same_number = before.endswith("s") == after.endswith("s")
    return same_number and _is_noun(before) and _is_noun(after)


def _kinds(text: str) -> set[str]:
    """The kinds of the entities that a phrase consists of; none if it has other words."""
    entities = find_entities(text)
    starts, ends = [e.start for e in entities], [e.end for e in entities]
    between = zip([0, *ends], [*starts, len(text)], strict=True)
    if not all(_LINKS.fullmatch(text[start:end]) for start, end in between):
        return set()
    return {"date" if entity.kind == "year" else entity.kind for entity in entities}


def _is_noun(text: str) -> bool:
    """Whether a phrase is a noun with its adjectives."""
    words = WORD.findall(text)
    plain = all(word.lower() not in STOPWORDS - {"and", "of", "the"} for word in words)
    letters = "".join(words) == re.sub(r"[\s-]", "", text)
    return plain and letters and 0 < len(words) <= _MOST_WORDS and not VERB.search(text)


def is_aside(text: str, change: Edit) -> bool:
    """Whether a change takes out, or puts in, something without which the sentence is whole."""
    if change.before.strip() and change.after.strip():
        return False
    words = (change.before or change.after).strip()
    follows = text[change.end :]
    if _ASIDE.fullmatch(words):
        closed = words[-1] in ")–—" or bool(re.match(r"\s*[.,;:!?)]|\s*$", follows))
        return closed and " and " not in words
    return bool(_PHRASE.fullmatch(words) and _BEGINS.match(follows) and not VERB.search(words))

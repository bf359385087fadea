"""Rules that make of a sentence a true claim and a false one that differ in little.

A rule finds places in a sentence, and what a true and a false claim have there. The rules for words
and names are here, those for quantities and dates in `value_rules`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from errata.tools.text.clauses import without_denial
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.words import CONTRARIES, PHRASES, both_ways, fix_article, replace_span
from errata.training.pairs import NOT_MENTIONED, REFUTED, UNSUPPORTED, Labels
from errata.training.value_rules import Change, change_date, change_quantity


@dataclass(frozen=True)
class Source:
    """A sentence with the texts of its page."""

    text: str
    others: tuple[str, ...] = ()
    """The other sentences of its paragraph."""
    foreign: tuple[str, ...] = ()
    """Sentences of another page."""


@dataclass(frozen=True)
class Edit:
    """Two claims made of a sentence: one that it supports, and one with other labels."""

    family: str
    true: str
    false: str
    labels: Labels
    """The acceptable labels of the second."""


_ANY, _MANY = r"\w", r"\w+s\b"
_WORDS: tuple[tuple[str, str, str, str, str, Labels], ...] = (
    ("negation", "is|are|was|were|can|could|will|would|should|must|does|did",
     r"(?!(?:not|never|no|the)\b)\w", "{}", "{} not", REFUTED),
    ("negation", "has|have|had", r"(?:been|become|won|made|taken|given|\w+ed)\b", "{}", "{} not",
     REFUTED),
    ("negation", "he|she|it|they|who",
     r"(?:\w+ed|became|began|gave|held|led|left|lost|made|rose|sold|took|won|wrote)\b", "{}",
     "{} never", REFUTED),
    ("quantifier", "all", _MANY, "{}", "no", REFUTED),
    ("quantifier", "all", _MANY, "{}", "only some", REFUTED),
    ("quantifier", "every", _ANY, "each", "no", REFUTED),
    ("quantifier", "most", _MANY, "some", "few", REFUTED),
    ("quantifier", "most|(?<!as )many|several", _MANY, "some", "all", UNSUPPORTED),
    ("quantifier", "(?<!as )many", _MANY, "some", "few", REFUTED),
    ("quantifier", "(?<!as )many|several|some", _MANY, "{}", "no", REFUTED),
    ("quantifier", "some", _MANY, "{}", "all", UNSUPPORTED),
    ("quantifier", "few", _MANY, "{}", "many", REFUTED),
    ("quantifier", "no", _MANY, "{}", "many", REFUTED),
    ("quantifier", "only", _ANY, "{}", "not only", REFUTED),
    ("quantifier", "(?-i:may)", r"(?!not)\w", "can", "must", UNSUPPORTED),
    ("quantifier", "(?-i:might)", r"(?!not)\w", "may", "will", UNSUPPORTED),
    ("quantifier", "(?-i:can|should)", r"(?!not)\w", "{}", "must", UNSUPPORTED),
    ("quantifier", "(?-i:must)", r"(?!not)\w", "{}", "need not", REFUTED),
)  # fmt: skip
"""A family, words, what follows them, what the true and the false claim have in their place (`{}`:
the word itself), and the labels of the false one."""
_COMPILED = [
    (family, re.compile(rf"(?i)\b(?:{words})(?= {after})"), true, false, labels)
    for family, words, after, true, false, labels in _WORDS
]
_CONVERSES = both_ways(
    (first, second)
    for first, _, second in (
        pair.partition("/")
        for pair in (
            "start/stop begin/end beginning/ending victory/defeat birth/death arrival/departure "
            "buyer/seller beginning/end start/end teacher/student winner/loser employer/employee "
            "friend/enemy ally/enemy mother/father son/daughter brother/sister husband/wife "
            "uncle/aunt king/queen prince/princess actor/actress until/after over/under up/down "
            "before/after"
        ).split()
    )
)
"""Words that hold of two sides of one thing, or often stand for something else."""
_OPPOSITES = {
    word: (*CONTRARIES.get(word, ()), *PHRASES.get(word, ()), *_CONVERSES.get(word, ()))
    for word in {**CONTRARIES, **PHRASES, **_CONVERSES}
}
_OPPOSED = re.compile(
    rf"(?i)(?<![\w-])(?<!\bas )(?:{'|'.join(sorted(_OPPOSITES, key=len, reverse=True))})(?![\w-])"
)
_EXCHANGED = re.compile(
    r"\b(?:is an? |was an? |than|defeated|beat|succeeded|replaced|acquired|bought|purchased"
    r"|founded|taught|wrote|directed|born|died|located|situated|part of|capital|moved|from"
    r"|won|sued|invaded|married to|son of|daughter of|father|mother|named after|based"
    r"|owned|led|joined|created|invented|discovered)\b"
)
"""Words whose two sides cannot be exchanged."""
_SINGLE = re.compile(
    r"\b(?:(?:born|died|located|situated|based|headquartered|buried|lies?|held|founded|established"
    r") (?:in|at|near)|capital of"
    r"|(?:directed|written|founded|invented|discovered|designed|composed|painted|created|built"
    r"|won|led|owned|coached|produced|published|formed"
    r") by|named|called|nationality) $"
)
"""Words that only one name can follow."""
SHORTEST_NAME = 4


def draw_edits(source: Source, random: Random) -> list[Edit]:
    """One edit of each family that fits a sentence."""
    by_family = defaultdict[str, list[Edit]](list)
    for change in (
        *replace_words(source.text, random),
        *change_quantity(source.text, random),
        *change_date(source.text, random),
        *exchange_names(source.text),
        *borrow(source, random),
    ):
        start, end = change.place
        true, false = (
            fix_article(replace_span(source.text, start, end, new), start)
            for new in (change.right, change.wrong)
        )
        if false not in (true, source.text):
            by_family[change.family].append(Edit(change.family, true, false, change.labels))
    return [random.choice(own) for own in by_family.values()]


def replace_words(text: str, random: Random) -> Iterator[Change]:
    """A negation put in or taken out, another quantifier or modal verb, or an opposite."""
    for family, find, right, wrong, labels in _COMPILED:
        if match := find.search(text):
            place, word = match.span(), match[0]
            yield Change(family, place, right.format(word), wrong.format(word), labels)
    for affirmed in without_denial(text):
        yield Change("negation", (0, len(text)), text, affirmed)
    for match in _OPPOSED.finditer(text):
        new = random.choice(_OPPOSITES[match[0].lower()])
        yield Change("opposite", match.span(), match[0], new)


def exchange_names(text: str) -> Iterator[Change]:
    """Two names exchanged that have different parts in a sentence."""
    names = [entity for entity in find_entities(text) if entity.kind == "name"]
    for first, second in pairwise(names):
        between = text[first.end : second.start]
        if _EXCHANGED.search(between) and not first.stems & second.stems:
            place = (first.start, second.end)
            yield Change("roles", place, text[slice(*place)], f"{second.text}{between}{first.text}")


def borrow(source: Source, random: Random) -> Iterator[Change]:
    """A date, number or name from a sentence nearby, or a name from another page."""
    own = find_entities(source.text)
    known = {stem for entity in own for stem in entity.stems}
    for family, texts in (("neighbour", source.others), ("foreign", source.foreign)):
        found = (entity for text in texts for entity in find_entities(text))
        rivals = [e for e in found if e.start > 0 and not e.stems & known]
        for old in own:
            shortest = SHORTEST_NAME if old.kind == "name" else 1
            alike = [e.text for e in rivals if _shape(e) == _shape(old)]
            fitting = [text for text in alike if len(text) >= shortest]
            if not fitting or (old.kind != "name" if family == "foreign" else old.start == 0):
                continue
            if old.start == 0:
                labels = NOT_MENTIONED
            elif old.kind != "name" or _SINGLE.search(source.text[: old.start]):
                labels = REFUTED
            else:
                labels = UNSUPPORTED
            yield Change(family, (old.start, old.end), old.text, random.choice(fitting), labels)


def _shape(entity: Entity) -> tuple[str, int, bool]:
    """What two entities have in common of which one may stand for the other: kind, parts, order."""
    return entity.kind, entity.key.count("?"), entity.key.endswith("th")

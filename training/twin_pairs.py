"""Pairs made by rule: every false claim beside a true twin, so that no word gives it away.

Where two claims contradict each other, the evidence is edited as well: then the same two claims
stand in both roles.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from errata.core.records import Document
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.sentences import split_strips
from errata.tools.text.words import SYNONYMS
from errata.training.claim_sets import TITLE_SHARE
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair
from errata.training.passages import Passage
from errata.training.rules import Edit, Source, draw_edits

WORDS = range(6, 36)
"""How many words a sentence may have."""
SHORTEST = 5
"""How many words a claim has at least that leaves out clauses."""
UNMENTIONED_SHARE = 0.3
"""How many of the bundles also have a claim beside the rest of its paragraph."""
MUTUAL_SHARE = 0.6
"""How many of the bundles have edited evidence, too."""
REWORDED_SHARE = 0.6
"""How often a word of both claims is replaced by a synonym."""
SHORTER_SHARE = 0.6
"""How often both claims leave out the same clauses of their sentence."""
_ADDITIONS = (
    r" \([^()]*\)",
    r", (?:which|who|where|whose|when|with|including|such as) [^,;]*(?=[,.;](?!\d))",
    r"^(?:In|On|During|At|After|Before|By|From|Since) [^,]{3,40}, (?=\w)",
)
"""What a sentence says as much without: brackets, relative clauses, and what stands in front."""


def twin_pairs(passages: Sequence[Passage], random: Random) -> Iterator[Pair]:
    """Pairs from the sentences of paragraphs, a bundle of each.

    Of the families that fit a sentence the one is taken of which the fewest bundles are made.
    """
    made = Counter[str]()
    for passage in passages:
        foreign = random.choice(passages)
        strange = _sentences(foreign) if foreign.group != passage.group else ()
        sentences = _sentences(passage)
        for number, text in enumerate(sentences):
            if len(text.split()) in WORDS and text[-1] in ".!" and "?" not in text:
                source = Source(text, (*sentences[:number], *sentences[number + 1 :]), strange)
                edits = draw_edits(source, random)
                if edits:
                    edit = min(edits, key=lambda edit: made[edit.family])
                    made[edit.family] += 1
                    name, bundle = f"rule {edit.family}", f"{passage.group}:{text[:24]}:{number}"
                    for claim, evidence, labels in _bundle(source, passage.title, edit, random):
                        yield Pair(passage.group, name, claim, evidence, labels, bundle)


def _sentences(passage: Passage) -> tuple[str, ...]:
    return tuple(strip.text for strip in split_strips(Document(id="d", text=passage.text)))


def _bundle(
    source: Source, title: str, edit: Edit, random: Random
) -> Iterator[tuple[str, str, Labels]]:
    """The two claims of an edit with their evidence and labels, and with other evidence."""

    def show(sentences: Sequence[str]) -> str:
        """Sentences, sometimes after the title of their page."""
        text = " ".join(sentences)
        named = title and title not in text and random.random() < TITLE_SHARE
        return f"{title}: {text}" if named else text

    count = min(len(source.others), random.choice((0, 0, 1, 1, 2)))
    shown = [source.text, *random.sample(source.others, count)]
    evidence = show(random.sample(shown, len(shown)))
    true, false = _reword(*_shorten(edit.true, edit.false, random), random)
    yield true, evidence, SUPPORTED
    yield false, evidence, edit.labels
    is_mutual = edit.true == source.text and edit.labels == REFUTED
    if is_mutual and random.random() < MUTUAL_SHARE:
        edited = evidence.replace(source.text, edit.false)
        yield false, edited, SUPPORTED
        yield true, edited, REFUTED
    if source.others and random.random() < UNMENTIONED_SHARE:
        rest = random.sample(source.others, min(2, len(source.others)))
        yield true, show(rest), NOT_MENTIONED


def _shorten(true: str, false: str, random: Random) -> tuple[str, str]:
    """Both claims without the same clauses, sometimes, and unless they differ in them."""
    own, theirs = shorter_forms(true), shorter_forms(false)
    if len(own) != len(theirs) or random.random() > SHORTER_SHARE:
        return true, false
    forms = [
        pair
        for pair in zip(own, theirs, strict=True)
        if pair[0] != pair[1] and len(pair[0].split()) >= SHORTEST
    ]
    return random.choice(forms) if forms else (true, false)


def shorter_forms(sentence: str) -> list[str]:
    """A sentence with less and less in it, and then each of its clauses alone."""
    forms, text = list[str](), sentence
    for addition in _ADDITIONS:
        text = re.sub(addition, "", text)
        forms.append(text[:1].upper() + text[1:])
    return [*forms, *parse_clauses(text)]


def _reword(true: str, false: str, random: Random) -> tuple[str, str]:
    """Both claims with the same word replaced by a synonym, sometimes."""
    words = [word for word in SYNONYMS if f" {word} " in true and f" {word} " in false]
    if not words or random.random() > REWORDED_SHARE:
        return true, false
    old = random.choice(words)
    new = SYNONYMS[old]
    return true.replace(f" {old} ", f" {new} ", 1), false.replace(f" {old} ", f" {new} ", 1)

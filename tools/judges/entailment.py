"""What the cross-encoder reads: a claim with its evidence, a question with a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from errata.core.records import Document
from errata.tools.judges.cross_encoder import CrossEncoder, Logits
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features, sigmoid
from errata.tools.judges.values import find_values, is_stated
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.sentences import Strip, first_strips, split_strips
from errata.tools.text.words import split_words

ENTAILMENT_FEATURES = ("entailed", "contradicted", "open")
"""Log odds of supported, and of refuted, against the rest; the probability of not mentioned."""
ANSWER_FEATURES = ("read",)
"""Log odds that a text answers a question."""
STRIPS = 3
"""How many strips a question is read with, and a claim that seems refuted one by one."""
EXCERPT = 100
"""About how many words of the documents a claim is read with."""
LEAST_WORDS = 5
"""An excerpt to which fewer words can be added is full."""
LIKELY = 0.5
"""The probability from which on the documents rather speak against a claim."""
NOTHING = -5.0
"""The log odds where there is nothing to read."""
MAX_TITLE = 100
"""How many characters of a title are read."""


@dataclass(frozen=True)
class Entailment:
    """What the cross-encoder makes of a claim beside an excerpt of the documents."""

    features: Features
    refuted: float = 0.0
    """The probability that the excerpt refutes the claim."""
    strip: Strip | None = None
    """The strip that speaks most against the claim; None where the excerpt does not."""
    wrong: str = ""
    """The words of the claim that the excerpt has in another way, as far as it can tell."""


def read_entailment(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder
) -> list[Entailment]:
    """Each claim read once beside an excerpt; where that refutes it, beside single strips too."""
    if not evidence.strips:
        nothing = {"entailed": NOTHING, "contradicted": NOTHING, "open": 1.0}
        return [Entailment(nothing) for _ in claims]
    named = [name_entity(claim.text, claim.question_entity) for claim in claims]
    shown = [join_strips(excerpt_for(claim, evidence, EXCERPT), evidence) for claim in claims]
    found, read = list[Entailment](), encoder.read(list(zip(named, shown, strict=True)))
    for claim, name, one in zip(claims, named, read, strict=True):
        read_so, strip = _weigh(one.logits), None
        if sigmoid(read_so["contradicted"]) > LIKELY:
            strips = best_strips(claim, evidence, STRIPS)
            alone = _alone(name, strips, evidence, encoder)
            # A value that strips have is not wrong: the claim is read by such a strip alone.
            stating = (own for own, s in zip(alone, strips, strict=True) if _states(s, one.wrong))
            read_so = max(stating, key=lambda own: own["entailed"], default=read_so)
            against = [own["contradicted"] for own in alone]
            strip = strips[against.index(max(against))]
        refuted = sigmoid(read_so["contradicted"])
        is_against = refuted > LIKELY
        found.append(Entailment(read_so, refuted, strip if is_against else None, one.wrong))
    return found


def _weigh(logits: Logits) -> Features:
    """The ENTAILMENT_FEATURES of what was read."""
    supported, refuted, absent, _ = logits
    return {
        "entailed": _odds(supported, refuted, absent),
        "contradicted": _odds(refuted, supported, absent),
        "open": sigmoid(_odds(absent, supported, refuted)),
    }


def _states(strip: Strip, words: str) -> bool:
    """Whether some words are a number or date that a strip has."""
    values = find_values(words)
    return bool(values) and all(is_stated(value, strip.text) for value in values)


def most_entailing(
    claim: Reading, strips: Sequence[Strip], evidence: Evidence, encoder: CrossEncoder
) -> Strip:
    """That of some strips by which, read alone, a claim is likeliest supported."""
    named = name_entity(claim.text, claim.question_entity)
    odds = [own["entailed"] for own in _alone(named, strips, evidence, encoder)]
    return strips[odds.index(max(odds))]


def _alone(
    claim: str, strips: Sequence[Strip], evidence: Evidence, encoder: CrossEncoder
) -> list[Features]:
    return [*map(_weigh, encoder.logits([(claim, join_strips([s], evidence)) for s in strips]))]


def _odds(one: float, second: float, third: float) -> float:
    """The log odds of one label against the two others."""
    import numpy as np

    return one - float(np.logaddexp(second, third))


def read_relevance(
    question: str, texts: Sequence[tuple[str, str]], encoder: CrossEncoder
) -> list[Features]:
    """The ANSWER_FEATURES of a question beside titled texts, read by their best strips."""
    reading = Reading(question)
    found = (Evidence(first_strips(split_strips(Document(text=text)))) for _, text in texts)
    best = [evidence_text(reading, strips, STRIPS) for strips in found]
    pairs = zip([title for title, _ in texts], best, strict=True)
    logits = encoder.logits([(question, under_title(title, text)) for title, text in pairs])
    return [{"read": relevant} for _, _, _, relevant in logits]


def under_title(title: str, text: str) -> str:
    """A text as it is read beside a question: after its title, if it has one."""
    return f"{title}. {text}" if title else text


def name_entity(claim: str, question_entity: str) -> str:
    """A claim with the question's entity in place of a leading personal pronoun.

    Every possessive ends in 's, as in the pairs that the cross-encoder was trained on.
    """
    return replace_pronoun(claim, question_entity, PERSONAL_PRONOUN, after_s="'s")


def evidence_text(claim: Reading, evidence: Evidence, count: int) -> str:
    """The text of the strips that match a claim best, in document order, with titles."""
    return join_strips(best_strips(claim, evidence, count), evidence)


def excerpt_for(claim: Reading, evidence: Evidence, words: int) -> list[Strip]:
    """The strips that a claim is read with together, about so many words in all."""
    ranked = evidence.best(claim)
    beside = (
        evidence.strips[place]
        for strip in ranked
        for place in (evidence.numbers[strip] - 1, evidence.numbers[strip] + 1)
        if 0 <= place < len(evidence.strips) and evidence.strips[place].document == strip.document
    )
    chosen, left = dict.fromkeys(ranked[:1]), words - sum(len(s.words) for s in ranked[:1])
    for strip in (*ranked, *beside, *evidence.strips):
        if strip not in chosen and len(strip.words) <= left:
            chosen[strip] = None
            left -= len(strip.words)
        if left < LEAST_WORDS:
            break
    return list(chosen)


def best_strips(claim: Reading, evidence: Evidence, count: int) -> list[Strip]:
    """The strips that match a claim best; the first ones where none shares a word with it."""
    return evidence.best(claim)[:count] or evidence.strips[:count]


def join_strips(strips: Sequence[Strip], evidence: Evidence) -> str:
    """Strips in document order, each document's after its title unless they have all its words."""
    in_order, parts = sorted(strips, key=lambda strip: (strip.document, strip.start)), list[str]()
    for document, found in groupby(in_order, key=lambda strip: strip.document):
        title, own = evidence.heading(document)[:MAX_TITLE], list(found)
        text = " ".join(strip.text for strip in own)
        stems = {word.stem for word in split_words(title)}
        is_named = stems <= frozenset[str]().union(*(strip.bag for strip in own))
        parts.append(text if is_named else f"{title}: {text}")
    return " ".join(parts)

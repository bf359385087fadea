"""What the cross-encoder reads: a claim with its evidence, a question with a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from errata.core.records import Document
from errata.tools.judges.cross_encoder import CrossEncoder, Logits
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features, sigmoid
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.strips import Strip, split_strips
from errata.tools.text.words import split_words

ENTAILMENT_FEATURES = ("entailed", "contradicted")
"""Log odds of supported, and of refuted, against the rest; each by the strip with the highest."""
ANSWER_FEATURES = ("read",)
"""Log odds that a text answers a question."""
STRIPS = 3
"""How many strips a claim is read with."""
FOR = 0.3
"""How much what speaks for a claim counts against its refutation."""
NOTHING = -5.0
"""The log odds without a strip."""
MAX_TITLE = 100
"""How many characters of a title are read."""


@dataclass(frozen=True)
class Entailment:
    """What the cross-encoder makes of a claim and its strips."""

    features: Features
    refuted: float
    """The probability that the strips refute the claim."""
    strip: Strip | None
    """The strip that speaks most against the claim."""


def read_entailment(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder
) -> list[Entailment]:
    """Each claim read with each of the strips that match it best."""
    best = [best_strips(claim, evidence, STRIPS) for claim in claims]
    named = [name_entity(claim.text, claim.question_entity) for claim in claims]
    read = zip(named, best, strict=True)
    pairs = [(claim, join_strips([strip], evidence)) for claim, own in read for strip in own]
    logits = iter(encoder.logits(pairs))
    return [_combine([(strip, next(logits)) for strip in strips]) for strips in best]


def _combine(read: Sequence[tuple[Strip, Logits]]) -> Entailment:
    """What the strips together make of a claim."""
    pro = [_odds(s, r, n) for _, (s, r, n, _) in read]
    against = [_odds(r, s, n) for _, (s, r, n, _) in read]
    entailed, contradicted = max(pro, default=NOTHING), max(against, default=NOTHING)
    return Entailment(
        features={"entailed": entailed, "contradicted": contradicted},
        refuted=sigmoid(contradicted - FOR * entailed),
        strip=read[against.index(contradicted)][0] if read else None,
    )


def _odds(one: float, second: float, third: float) -> float:
    """The log odds of one label against the two others."""
    import numpy as np

    return one - float(np.logaddexp(second, third))


def read_answers(
    question: str, texts: Sequence[tuple[str, str]], encoder: CrossEncoder
) -> list[Features]:
    """The ANSWER_FEATURES of a question beside titled texts, read by their best strips."""
    reading = Reading(question)
    found = (Evidence(split_strips(Document(text=text))) for _, text in texts)
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


def best_strips(claim: Reading, evidence: Evidence, count: int) -> list[Strip]:
    """The strips that match a claim best; the first ones where none shares a word with it."""
    return [strip for strip, _ in evidence.best(claim)][:count] or evidence.strips[:count]


def join_strips(strips: Sequence[Strip], evidence: Evidence) -> str:
    """Strips in document order, each document's after its title unless they name it themselves."""
    in_order = sorted(strips, key=lambda strip: (strip.document, strip.start))
    return " ".join(
        _add_title(evidence.heading(document), list(own))
        for document, own in groupby(in_order, key=lambda strip: strip.document)
    )


def _add_title(title: str, strips: Sequence[Strip]) -> str:
    """The text of a document's strips, after its title if they lack a word of it."""
    words = {word.stem for word in split_words(title[:MAX_TITLE])}
    text = " ".join(strip.text for strip in strips)
    is_named = words <= frozenset[str]().union(*(strip.bag for strip in strips))
    return text if is_named else f"{title[:MAX_TITLE]}: {text}"

"""What the cross-encoder reads: a claim with its evidence, a question with a text."""

from collections.abc import Sequence

import numpy as np

from errata.records import Document
from errata.tools.judges.cross_encoder import CrossEncoder
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.strips import split_strips

ENTAILMENT_FEATURES = ("entailed", "contradicted")
"""Log odds of supported against the rest, and of refuted against not mentioned."""
STRIPS = 3
"""How many strips a claim is read with."""


def entailment_features(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder, count: int = STRIPS
) -> list[Features]:
    """The log odds of each claim, read with the strips that match it best."""
    pairs = [
        (name_entity(claim.text, claim.question_entity), evidence_text(claim, evidence, count))
        for claim in claims
    ]
    odds = ((s - float(np.logaddexp(r, n)), r - n) for s, r, n, _ in encoder.logits(pairs))
    return [dict(zip(ENTAILMENT_FEATURES, values, strict=True)) for values in odds]


def answer_odds(
    question: str, texts: Sequence[tuple[str, str]], encoder: CrossEncoder, count: int = STRIPS
) -> list[float]:
    """The log odds that each titled text answers a question, read by its best strips."""
    reading = Reading(question)

    def excerpt(title: str, text: str) -> str:
        best = evidence_text(reading, Evidence(split_strips(Document(text=text))), count)
        return f"{title}. {best}" if title else best

    logits = encoder.logits([(question, excerpt(title, text)) for title, text in texts])
    return [relevant for *_, relevant in logits]


def name_entity(claim: str, question_entity: str) -> str:
    """A claim with the question's entity in place of a leading personal pronoun.

    Every possessive ends in 's, as in the pairs that the cross-encoder was trained on.
    """
    return replace_pronoun(claim, question_entity, PERSONAL_PRONOUN, after_s="'s")


def evidence_text(claim: Reading, evidence: Evidence, count: int) -> str:
    """The text of the strips that match a claim best, in document order."""
    best = [strip for strip, _ in evidence.best(claim)][:count] or evidence.strips[:count]
    return " ".join(strip.text for strip in sorted(best, key=lambda s: (s.document, s.start)))

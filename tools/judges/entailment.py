"""What the cross-encoder reads: a claim with its evidence, a question with a text."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from errata.records import Document
from errata.tools.judges.cross_encoder import CrossEncoder
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.logistic import Features
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.strips import Strip, split_strips
from errata.tools.text.words import split_words

ENTAILMENT_FEATURES = ("entailed", "contradicted")
"""Log odds of supported against the rest, and of refuted against not mentioned."""
STRIPS = 3
"""How many strips a claim is read with."""
MAX_TITLE = 100
"""How many characters of a title are read."""


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
    """The text of the strips that match a claim best, in document order, with titles."""
    best = [strip for strip, _ in evidence.best(claim)][:count] or evidence.strips[:count]
    return join_strips(best, evidence)


def join_strips(strips: Sequence[Strip], evidence: Evidence) -> str:
    """Strips in document order, each document's after its title unless they name it themselves."""
    in_order = sorted(strips, key=lambda strip: (strip.document, strip.start))
    return " ".join(
        _add_title(evidence.titles.get(document, ""), list(own))
        for document, own in groupby(in_order, key=lambda strip: strip.document)
    )


def _add_title(title: str, strips: Sequence[Strip]) -> str:
    """The text of a document's strips, after its title if they lack a word of it."""
    words = {word.stem for word in split_words(title[:MAX_TITLE])}
    text = " ".join(strip.text for strip in strips)
    is_named = words <= frozenset[str]().union(*(strip.bag for strip in strips))
    return text if is_named else f"{title[:MAX_TITLE]}: {text}"

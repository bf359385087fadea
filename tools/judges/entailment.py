"""What the cross-encoder sees of a claim beside its evidence, and of a question beside a text."""

import re
from collections.abc import Sequence

import numpy as np

from errata.records import Document
from errata.tools.judges.cross_encoder import CrossEncoder
from errata.tools.judges.features import Evidence, Features, Reading
from errata.tools.text.entities import find_entities
from errata.tools.text.strips import split_strips

NAMES = ("entailed", "contradicted")
"""Log odds of supported over the rest, and of refuted over not mentioned."""
STRIPS = 3
"""How many strips a claim is read beside."""
_PRONOUN = re.compile(r"(?:He|She|They)\b|(?P<whose>His|Her|Their)\b")


def entailment_features(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder, count: int = STRIPS
) -> list[Features]:
    """Tell how each claim stands to the strips that match it best."""
    found = encoder.logits(
        [(with_subject(c.text, c.subject), best_strips(c, evidence, count)) for c in claims]
    )
    odds = ((s - float(np.logaddexp(r, n)), r - n) for s, r, n, _ in found)
    return [dict(zip(NAMES, values, strict=True)) for values in odds]


def answer_odds(
    question: str, texts: Sequence[tuple[str, str]], encoder: CrossEncoder, count: int = STRIPS
) -> list[float]:
    """Give the log odds that each titled text answers a question, by the strips that match it."""
    asked = Reading(question)

    def told(title: str, text: str) -> str:
        best = best_strips(asked, Evidence(split_strips(Document(text=text))), count)
        return f"{title}. {best}" if title else best

    found = encoder.logits([(question, told(title, text)) for title, text in texts])
    return [relevant for *_, relevant in found]


def question_entity(question: str) -> str:
    """Give the name that a question is about; empty where it names none."""
    return next(
        (span.text for span in reversed(find_entities(question)) if span.kind == "name"), ""
    )


def with_subject(claim: str, subject: str) -> str:
    """Put what a text is about where a claim opens with a pronoun."""
    found = _PRONOUN.match(claim)
    if not subject or not found:
        return claim
    return f"{subject}{chr(39) + 's' if found['whose'] else ''}{claim[found.end() :]}"


def best_strips(claim: Reading, evidence: Evidence, count: int) -> str:
    """Give the strips that match a claim best, in the order in which they stand."""
    best = [strip for strip, _ in evidence.best(claim)][:count] or evidence.strips[:count]
    return " ".join(strip.text for strip in sorted(best, key=lambda s: (s.document, s.start)))

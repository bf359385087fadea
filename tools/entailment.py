"""What the cross-encoder sees of a claim beside its evidence, and of a question beside a text."""

import re
from collections.abc import Sequence

import numpy as np

from errata.records import Document
from errata.tools.cross_encoder import CrossEncoder
from errata.tools.features import Evidence, Features, Reading
from errata.tools.spans import spans
from errata.tools.strips import strips

NAMES = ("entailed", "contradicted")
"""Log odds of supported over the rest, and of refuted over not mentioned."""
STRIPS = 3
"""How many strips a claim is read beside."""
_PRONOUN = re.compile(r"(?:He|She|They)\b|(?P<whose>His|Her|Their)\b")


def entailment(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder, count: int = STRIPS
) -> list[Features]:
    """Tell how each claim stands to the strips that match it best."""
    found = encoder.logits([(named(c.text, c.subject), shown(c, evidence, count)) for c in claims])
    odds = ((s - float(np.logaddexp(r, n)), r - n) for s, r, n, _ in found)
    return [dict(zip(NAMES, values, strict=True)) for values in odds]


def answering(
    question: str, texts: Sequence[tuple[str, str]], encoder: CrossEncoder, count: int = STRIPS
) -> list[float]:
    """Give the log odds that each titled text answers a question, by the strips that match it."""
    asked = Reading(question)

    def told(title: str, text: str) -> str:
        best = shown(asked, Evidence(strips(Document(text=text))), count)
        return f"{title}. {best}" if title else best

    found = encoder.logits([(question, told(title, text)) for title, text in texts])
    return [relevant for *_, relevant in found]


def subject_of(question: str) -> str:
    """Give the name that a question is about; empty where it names none."""
    return next((span.text for span in reversed(spans(question)) if span.kind == "name"), "")


def named(claim: str, subject: str) -> str:
    """Put what a text is about where a claim opens with a pronoun."""
    found = _PRONOUN.match(claim)
    if not subject or not found:
        return claim
    return f"{subject}{chr(39) + 's' if found['whose'] else ''}{claim[found.end() :]}"


def shown(claim: Reading, evidence: Evidence, count: int) -> str:
    """Give the strips that match a claim best, in the order in which they stand."""
    best = [strip for strip, _ in evidence.best(claim)][:count] or evidence.strips[:count]
    return " ".join(strip.text for strip in sorted(best, key=lambda s: (s.document, s.start)))

"""What documents speak of: the topic of a question, and single claims."""

from collections.abc import Sequence

from errata.records import Claim, Document
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.text.questions import topic_stems

SPEAKS = 0.5
"""The share of a claim's own words from which on a strip speaks of it."""


def find_unspoken(
    question: str, claims: Sequence[Claim], documents: Sequence[Document]
) -> list[Claim]:
    """The claims that no strip speaks of: none has half of the words that are the claim's own."""
    evidence = collect_evidence(topic_stems(question), documents)
    readings = ((claim, read_claim(claim.text, question)) for claim in claims)
    return [claim for claim, reading in readings if _best_share(reading, evidence) < SPEAKS]


def drop_off_topic(
    question: str, known: Sequence[Document], found: Sequence[Document]
) -> list[Document]:
    """Of what was found beside known documents, that which the verifier would read.

    All have ids. A document that names the question's topic less than others do is on others.
    """
    evidence = collect_evidence(topic_stems(question), [*known, *found])
    read = {strip.document for strip in evidence.strips}
    return [document for document in found if document.id in read]


def _best_share(claim: Reading, evidence: Evidence) -> float:
    """The largest share of a claim's own stems in one of the strips that match it best."""
    own = claim.own_stems
    bags = (strip.bag for strip, _ in evidence.best(claim))
    return max((sum(stem in bag for stem in own) / (len(own) or 1) for bag in bags), default=0.0)

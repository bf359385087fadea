"""What steps of several methods make of replies and verdicts."""

import re
from collections.abc import Sequence

from errata.records import ResponseLabel, Verdict

_LEAD = re.compile(
    r"^\W*(?:corrected|revised|mended) (?:answer|draft|text|response|sentences?)\W*:\s*",
    re.IGNORECASE,
)


def label_for(verdicts: Sequence[Verdict]) -> ResponseLabel:
    """Judge the whole: refuted if any claim is, supported if all are, else not mentioned."""
    labels = {verdict.label for verdict in verdicts}
    if "refuted" in labels:
        return "refuted"
    return "supported" if labels == {"supported"} else "not_mentioned"


def read_revision(reply: str) -> str:
    """Read what was revised: the reply without a label before it.

    >>> read_revision("Corrected answer: Ada was born in 1815.")
    'Ada was born in 1815.'
    """
    return _LEAD.sub("", reply.strip())

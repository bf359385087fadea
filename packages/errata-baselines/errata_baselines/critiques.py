"""Self-RAG's critiques in the lines of a reply (arXiv:2310.11511, table 1; sections 3.1, 3.3)."""

import re
from collections.abc import Mapping
from typing import Literal

from errata_baselines.reflection import Critiques

_YES_OR_NO = {"yes": 1.0, "no": 0.0}


VALUES: Mapping[str, Mapping[str, float]] = {
    "retrieve": {"yes": 1.0, "no": 0.0, "continue": 0.0},
    "relevant": _YES_OR_NO,
    "supported": {"fully": 1.0, "partially": 0.5, "no": 0.0},
    "useful": {"1": -1.0, "2": -0.5, "3": 0.0, "4": 0.5, "5": 1.0},
    "likely": _YES_OR_NO,
}
"""What each label is worth; `likely` is the probability of the answer itself (equation 3)."""


Aspect = Literal["relevant", "supported", "useful", "likely"]


WEIGHTS: dict[Aspect, float] = {"relevant": 1.0, "supported": 1.0, "useful": 0.5, "likely": 1.0}
"""How much each counts in the paper (section 4.3; equation 3)."""


_LINE = re.compile(
    rf"(?:\s*\d[.)])?[\s*_#>-]*({'|'.join(VALUES)}|answer)[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE
)


_SHARE = re.compile(r"\b(\w+)=(\d+(?:\.\d+)?)")


def read_reflection(reply: str) -> tuple[str, Critiques]:
    r"""The answer in a reply, and the critiques that could be read.

    A critique is a label, or labels with their probabilities.

    >>> read_reflection("Relevant: yes\nAnswer: Riga\nSupported: fully=0.9 no=0.1\nUseful: ?")
    ('Riga', {'relevant': {'yes': 1.0}, 'supported': {'fully': 0.9, 'no': 0.1}})
    """
    parts: dict[str, list[str]] = {"answer": []}
    place = "before"
    for line in reply.splitlines():
        match = _LINE.fullmatch(line)
        place, words = (match[1].lower(), match[2]) if match else (place, line)
        parts.setdefault(place, []).append(words)
    before = parts.pop("before", [])
    answer = "\n".join(parts.pop("answer") or ([] if parts else before)).strip()
    shares = {aspect: _shares(lines[0], VALUES[aspect]) for aspect, lines in parts.items()}
    return answer, {aspect: share for aspect, share in shares.items() if share}


def read_text(reply: str) -> str:
    """The answer in a reply, without its critiques."""
    return read_reflection(reply)[0]


def read_decision(reply: str) -> Critiques:
    """Whether retrieval is needed: a line that says so, or a bare yes or no; empty if neither."""
    lines = (reply, f"Retrieve: {reply}")
    return next((said for _, said in map(read_reflection, lines) if "retrieve" in said), {})


def _shares(words: str, values: Mapping[str, float]) -> dict[str, float]:
    """The probability of each label; the first label alone where there are no probabilities."""
    given = {label: float(share) for label, share in _SHARE.findall(words) if label in values}
    named = re.match(rf"[\W_]*({'|'.join(values)})\b", words.lower())
    return given or ({named[1]: 1.0} if named else {})


def value_of(critiques: Critiques, aspect: str) -> float:
    """What a critique is worth, by the values of its labels; 0 where none was read.

    >>> value_of({"supported": {"fully": 0.25, "partially": 0.25}}, "supported")
    0.75
    """
    shares = critiques.get(aspect, {})
    total = sum(shares.values())
    worth = sum(VALUES[aspect][label] * share for label, share in shares.items())
    return worth / total if total else 0.0


def score(critiques: Critiques, weights: Mapping[Aspect, float]) -> float:
    """The sum of what critiques are worth, by weights in place of the paper's (equation 4)."""
    return sum(
        weight * value_of(critiques, aspect) for aspect, weight in {**WEIGHTS, **weights}.items()
    )

"""What flows between steps and comes out at the end: frozen, and JSON both ways."""

from errata.records.core import (
    Claim,
    Document,
    Edit,
    Fix,
    Quote,
    Reason,
    ResponseLabel,
    Skipped,
    Source,
    Usage,
    Verdict,
    VerdictLabel,
)
from errata.records.crag import Action, Knowledge
from errata.records.critic import Critique
from errata.records.jsonable import from_json, to_json
from errata.records.notebook import describe_skipped, label_in_words, label_with_score
from errata.records.pieces import Piece
from errata.records.rarr import Attribution
from errata.records.reex import Explanation, SubAnswer
from errata.records.results import Answer, Correction, most_go, result_json
from errata.records.selfrag import Candidate
from errata.records.web import Hit, SearchResult

__all__ = [
    "Action",
    "Answer",
    "Attribution",
    "Candidate",
    "Claim",
    "Correction",
    "Critique",
    "Document",
    "Edit",
    "Explanation",
    "Fix",
    "Hit",
    "Knowledge",
    "Piece",
    "Quote",
    "Reason",
    "ResponseLabel",
    "SearchResult",
    "Skipped",
    "Source",
    "SubAnswer",
    "Usage",
    "Verdict",
    "VerdictLabel",
    "describe_skipped",
    "from_json",
    "label_in_words",
    "label_with_score",
    "most_go",
    "result_json",
    "to_json",
]

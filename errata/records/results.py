"""What a run hands out: a correction or an answer, with everything it rests on."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from errata.records.core import (
    Claim,
    Document,
    Edit,
    ResponseLabel,
    Skipped,
    Usage,
    Verdict,
    VerdictLabel,
)
from errata.records.crag import Action, Knowledge
from errata.records.jsonable import to_json
from errata.records.notebook import answer_html, correction_html
from errata.records.pieces import Piece, pieces_of


def most_go(removals: int, claims: int) -> bool:
    """Whether more than half of the claims are to be removed."""
    return 2 * removals > claims


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer with the knowledge it rests on."""

    method: str
    question: str
    response: str
    action: Action | Literal[""] = ""
    """What CRAG did about the retrieval, by the evaluator's scores; empty in other methods."""
    documents: tuple[Document, ...] = ()
    """What was retrieved, then what was read on the web."""
    scores: dict[str, float | None] = field(default_factory=dict)
    """How relevant each retrieved document is, in [-1, 1], by its id; as far as it was judged."""
    knowledge: tuple[Knowledge, ...] = ()
    queries: tuple[str, ...] = ()
    """What was searched for on the web."""
    trail: dict[str, Any] = field(default_factory=dict)
    """What the method produced on the way, by name, as JSON: Self-RAG's candidates, …"""
    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each template that a model was asked with, by the template's name."""
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""

    def _repr_html_(self) -> str:
        """The answer and its knowledge, for a notebook."""
        return answer_html(self.response, self.knowledge)


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A corrected draft with everything it rests on.

    Applying `edits` to `draft` gives `response`, exactly.
    """

    method: str
    question: str
    draft: str
    response: str
    changed: bool
    label: ResponseLabel
    """Of the draft as a whole: refuted if any claim is, supported if all are."""
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    edits: tuple[Edit, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """What of the draft claims nothing, and so was not checked: headings, questions, …"""
    unmended: tuple[str, ...] = ()
    """The ids of refuted claims that stay in the response; none after a check."""
    documents: tuple[Document, ...] = ()
    trail: dict[str, Any] = field(default_factory=dict)
    """What the method produced on the way, by name, as JSON: RE-EX's questions, answers, …"""
    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each template that a model was asked with, by the template's name."""
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each label; labels that no claim has are left out."""
        labels = [verdict.label for verdict in self.verdicts]
        return {name: labels.count(name) for name in get_args(VerdictLabel) if name in labels}

    @property
    def checked(self) -> bool:
        """Whether anything was judged; if not, nothing is known of the draft."""
        silent = {"unreadable", "unchecked", *(() if self.documents else ("not_mentioned",))}
        return self.label != "not_mentioned" or not silent.issuperset(self.counts)

    @property
    def mostly_unsupported(self) -> bool:
        """Whether most claims had to go, which then may have left little or been impossible."""
        fixes = self.trail.get("fixes", ())
        return most_go(sum(not fix["text"] for fix in fixes), len(self.claims))

    def pieces(self) -> list[Piece]:
        """The draft and its replacements, from left to right."""
        return pieces_of(self.draft, self.edits)

    def _repr_html_(self) -> str:
        """The diff and the verdicts, for a notebook."""
        return correction_html(self.pieces(), self.claims, self.verdicts, self.unmended)


def result_json(result: Answer | Correction) -> dict[str, Any]:
    """A result as JSON; a correction with its claims by label, and whether any was checked."""
    values: dict[str, Any] = to_json(result)
    if isinstance(result, Answer):
        return values
    return {**values, "counts": result.counts, "checked": result.checked}

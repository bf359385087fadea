"""Human-labelled claims with their evidence, from several sets, in one form."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows
from errata.tools.text.questions import answer_in_full


@dataclass(frozen=True)
class LabelledClaim:
    """A claim, its evidence, and the label that annotators gave it."""

    claim: str
    documents: tuple[Document, ...]
    supported: bool
    group: str
    """Claims of one group belong on the same side of a train/test split."""
    label: str
    """The set's own label: `supported`, `partially_supported` or `not_supported`.

    Sets that tell the two apart have `refuted` and `nei` (not mentioned) instead of the last.
    """


def read_claims(folder: Path, name: str) -> Iterator[LabelledClaim]:
    """The claims of one set, without rows that have no binary label or no evidence.

    Partly supported counts as not supported, as in the sets' own binary labels. A bare answer is
    a claim with its question.
    """
    for row in read_rows(folder / f"{name}.jsonl.gz"):
        if page := page_of(row):
            label, claim = row["label"], row["claim"]
            claim = answer_in_full(row.get("question") or "", claim) or claim
            yield LabelledClaim(claim, (page,), label == "supported", row["group"], label)


def page_of(row: Row) -> Document | None:
    """A row's evidence; None if it has none, or people could not decide on a label."""
    evidence = row["evidence"] if isinstance(row["evidence"], str) else " ".join(row["evidence"])
    if row.get("binary", 0) is None or not evidence:
        return None
    return Document(id="d1", text=evidence, title=title_of(row))


def title_of(row: Row) -> str:
    """The title of a row's evidence; empty if it has none or several."""
    titles = row.get("titles") or [row.get("title") or ""]
    return str(titles[0]) if len(set(titles)) == 1 else ""

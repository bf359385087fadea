"""Human-labelled claims beside evidence, in one form: what a verifier is measured on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.evals.datasets import read_rows
from errata.records import Document

TEST_SETS = (
    "wice/claims_test",
    "fact-verification/factcheckgpt_stance",
    "fact-verification/fever_symmetric_test",
    "fact-verification/healthver_test",
    "fact-verification/qags",
    "fact-verification/begin_test_wow",
)
"""The sets that a verifier is tested on and never trained on."""


@dataclass(frozen=True)
class LabelledClaim:
    """Hold a claim beside its evidence, and whether people found it supported."""

    claim: str
    documents: tuple[Document, ...]
    supported: bool
    group: str
    """What stays on one side of a split."""
    label: str
    """What people said: refuted where they told it apart from what is not mentioned."""


def read_claims(folder: Path, name: str) -> Iterator[LabelledClaim]:
    """Read one set; rows that people left undecided are left out.

    Partly supported counts as not supported, as in the sets' own binary labels.
    """
    for row in read_rows(folder / f"{name}.jsonl.gz"):
        evidence = (
            row["evidence"] if isinstance(row["evidence"], str) else " ".join(row["evidence"])
        )
        if row.get("binary", 0) is not None and evidence:
            page = Document(id="d1", text=evidence)
            label = row["label"]
            yield LabelledClaim(row["claim"], (page,), label == "supported", row["group"], label)

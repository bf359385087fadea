"""Claims that people labelled beside their evidence, in our form: for the verifier and its bench.

Gold: `claim`; `label`, which is `supported`, `partially_supported`, `not_supported`, `refuted` or
`nei` (not mentioned). The draft is the claim; a bare answer stands with its question.
"""

from collections.abc import Iterator
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.items import Item
from errata.tools.text.questions import answer_in_full

TESTS = (
    "fact-verification/fever_symmetric_test",
    "fact-verification/healthver_test",
    "fact-verification/qags",
    "fact-verification/begin_test_wow",
    "fact-verification/factcheckgpt_stance",
    "extra/claim-evidence/fever_test",
    "extra/claim-evidence/fm2_test",
    "extra/claim-evidence/scifact_dev",
    "extra/claim-evidence/infotabs_test_alpha1",
    "extra/claim-evidence/scitab",
    "extra/citation/citint_test",
    "extra/citation/attrbench_hagrid",
    "extra/citation/attrbench_stanford_gensearch",
    "extra/citation/attrbench_attributedqa",
    "extra/claim-evidence/summedits",
    "wice/claims_test",
)
"""Nothing is trained on these files."""


def title_of(row: Row) -> str:
    """The title of a row's evidence; empty if it has none or several."""
    titles = row.get("titles") or [row.get("title") or ""]
    return str(titles[0]) if len(set(titles)) == 1 else ""


def read_claims(folder: Path, name: str) -> Iterator[Item]:
    """The claims of a set that have evidence, and on whose label people could decide.

    Partly supported counts as not supported, as in the sets' own binary labels.
    """
    for row in read_rows(folder / f"{name}.jsonl.gz"):
        found, claim, asked = row["evidence"], row["claim"], row.get("question") or ""
        evidence = found if isinstance(found, str) else " ".join(found)
        if evidence and row.get("binary", 0) is not None:
            yield Item(
                id=row["id"],
                question=asked or row.get("message") or "",
                draft=answer_in_full(asked, claim) or claim,
                documents=(Document(id="d1", text=evidence, title=title_of(row)),),
                gold={"claim": claim, "label": row["label"]},
                group=row.get("group") or f"claim:{claim.lower()}",
            )

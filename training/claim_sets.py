"""Pairs from the sets of claims that people labelled and that may be trained on."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from errata.evals.datasets.claim_sets import title_of
from errata.evals.datasets.rows import read_rows
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, UNSUPPORTED, Labels, Pair
from errata.training.passages import draw_excerpt, index_texts

MEANING: dict[str, Labels] = {
    "supported": SUPPORTED,
    "refuted": REFUTED,
    "nei": NOT_MENTIONED,
    "not_supported": UNSUPPORTED,
    "partially_supported": UNSUPPORTED,
}
"""What the sets' labels mean; a row with another label is left out."""
CLAIM_SETS = (
    "extra/nli/mnli_dev",
    "extra/nli/med",
    "extra/nli/scitail_dev",
    "extra/multilingual/pawsx_en_dev",
    "extra/claim-evidence/fever_dev",
    "extra/claim-evidence/feverous_dev",
    "extra/claim-evidence/fm2_dev",
    "extra/claim-evidence/scifact_train",
    "extra/claim-evidence/faithdial_audit",
    "extra/claim-evidence/q2_wow",
    "extra/citation/citint_train",
    "extra/correction/defacto_train",
    "extra/synthetic/cg2c_doc",
    "fact-verification/fever_symmetric_dev",
    "fact-verification/begin_dev_wow",
    "fact-verification/begin_dev_cmu",
    "fact-verification/begin_dev_tc",
    "wice/claims_dev",
    "wice/oracle_chunks_dev",
)
"""Train files, never a half of a test file."""
TITLE_SHARE = 0.75
"""How often a pair's evidence has its title, where the set names one."""


def claim_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """The pairs of the sets: every labelled claim, corrected ones, and ones beside their page.

    A claim that people corrected is supported, and other sentences of its page do not mention it.
    """
    for name in CLAIM_SETS:
        for row in read_rows(data / f"{name}.jsonl.gz"):
            evidence, corrected = row["evidence"], row.get("corrected")
            if row["label"] not in MEANING or not evidence:
                continue
            own = evidence if isinstance(evidence, str) else " ".join(evidence)
            shown = [(row["claim"], own, MEANING[row["label"]])]
            if corrected and corrected != row["claim"]:
                shown.append((corrected, own, SUPPORTED))
            if row.get("retrieved"):
                shown.append((row["claim"], " ".join(row["retrieved"]), NOT_MENTIONED))
            for claim, text, labels in shown:
                title = title_of(row) if random.random() < TITLE_SHARE else ""
                excerpt = draw_excerpt(claim, index_texts([text], title), random)
                source = name.rpartition("/")[2]
                yield Pair(row["group"], source, claim, excerpt, labels, bundle=row["id"])

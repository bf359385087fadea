"""WiCE: sentences of Wikipedia as claims, beside the web page that they cite.

The question is the article's title, as RE-EX asks (table 1). Gold: `claim`; `label`, which is
`supported`, `partially_supported` or `not_supported`.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_list
from errata.evals.datasets.sources import SHARED, Source, read_any
from errata.evals.items import Dataset, Item


def _item(title: str, claim: str, label: str, page: Sequence[str], **others: Any) -> Item:
    documents = (Document(id="d1", text="\n".join(page), title=title),) if page else ()
    gold = {"claim": claim, "label": label}
    group = f"wice:{title.lower()}"
    return Item(question=title, draft=claim, documents=documents, gold=gold, group=group, **others)


def _ours(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        _item(row["title"], row["claim"], row["label"], row["evidence"], id=row["id"])
        for row in rows
    ]


def _authors(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        _item(
            row["meta"]["claim_title"],
            row["claim"],
            row["label"],
            row["evidence"],
            id=row["meta"]["id"],
        )
        for row in rows
    ]


def _reex(rows: Sequence[Row], _: Path) -> list[Item]:
    """RE-EX's rows have no page, and tell only what is supported in full from the rest."""
    return [
        _item(
            row["input"],
            " ".join(row["initial_response"]),
            "supported" if row["label"] else "not_supported",
            (),
            id=f"wice:{row['id']}",
        )
        for row in rows
    ]


SOURCES = (
    Source(
        path="wice/claims_test.jsonl.gz",
        rows=185,
        where=SHARED,
        fields=("id", "title", "claim", "label", "evidence"),
        items=_ours,
    ),
    Source(
        path="data/entailment_retrieval/claim/test.jsonl",
        rows=358,
        where="ryokamoi/wice publishes it",
        fields=("claim", "label", "evidence", "meta"),
        items=_authors,
    ),
    Source(
        path="data/wice.json",
        rows=358,
        where="juyeonnn/ReEx publishes it",
        fields=("id", "input", "label", "initial_response"),
        items=_reex,
        read=read_list,
    ),
)
DATASET = Dataset(
    name="wice",
    description="WiCE's test claims (Kamoi et al., 2023) with cited pages; ODC-BY, CC BY-SA",
    read=partial(read_any, "wice", SOURCES),
    scorers=("detection", "claims", "cost"),
)

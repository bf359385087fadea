"""FactPrompt: ChatGPT's answers to questions, labelled fact by fact.

FacTool's authors wrote it; RE-EX corrects it (table 1). Gold: `facts`, of which each has `text` and
`label` (whether it is true); `label`, whether the whole answer is. Web: the snippets that a search
found for the facts, where the file has them.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from errata.core.records import Document
from errata.evals.datasets.factscore_files import reex_facts
from errata.evals.datasets.rows import Row, read_list
from errata.evals.datasets.sources import SHARED, Source, read_any
from errata.evals.items import Dataset, Item


def _ours(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        Item(
            id=row["id"],
            question=row["prompt"],
            draft=row["response"],
            web=_snippets(row),
            gold={
                "facts": [{"text": fact["text"], "label": fact["label"]} for fact in row["facts"]],
                "label": row["response_label"],
            },
            group=row["group"],
        )
        for row in rows
    ]


def _snippets(row: Row) -> tuple[Document, ...]:
    texts = dict.fromkeys(text for fact in row["facts"] for text in fact["snippets"])
    return tuple(Document(text=text) for text in texts)


def _reex(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        Item(
            id=f"factprompt:{row['id']}",
            question=row["input"],
            draft=" ".join(row["initial_response"]),
            gold={"facts": reex_facts(row), "label": row["label"]},
            group=f"prompt:{row['input'].lower()}",
        )
        for row in rows
    ]


def _factool(rows: Sequence[Row], _: Path) -> list[Item]:
    return [
        Item(
            id=f"factprompt:{place}",
            question=row["prompt"],
            draft=row["response"],
            gold={
                "facts": [
                    {"text": claim["claim"], "label": claim["label"]} for claim in row["claims"]
                ],
                "label": row["label"],
            },
            group=f"prompt:{row['prompt'].lower()}",
        )
        for place, row in enumerate(rows)
    ]


SOURCES = (
    Source(
        path="factprompt/factprompt.jsonl.gz",
        rows=24,
        where=SHARED,
        fields=("id", "group", "prompt", "response", "response_label", "facts"),
        items=_ours,
    ),
    Source(
        path="datasets/knowledge_qa/knowledge_qa.jsonl",
        rows=50,
        where="GAIR-NLP/factool publishes it",
        fields=("prompt", "response", "claims", "label"),
        items=_factool,
    ),
    Source(
        path="data/factprompt.json",
        rows=50,
        where="juyeonnn/ReEx publishes it",
        fields=("id", "input", "label", "annotation", "initial_response"),
        items=_reex,
        read=read_list,
    ),
)
DATASET = Dataset(
    name="factprompt",
    description="FactPrompt (Chern et al., 2023): 50 answers of ChatGPT; Apache-2.0",
    read=partial(read_any, "factprompt", SOURCES),
    scorers=("detection", "facts", "claims", "overcorrection", "cost"),
)

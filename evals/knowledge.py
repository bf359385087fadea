"""Whether the knowledge that CRAG hands to the generator holds an accepted answer.

python -m errata.evals.knowledge DATA/popqa
"""

import asyncio
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from errata.api import aanswer
from errata.evals.datasets import Row, read_rows
from errata.records import Answer
from errata.tools.retrieval.index import build

_ODD = re.compile(r"[^a-z0-9]+")
WAYS: dict[str, dict[str, Any]] = {
    "retrieved, as it stands": {"actions": ("correct",), "refinement": False},
    "refined": {"actions": ("correct",)},
    "web": {"actions": ("incorrect",)},
    "both": {"actions": ("ambiguous",)},
    "CRAG": {},
}


def plain(text: str) -> str:
    """Reduce a text to its lower-case words, so that spelling counts and punctuation does not."""
    return f" {_ODD.sub(' ', text.lower()).strip()} "


def answered(answer: Answer, accepted: Sequence[str]) -> bool:
    """Tell whether the knowledge holds an accepted answer."""
    text = plain(" ".join(strip.text for strip in answer.knowledge))
    return any(plain(wanted) in text for wanted in accepted)


def corpus(questions: Sequence[Row], name: str, folder: Path) -> str:
    """Index the prepared knowledge of one kind, a text for each question."""
    texts = folder / f"{name}.jsonl"
    lines = [
        json.dumps({"id": row["id"], "text": row[name].replace("#", "").strip()})
        for row in questions
        if row[name].strip("# \n")
    ]
    texts.write_text("\n".join(lines) + "\n", encoding="utf-8")
    build([texts], folder / name)
    return str(folder / name)


async def measured(
    questions: Sequence[Row], retrieved: str, web: str, settings: dict[str, Any]
) -> dict[str, Any]:
    """Answer every question one way; count what was done and how often an answer was there."""
    actions: dict[str, int] = {}
    hits = 0
    for row in questions:
        search = f"corpus:{web}"
        found = await aanswer(row["question"], corpus=retrieved, search=search, **settings)
        actions[found.action] = actions.get(found.action, 0) + 1
        hits += answered(found, row["possible_answers"])
    return {"holds an answer": round(hits / len(questions), 3), "actions": actions}


async def main(data: str) -> None:
    """Report each way on standard output."""
    questions = list(read_rows(Path(data) / "longtail_test.jsonl.gz"))
    with TemporaryDirectory() as folder:
        retrieved = corpus(questions, "ref_correct", Path(folder))
        web = corpus(questions, "ref_incorrect", Path(folder))
        for name, settings in WAYS.items():
            figures = await measured(questions, retrieved, web, settings)
            sys.stdout.write(json.dumps({name: figures}) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

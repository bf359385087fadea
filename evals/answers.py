"""How often plain RAG, CRAG and local code answer right, on seeded samples of four question sets.

python -m errata.evals.answers DATA [--model openai:NAME] [--sample development|report]
    [--sets popqa,longtail,arc,pubhealth] [--count 20] [--systems plain,crag,local] [--task]
    [--settings JSON] [--log FILE]

The two samples of a set share no question. The web is an index of the pages that the authors'
searches found for all questions of a set. `--task` answers in the form of the set's task; settings
such as {"record": "DIR"} and {"replay": "DIR"} go to the systems with a model.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from errata.api import aanswer
from errata.core.jsonable import to_json
from errata.core.records import Answer
from errata.evals.datasets import dataset_named
from errata.evals.items import Item
from errata.evals.question_sets import SETS, draw, index_web, is_right

PLAIN = {"actions": ("correct",), "refinement": False}


async def answer_all(items: Sequence[Item], settings: dict[str, Any]) -> list[Answer]:
    """Answer all questions at once."""
    runs = (aanswer(item.question, documents=item.documents, **settings) for item in items)
    return await asyncio.gather(*runs)


def count_right(items: Sequence[Item], answers: Sequence[Answer]) -> dict[str, Any]:
    """How many answers are right, and what they took."""
    pairs = zip(items, answers, strict=True)
    return {
        "right": sum(is_right(item, answer.response) for item, answer in pairs),
        "of": len(items),
        "actions": dict(Counter(answer.action for answer in answers)),
        "tokens": sum(a.usage.prompt_tokens + a.usage.completion_tokens for a in answers),
    }


def write_log(log: Path, items: Sequence[Item], answers: Sequence[Answer]) -> None:
    """Add a line for each answer."""
    with log.open("a", encoding="utf-8") as lines:
        for item, answer in zip(items, answers, strict=True):
            row = {"id": item.id, "right": is_right(item, answer.response), **to_json(answer)}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


async def main(options: argparse.Namespace) -> None:
    """Print a row for each set and system."""
    model = {"roles": {"generate": options.model}, **json.loads(options.settings)}
    for name in options.sets.split(","):
        dataset, task = SETS[name]
        known = dataset_named(dataset).read(options.data)
        items = draw(known, options.sample, options.count)
        with TemporaryDirectory() as folder:
            web_index = index_web(known, Path(folder))
            shared = {"task": task if options.task else "", "max_seconds": 3500.0}
            systems = {
                "plain": {**model, **PLAIN},
                "crag": {**model, "search": web_index},
                "local": {"search": web_index},
            }
            for system in options.systems.split(","):
                answers = await answer_all(items, shared | systems[system])
                figures = {"set": name, "system": system} | count_right(items, answers)
                sys.stdout.write(json.dumps(figures) + "\n")
                sys.stdout.flush()
                if options.log:
                    write_log(options.log, items, answers)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="local")
    parser.add_argument("--sample", choices=("development", "report"), default="development")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--systems", default="plain,crag,local")
    parser.add_argument("--task", action="store_true")
    parser.add_argument("--settings", default="{}")
    parser.add_argument("--log", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(_parse()))

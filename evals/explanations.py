"""What RE-EX makes of FactPrompt's responses with search and a model (its tables 1 and 2).

python -m errata.evals.explanations DATA --model openai:gpt-4o-mini [--record DIR] [--replay DIR]

Each response is corrected with a search engine that knows the snippets that were found for its
facts. A second prompt has the model say which facts a changed response still states, and whether
it reads as a whole; it sees no labels. `--set NAME=VALUE` sets any setting of the method.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.language_models import BaseChatModel

from errata.api import acorrect
from errata.core.records import Correction
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.fact_judge import Judgement, judge_facts, open_judge
from errata.evals.metrics.estimate import BALANCED, confusion, value_of
from errata.nodes.settings import read_assignments
from errata.tools.models.pool import close_loop_models

SETTINGS: dict[str, Any] = {"timeout": 3000.0, "max_seconds": 3500.0, "retries": 0, "at_once": 64}
"""Patient with a slow model; none of it changes what is asked."""
RESULTS = 10
"""What the search engine returns for a query, at most."""


@dataclass(frozen=True)
class Outcome:
    """What became of one labelled response."""

    row: Row
    correction: Correction
    judgement: Judgement

    @property
    def development(self) -> bool:
        """Whether it is in the half that may be looked at."""
        return sha256(self.row["id"].encode()).digest()[0] % 2 == 0


def write_snippets(row: Row, folder: Path) -> str:
    """A search engine for one response: a folder of its snippets; the engine's name."""
    snippets = dict.fromkeys(text for fact in row["facts"] for text in fact["snippets"])
    pages = folder / str(row["reex_id"]) / "snippets.jsonl"
    pages.parent.mkdir()
    lines = [json.dumps({"id": f"s{n}", "text": t}) for n, t in enumerate(snippets, start=1)]
    pages.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"corpus:{pages.parent}"


async def correct_response(
    row: Row, folder: Path, judge: BaseChatModel, settings: dict[str, Any]
) -> Outcome:
    """Correct one response and judge what it states then; unchanged, it states what it did."""
    search = write_snippets(row, folder)
    correction = await acorrect(row["prompt"], row["response"], "reex", search=search, **settings)
    facts = [fact["text"] for fact in row["facts"]]
    if not correction.changed:
        return Outcome(row, correction, Judgement(stated=(True,) * len(facts), readable=True))
    record = settings.get("record", "")
    judgement = await judge_facts(judge, correction.response, facts, record)
    return Outcome(row, correction, judgement)


def count(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of some outcomes; a fact that the judge left out counts as not stated."""
    facts = [
        (fact["label"], bool(stated))
        for o in outcomes
        for fact, stated in zip(o.row["facts"], o.judgement.stated, strict=True)
    ]
    usage = [o.correction.usage for o in outcomes]
    answers = [answer for o in outcomes for answer in o.correction.trail["answers"]]
    false = [not o.row["response_label"] for o in outcomes]
    called_false = [o.correction.label == "refuted" for o in outcomes]
    return {
        "responses": len(outcomes),
        "balanced accuracy": balance(false, called_false),
        "false facts": [facts.count((False, False)), sum(not label for label, _ in facts)],
        "true facts": [facts.count((True, True)), sum(label for label, _ in facts)],
        "changed": sum(o.correction.changed for o in outcomes),
        "broken": sum(o.judgement.readable is False for o in outcomes),
        "calls": sum(u.model_calls for u in usage),
        "tokens": sum(u.prompt_tokens + u.completion_tokens for u in usage),
        "searches": sum(u.searches for u in usage),
        "sub-questions": len(answers),
        "without evidence": sum(not answer["evidence"] for answer in answers),
    }


def balance(truth: Sequence[bool], called: Sequence[bool]) -> float | None:
    """The mean share of each class that is called what it is; None without both classes.

    >>> balance([True, True, False], [True, False, False])
    0.75
    """
    value = value_of(BALANCED, confusion(list(zip(truth, called, strict=True))))
    return None if isnan(value) else round(value, 3)


async def measure(data: Path, settings: dict[str, Any]) -> list[Outcome]:
    """Correct all responses at once."""
    rows = list(read_rows(data / "factprompt" / "factprompt.jsonl.gz"))
    judge = open_judge(settings.get("model", ""), settings.get("replay", ""))
    with TemporaryDirectory() as name:
        tasks = (correct_response(row, Path(name), judge, settings) for row in rows)
        outcomes = await asyncio.gather(*tasks)
    await close_loop_models()
    return outcomes


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures of the half to look at, of the other half, and of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    for name in ("--model", "--record", "--replay"):
        parser.add_argument(name, default="")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args(arguments)
    models = {name: getattr(given, name) for name in ("model", "record", "replay")}
    own = {name: value for name, value in models.items() if value}
    settings = SETTINGS | {"top_k": RESULTS} | own | read_assignments(given.set)
    outcomes = asyncio.run(measure(given.data, settings))
    halves = {
        "development": [o for o in outcomes if o.development],
        "test": [o for o in outcomes if not o.development],
        "all": outcomes,
    }
    for half, some in halves.items():
        sys.stdout.write(json.dumps({half: count(some)}) + "\n")


if __name__ == "__main__":
    main()

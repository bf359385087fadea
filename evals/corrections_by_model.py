"""What a correction of biographies by a model comes to: false facts gone, true ones kept.

python -m errata.evals.corrections_by_model DATA --model openai:NAME [--record DIR | --replay DIR]
    [--half dev|test] [--drafts 16] [--way model|cascade ...] [--unsupported flag|drop ...]

Extraction is local, the other roles are the model's. The evidence is the person's Wikipedia
article. Whether a changed draft still states a fact is judged by the same model, which sees the
facts without their labels.
"""

import argparse
import asyncio
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.api import acorrect
from errata.core.errors import ErrataError
from errata.core.records import Correction
from errata.evals.corrections import Effect
from errata.evals.datasets.biographies import Biography, read_biographies
from errata.evals.fact_judge import Judgement, judge_facts, open_judge
from errata.evals.metrics.claims import believes
from errata.evals.metrics.estimate import BALANCED, confusion, value_of

WAYS = {"model": "{model}", "cascade": "local>{model}"}
LENGTH = 16_000
"""Characters of an article; people with a longer one are left out of the sample."""


@dataclass(frozen=True)
class Outcome:
    """One draft, its correction, and what the judge says of the response."""

    biography: Biography
    correction: Correction
    judgement: Judgement


def choose(biographies: Sequence[Biography], half: str, count: int) -> list[Biography]:
    """The first people by name of one half; the halves are fixed by a hash of the name."""
    odd = half == "test"
    own = [b for b in biographies if _hash(b.entity) % 2 == odd and _length(b) <= LENGTH]
    return sorted(own, key=lambda b: b.entity)[:count]


def _hash(entity: str) -> int:
    return int(hashlib.sha256(entity.encode()).hexdigest(), 16)


def _length(biography: Biography) -> int:
    return sum(len(document.text) for document in biography.gold)


async def correct_one(biography: Biography, args: Any, way: str, unsupported: str) -> Outcome:
    """Correct one draft, and have a changed one judged."""
    verify = WAYS[way].format(model=args.model)
    correction = await acorrect(
        biography.question,
        biography.draft,
        documents=biography.gold,
        model=args.model,
        roles={"extract": "local", "verify": verify},
        unsupported=unsupported,
        record=args.record,
        replay=args.replay,
        timeout=3600,
        max_seconds=3600,
        retries=0,
    )
    facts = [fact for fact, _ in biography.facts]
    if not correction.changed:
        return Outcome(biography, correction, Judgement((True,) * len(facts), None))
    judge = open_judge(args.model, args.replay)
    judgement = await judge_facts(judge, correction.response, facts, args.record)
    return Outcome(biography, correction, judgement)


def count(outcomes: Sequence[Outcome]) -> Effect:
    """Facts of each label, and those of them that are gone or kept; unjudged ones count as kept."""
    stated = [
        (label, answer is not False)
        for outcome in outcomes
        for (_, label), answer in zip(
            outcome.biography.facts, outcome.judgement.stated, strict=True
        )
    ]
    return Effect(
        false=sum(not label for label, _ in stated),
        false_gone=sum(not label and not kept for label, kept in stated),
        true=sum(label for label, _ in stated),
        true_kept=sum(label and kept for label, kept in stated),
    )


def balanced_accuracy(outcomes: Sequence[Outcome]) -> float:
    """The mean of the shares of true facts let stand and of false facts not let stand."""
    pairs = [
        (label, believes(fact, outcome.correction) is True)
        for outcome in outcomes
        for fact, label in outcome.biography.facts
    ]
    return value_of(BALANCED, confusion(pairs))


def row(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The figures of one way of correcting."""
    effect, usage = count(outcomes), [outcome.correction.usage for outcome in outcomes]
    changed = [outcome for outcome in outcomes if outcome.correction.changed]
    return {
        "drafts": len(outcomes),
        "changed": len(changed),
        "false": effect.false,
        "gone": round(effect.correction_accuracy, 3),
        "true": effect.true,
        "revision": round(effect.revision_accuracy, 3),
        "kept": round(effect.true_facts_kept, 3),
        "unreadable": sum(outcome.judgement.readable is False for outcome in changed),
        "verdicts": round(balanced_accuracy(outcomes), 3),
        "calls": round(sum(u.model_calls for u in usage) / len(usage), 1),
        "tokens": round(sum(u.prompt_tokens + u.completion_tokens for u in usage) / len(usage)),
    }


async def main(args: argparse.Namespace) -> None:
    """Print a row for each way of correcting; keep the corrections if a folder is named."""
    people = list(read_biographies(args.data / "factscore-bio", "chatgpt"))
    sample = choose(people, args.half, args.drafts)
    ways = [(way, unsupported) for way in args.way for unsupported in args.unsupported]
    for way, unsupported in ways:
        runs = (correct_one(biography, args, way, unsupported) for biography in sample)
        done = await asyncio.gather(*runs, return_exceptions=True)
        for fault in (each for each in done if isinstance(each, BaseException)):
            if not isinstance(fault, ErrataError):
                raise fault
            sys.stderr.write(f"{fault}\n")
        outcomes = [each for each in done if isinstance(each, Outcome)]
        figures = {"half": args.half, "way": way, "unsupported": unsupported, **row(outcomes)}
        sys.stdout.write(json.dumps(figures) + "\n")


def arguments() -> argparse.Namespace:
    """The command line's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="openai:gpt-4o-mini")
    parser.add_argument("--record", default="")
    parser.add_argument("--replay", default="")
    parser.add_argument("--half", choices=["dev", "test"], default="test")
    parser.add_argument("--drafts", type=int, default=16)
    parser.add_argument("--way", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--unsupported", nargs="+", default=["flag", "drop"])
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main(arguments()))

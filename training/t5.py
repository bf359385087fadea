"""Fine-tune a T5 as CRAG's retrieval evaluator, by the paper's recipe (section 4.2, appendix B.3).

python -m errata.training.t5 BASE ROWS.jsonl[.gz] TARGET [--epochs 3] [--rate 3e-5] [--batch 8]

BASE is a folder or an id on the Hugging Face hub, such as t5-large. A row has a `question`; what
was retrieved for it, as `passages`, or `searches` with `docs`, each with `title` and `text`; and
the title of its subject's page, `subj_wiki_title` or `entity`. A passage under that title is
labelled 1; of the others as many are drawn at random and labelled -1. The evaluator is then
`t5:TARGET`. The paper states no rate, epochs and batch size: the defaults are ours. Needs
`errata[train-neural]`.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from errata.core.errors import InputError
from errata.evals.datasets.relevance import passages_of, subject_of
from errata.tools.judges.evaluator import T5, T5Evaluator
from errata.training.pairs import draw_number

POSITIVE, NEGATIVE = 1.0, -1.0
MAX_TOKENS = 512
VALIDATION = 10
"""One question in so many is left out, and measured on."""


class Labelled(NamedTuple):
    """A question with a retrieved text, and 1 if its title is the question's subject, else -1."""

    question: str
    text: str
    label: float


def read_labelled(path: Path, seed: int = 0) -> list[Labelled]:
    """All passages of the subjects' pages, and as many others, drawn at random.

    Raises InputError naming the first line that is no such row.
    """
    pairs = list[Labelled]()
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                pairs += _label(json.loads(line)) if line.strip() else []
            except (ValueError, KeyError, TypeError) as error:
                message = f"{path}, line {number}: no row to train on: {error!r}"
                raise InputError(message) from error
    positive = [pair for pair in pairs if pair.label == POSITIVE]
    negative = [pair for pair in pairs if pair.label == NEGATIVE]
    if not positive or not negative:
        raise InputError(f"{path} has {len(positive)} passages on subjects, {len(negative)} others")
    drawn = Random(seed).sample(negative, min(len(positive), len(negative)))
    return sorted([*positive, *drawn])


def _label(row: Any) -> list[Labelled]:
    """The labelled passages of one row, each text once."""
    texts = {f"{p['title']} {p['text']}": str(p["title"]).lower() for p in passages_of(row)}
    return [
        Labelled(str(row["question"]), text, POSITIVE if title == subject_of(row) else NEGATIVE)
        for text, title in texts.items()
    ]


def train(
    base: str, pairs: Sequence[Labelled], target: Path, options: argparse.Namespace
) -> list[float]:
    """Fine-tune by the squared error, and save model and tokenizer; the mean loss of each epoch."""
    torch.manual_seed(options.seed)
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(
        base, num_labels=1, problem_type="regression"
    ).to("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate)
    losses, order, chance = list[float](), list(pairs), Random(options.seed)
    for epoch in range(1, options.epochs + 1):
        chance.shuffle(order)
        model.train()
        total = 0.0
        for start in range(0, len(order), options.batch):
            batch = order[start : start + options.batch]
            tokens = tokenizer(
                [T5.premise.format(claim=pair.question, document=pair.text) for pair in batch],
                padding=True,
                truncation=True,
                max_length=MAX_TOKENS,
                return_tensors="pt",
            )
            labels = torch.tensor([pair.label for pair in batch])
            loss = model(**tokens.to(model.device), labels=labels.to(model.device)).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total += float(loss.detach()) * len(batch)
        losses.append(total / len(order))
        sys.stderr.write(f"epoch {epoch}: loss {losses[-1]:.4f}\n")
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    return losses


def measure(scores: Sequence[float], pairs: Sequence[Labelled]) -> float:
    """The share of pairs whose score has the label's sign."""
    right = [(score > 0) == (pair.label > 0) for score, pair in zip(scores, pairs, strict=True)]
    return sum(right) / len(right) if right else 0.0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base")
    parser.add_argument("rows", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def main(*arguments: str) -> None:
    """Train, and print the accuracy on the questions that were left out."""
    options = parse(arguments)
    pairs = read_labelled(options.rows, options.seed)
    sides: tuple[list[Labelled], list[Labelled]] = ([], [])
    for pair in pairs:
        sides[draw_number(pair.question) % VALIDATION == 0].append(pair)
    learned, held = sides
    train(options.base, learned, options.target, options)
    evaluator = T5Evaluator(str(options.target))
    scores = [evaluator.score(pair.question, [("", pair.text)])[0] for pair in held]
    figures = {"pairs": len(pairs), "left out": len(held), "accuracy": measure(scores, held)}
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

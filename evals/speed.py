"""Time the local judges beside an evaluator of the paper's size (CRAG: T5-large, 0.77B).

python -m errata.evals.speed DATA [PAIRS FOR T5]

The T5's weights are random: how long it takes does not depend on them. Needs errata[huggingface].
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

from errata.evals.datasets import Pair, squad_pairs
from errata.records import Claim, Document
from errata.tools.evaluator import local_evaluator
from errata.tools.verifier import verify
from errata.tools.words import tokens

T5_LARGE = {
    "d_model": 1024,
    "d_kv": 64,
    "d_ff": 4096,
    "num_layers": 24,
    "num_decoder_layers": 24,
    "num_heads": 16,
    "vocab_size": 32128,
    "decoder_start_token_id": 0,
}
LONGEST = 512
MANY = 1000
Judge = Callable[[Pair], object]


def evaluate(pair: Pair) -> object:
    """Score how relevant a text is to a question."""
    return local_evaluator().score(pair.question, [(pair.title, pair.text)])


def judge(pair: Pair) -> object:
    """Judge a claim by a text; a question stands in for a claim of its length."""
    claim = Claim(id="c1", text=pair.question, start=0, end=0)
    return verify("", [claim], [Document(id="d1", text=pair.text)])


def t5() -> tuple[Judge, float]:
    """Make an evaluator of the paper's size; give it and its billions of weights."""
    import torch
    from transformers import T5Config, T5ForSequenceClassification

    model: Any = T5ForSequenceClassification(T5Config(**T5_LARGE, num_labels=1)).eval()

    def score(pair: Pair) -> object:
        length = min(LONGEST, tokens(f"{pair.question} {pair.title} {pair.text}"))
        ids = torch.randint(2, T5_LARGE["vocab_size"], (1, length))
        ids[0, -1] = model.config.eos_token_id
        with torch.inference_mode():
            return model(input_ids=ids).logits

    return score, sum(weight.numel() for weight in model.parameters()) / 1e9


def rate(call: Judge, pairs: Sequence[Pair]) -> float:
    """Give pairs a second, one at a time, after one to warm up."""
    call(pairs[0])
    began = perf_counter()
    for pair in pairs:
        call(pair)
    return len(pairs) / (perf_counter() - began)


def main(data: str, count: str = "8") -> None:
    """Time all three in one run and print the ratios."""
    folder = Path(data) / "squad"
    pairs = list(squad_pairs(folder / "dev_questions.jsonl.gz", folder / "dev_paragraphs.jsonl.gz"))
    large, billions = t5()
    slow = rate(large, pairs[: int(count)])
    table = Table("judge", "pairs/s", "times T5's")
    for name, call in {"local evaluator": evaluate, "local verifier": judge}.items():
        fast = rate(call, pairs[:MANY])
        table.add_row(name, f"{fast:.0f}", f"{fast / slow:.0f}")
    table.add_row(f"T5 of {billions:.2f}B, random weights", f"{slow:.2f}", "1")
    Console().print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Speed of the local judges and of an evaluator of the paper's size (CRAG: T5-large, 0.77B).

The T5's weights are random, which does not change its speed. Needs errata[huggingface].
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.table import Table

from errata.core.records import Claim, Document
from errata.evals.benches import bench_parser
from errata.evals.datasets.relevance import RelevancePair, read_squad_pairs
from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.logistic import LEXICAL
from errata.tools.judges.verifier import verify
from errata.tools.text.words import count_tokens

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
MAX_TOKENS = 512
PAIRS = 960
BATCH = 32
START = """
import re, sys, time
began = time.perf_counter()
from errata.tools.judges.evaluator import load_local_evaluator
imported = time.perf_counter()
load_local_evaluator(sys.argv[1]).score("Who was Ada?", [("", "Ada wrote notes.")])
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
print(imported - began, time.perf_counter() - imported, peak)
"""
"""Prints seconds to import, seconds to the first score, and peak memory in KiB; on Linux."""
Judge = Callable[[Sequence[RelevancePair]], object]


def evaluate_one_by_one(weights: str) -> Judge:
    """A judge that scores each text for its own question."""
    evaluator = load_local_evaluator(weights)
    return lambda pairs: [evaluator.score(p.question, [(p.title, p.text)]) for p in pairs]


def evaluate_together(pairs: Sequence[RelevancePair]) -> object:
    """Score all texts for the first question at once, as a run scores retrieved documents."""
    return load_local_evaluator().score(pairs[0].question, [(p.title, p.text) for p in pairs])


def judge_claims(weights: str) -> Judge:
    """A judge that verifies the questions, as if they were claims, by the first text."""

    def judge(pairs: Sequence[RelevancePair]) -> object:
        claims = [Claim(id=f"c{i}", text=p.question, start=0, end=0) for i, p in enumerate(pairs)]
        return verify("", claims, [Document(id="d1", text=pairs[0].text)], weights)

    return judge


def read_pairs(pairs: Sequence[RelevancePair]) -> object:
    """Run the cross-encoder alone."""
    return load_cross_encoder().logits([(pair.question, pair.text) for pair in pairs])


def load_t5() -> tuple[Judge, float]:
    """An evaluator of the paper's size, and how many billion weights it has."""
    import torch
    from transformers import T5Config, T5ForSequenceClassification

    model: Any = T5ForSequenceClassification(T5Config(**T5_LARGE, num_labels=1)).eval()

    def score(pairs: Sequence[RelevancePair]) -> object:
        pair = pairs[0]
        length = min(MAX_TOKENS, count_tokens(f"{pair.question} {pair.title} {pair.text}"))
        ids = torch.randint(2, T5_LARGE["vocab_size"], (1, length))
        ids[0, -1] = model.config.eos_token_id
        with torch.inference_mode():
            return model(input_ids=ids).logits

    return score, sum(weight.numel() for weight in model.parameters()) / 1e9


def pairs_per_second(call: Judge, pairs: Sequence[RelevancePair], size: int) -> float:
    """Throughput with batches of `size`, after one batch to warm up."""
    call(pairs[:size])
    rest = [pairs[i : i + size] for i in range(size, len(pairs), size)]
    began = perf_counter()
    for batch in rest:
        call(batch)
    return sum(map(len, rest)) / (perf_counter() - began)


def measure_start(weights: str) -> list[str]:
    """Seconds to import, seconds to the first score, and peak MB, of a fresh process."""
    done = subprocess.run(  # noqa: S603  our own interpreter and code
        [sys.executable, "-c", START, weights], capture_output=True, text=True, check=True
    )
    imported, scored, peak = map(float, done.stdout.split())
    return [f"{imported:.2f}", f"{scored:.2f}", f"{peak / 1024:.0f}"]


def main(*arguments: str) -> None:
    """Print the throughput of all judges, and its ratio to the T5's."""
    parser = bench_parser(__doc__)
    parser.add_argument("--pairs", type=int, default=8, help="that the T5 reads")
    args = parser.parse_args(arguments)
    folder = args.data / "squad"
    files = (folder / "dev_questions.jsonl.gz", folder / "dev_paragraphs.jsonl.gz")
    pairs = list(read_squad_pairs(*files))[: 3 * PAIRS : 3]
    large, billions = load_t5()
    slow = pairs_per_second(large, pairs[: args.pairs + 1], 1)
    table = Table("judge", "pairs at once", "pairs/s", "times T5's")
    calls: list[tuple[str, Judge, int]] = [
        ("evaluator, lexical", evaluate_one_by_one(LEXICAL), 1),
        ("evaluator", evaluate_one_by_one(""), 1),
        ("evaluator", evaluate_together, BATCH),
        ("verifier, lexical", judge_claims(LEXICAL), 1),
        ("verifier", judge_claims(""), 1),
        ("verifier", judge_claims(""), BATCH),
        ("cross-encoder alone", read_pairs, 1),
        ("cross-encoder alone", read_pairs, BATCH),
    ]
    for place, (name, call, size) in enumerate(calls):
        fresh = pairs[place::2] if size == 1 else pairs
        load_cross_encoder.cache_clear()
        fast = pairs_per_second(call, fresh, size)
        table.add_row(name, str(size), f"{fast:.0f}", f"{fast / slow:.0f}")
    table.add_row(f"T5 of {billions:.2f}B, random weights", "1", f"{slow:.2f}", "1")
    starts = Table("evaluator", "s to import", "s to first score", "MB held")
    for weights in (LEXICAL, ""):
        starts.add_row(weights or "shipped", *measure_start(weights))
    Console().print(table, starts)

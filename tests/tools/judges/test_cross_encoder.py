"""The shipped cross-encoder: its logits, its cache, and the judges without it."""

from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from errata.core.records import Claim, Document
from errata.tools.judges.cross_encoder import (
    MAX_ANSWER,
    MAX_TOKENS,
    MODEL,
    Answer,
    CrossEncoder,
    encode_pair,
    find_answer,
    is_available,
    load_cross_encoder,
    vocabulary_of,
)
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.findings import read_verifier_weights
from errata.tools.judges.verifier import verify


def test_it_ships_with_the_package():
    assert is_available()


@pytest.fixture
def fresh():
    """A cross-encoder that remembers nothing."""
    model = Path(str(files("errata.tools.judges") / MODEL))
    return CrossEncoder(model, vocabulary_of(model))


def test_a_pairs_logits_do_not_depend_on_the_pairs_beside_it(fresh):
    pairs = [("Bees fly.", "Bees can fly."), ("Bees fly.", "Bees cannot fly."), ("x", "y " * 300)]
    alone = [load_cross_encoder().logits([pair])[0] for pair in pairs]
    assert fresh.logits([*pairs[::-1], ("", "")])[:3] == alone[::-1]


@pytest.mark.parametrize(
    ("name", "metres", "logits"),
    [
        ("cross_encoder.large.onnx", 330, (3.09, -0.95, -1.96, 2.51)),
        ("cross_encoder.large.onnx", 300, (-1.22, 2.82, -1.38, 0.80)),
        ("cross_encoder.onnx", 330, (2.43, -1.51, -2.72, 3.89)),
        ("cross_encoder.onnx", 300, (-1.25, 3.21, -2.37, 1.33)),
    ],
)
def test_int8_logits_are_the_same_on_every_processor(name, metres, logits):
    height = f"It stands on the Champ de Mars and is {metres} metres tall."
    pair = ("It is 330 metres tall.", f"{height} It was opened on 31 March 1889.")
    assert load_cross_encoder(name).logits([pair])[0] == pytest.approx(logits, abs=0.1)


def test_long_texts_are_cut():
    long = "word " * 10 * MAX_TOKENS
    assert load_cross_encoder().logits([("a claim", long)])[0] == pytest.approx(
        load_cross_encoder().logits([("a claim", long + "more")])[0], abs=1e-4
    )


def test_lexical_weights_need_no_cross_encoder():
    assert read_verifier_weights().neural
    assert not read_verifier_weights("lexical").neural
    assert load_local_evaluator().neural
    assert not load_local_evaluator("lexical").neural
    claim = Claim(id="c1", text="The Eiffel Tower was opened in 1889.", start=0, end=36)
    tower = Document(id="d1", text="The Eiffel Tower was opened on 31 March 1889.")
    [verdict] = verify("", [claim], [tower], "lexical")
    assert verdict.label == "supported"


WITHOUT_ONNXRUNTIME = """
import sys
sys.modules["onnxruntime"] = None
from errata.tools.judges.cross_encoder import is_available
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.findings import read_verifier_weights
print(is_available(), read_verifier_weights().neural, load_local_evaluator().neural)
"""


def test_without_its_packages_the_judges_are_lexical(run_python):
    assert run_python(WITHOUT_ONNXRUNTIME) == "False False False\n"


def test_importing_the_verifier_does_not_load_onnxruntime(run_python):
    code = "import sys, errata, errata.tools.judges.verifier; print('onnxruntime' in sys.modules)"
    assert run_python(code) == "False\n"


WITH_LONG_TEXTS = """
import resource
from errata.tools.judges.cross_encoder import load_cross_encoder
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
encoder = load_cross_encoder()
encoder.logits([("word " * 200, "word " * 200)])
before = peak()
encoder.logits([("9," * count, "9," * count) for count in (6_000, 20_000, 500_000)])
print(peak() - before < 100 * 1024)
"""


def test_memory_is_bounded_for_texts_of_one_character_tokens(run_python):
    assert run_python(WITH_LONG_TEXTS) == "True\n"


LENGTHS = (0, 1, 30, 93, 94, 95, 96, 97, 188, 189, 190, 194, 400)


def test_pairs_are_cut_as_the_tokenizer_would_cut_them():
    tokens = vocabulary_of(Path(str(files("errata.tools.judges") / MODEL))).read_bytes()
    tokenizer = Tokenizer.from_buffer(tokens)
    whole = Tokenizer.from_buffer(tokens)
    marks = whole.encode("", "").ids
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    for first, second in product(LENGTHS, LENGTHS):
        pair = ("9," * (first // 2) + "bee" * (first % 2), "é , " * (second // 2))
        expected = tokenizer.encode(*pair)
        texts = (whole.encode(text, add_special_tokens=False).ids for text in pair)
        assert encode_pair(marks, *texts) == (expected.ids, expected.type_ids)


START, END = 0, 1
OFFSETS = [(0, 3), (4, 8), (9, 12), (12, 13)]


def edges(tokens, marked=()):
    """Edges of zero but for some, each with its token, START or END, and value."""
    values = np.zeros((tokens, 2), np.float32)
    for token, edge, value in marked:
        values[token, edge] = value
    return values


@pytest.mark.parametrize(
    ("marked", "answer"),
    [
        ([(2, START, 3.0), (3, END, 2.0)], Answer(0, 8, 5.0)),
        ([(4, START, 3.0), (4, END, 2.0)], Answer(9, 12, 5.0)),
        ([(2, START, 3.0), (3, END, 2.0), (0, START, 4.0), (0, END, 4.0)], Answer(0, 8, -3.0)),
        ([(4, START, 3.0), (3, END, 2.0)], Answer(9, 12, 3.0)),
        ([(1, START, 9.0), (1, END, 9.0), (5, START, 1.0), (5, END, 1.0)], Answer(12, 13, 2.0)),
    ],
)
def test_the_likeliest_stretch_is_the_answer(marked, answer):
    assert find_answer(edges(7, marked), 2, OFFSETS) == answer


def test_an_answer_is_no_longer_than_allowed():
    offsets = [(place, place + 1) for place in range(40)]
    answer = find_answer(edges(43, [(2, START, 5.0), (40, END, 5.0), (9, END, 1.0)]), 2, offsets)
    assert answer.end - answer.start <= MAX_ANSWER


def test_an_empty_text_has_no_answer():
    assert find_answer(edges(3), 2, []) is None

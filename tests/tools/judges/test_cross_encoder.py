"""The shipped cross-encoder: its logits and answers, what it reads, and judges without it."""

from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from errata.core.records import Document
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
from errata.tools.judges.entailment import (
    evidence_text,
    excerpt_for,
    name_entity,
    read_entailment,
)
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.judges.findings import examine, read_verifier_weights
from errata.tools.judges.verifier import verify
from errata.tools.text.questions import question_entity
from example import claims_of, pages_of

SHIPPED = Path(str(files("errata.tools.judges") / MODEL))


def test_a_pairs_logits_do_not_depend_on_the_pairs_beside_it():
    fresh = CrossEncoder(SHIPPED, vocabulary_of(SHIPPED))
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


def test_lexical_weights_need_no_cross_encoder():
    assert is_available()
    for load in (read_verifier_weights, load_local_evaluator):
        assert (load().neural, load("lexical").neural) == (True, False)
    claims = claims_of("The Eiffel Tower was opened in 1889.")
    pages = pages_of("The Eiffel Tower was opened on 31 March 1889.")
    [verdict] = verify("", claims, pages, "lexical")
    assert verdict.label == "supported"


WITHOUT_ONNXRUNTIME = """
import sys, errata.tools.judges.verifier
print("onnxruntime" in sys.modules)
sys.modules["onnxruntime"] = None
from errata.tools.judges.cross_encoder import is_available
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.findings import read_verifier_weights
print(is_available(), read_verifier_weights().neural, load_local_evaluator().neural)
"""
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


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        pytest.param(WITHOUT_ONNXRUNTIME, "False\nFalse False False", id="lexical without it"),
        pytest.param(WITH_LONG_TEXTS, "True", id="memory is bounded for one-character tokens"),
    ],
)
def test_it_is_loaded_only_where_needed_and_in_bounded_memory(run_python, code, printed):
    assert run_python(code) == f"{printed}\n"


LENGTHS = (0, 1, 30, 93, 94, 95, 96, 97, 188, 189, 190, 194, 400)


def test_pairs_are_cut_as_the_tokenizer_would_cut_them():
    whole, tokenizer = (Tokenizer.from_file(str(vocabulary_of(SHIPPED))) for _ in range(2))
    marks = whole.encode("", "").ids
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    for first, second in product(LENGTHS, LENGTHS):
        pair = ("9," * (first // 2) + "bee" * (first % 2), "é , " * (second // 2))
        expected = tokenizer.encode(*pair)
        texts = (whole.encode(text, add_special_tokens=False).ids for text in pair)
        assert encode_pair(marks, *texts) == (expected.ids, expected.type_ids)


START, END = 0, 1
OFFSETS = [(0, 3), (4, 8), (9, 12), (12, 13)]


def answer_of(marked, offsets):
    """The answer where edges are zero but for some: each a token, START or END, and its value."""
    values = np.zeros((3 + len(offsets), 2), np.float32)
    for token, edge, value in marked:
        values[token, edge] = value
    return find_answer(values, 2, offsets)


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
    assert answer_of(marked, OFFSETS) == answer


def test_an_answer_is_no_longer_than_allowed_and_an_empty_text_has_none():
    offsets = [(place, place + 1) for place in range(40)]
    answer = answer_of([(2, START, 5.0), (40, END, 5.0), (9, END, 1.0)], offsets)
    assert answer.end - answer.start <= MAX_ANSWER
    assert answer_of([], []) is None


TOWER = (
    "The Eiffel Tower was designed by the company of Gustave Eiffel. "
    "It was opened on 31 March 1889. Bees are not kept there. It stands in Paris."
)
EVIDENCE = collect_evidence(frozenset(), pages_of(TOWER))


def read(*claims, evidence=EVIDENCE):
    readings = [read_claim(claim, "What is the Eiffel Tower?") for claim in claims]
    return read_entailment(readings, evidence, load_cross_encoder())


@pytest.mark.parametrize(
    ("true", "false", "against"),
    [
        ("It was opened on 31 March 1889.", "It was opened on 31 March 1911.", "31 March 1889"),
        ("The Eiffel Tower is in Paris.", "The Eiffel Tower is in London.", "in Paris"),
    ],
)
def test_true_claims_are_entailed_and_the_strip_that_contradicts_is_found(true, false, against):
    (borne_out,), (refuted,) = read(true), read(false)
    assert borne_out.features["entailed"] > refuted.features["entailed"]
    assert refuted.refuted > borne_out.refuted
    assert against in refuted.strip.text
    assert borne_out.strip is None
    assert read(true, false, true) == [borne_out, refuted, borne_out]


class Counting(CrossEncoder):
    """The shipped cross-encoder, and how many pairs it was asked for."""

    pairs = 0

    def read(self, pairs):
        self.pairs += len(pairs)
        return super().read(pairs)


@pytest.mark.parametrize(
    ("claim", "pairs"),
    [
        ("It was opened on 31 March 1911.", 1),  # a rule refutes it
        ("It was designed by the company of nobody in Berlin.", 4),
    ],
)
def test_single_strips_are_read_only_where_no_rule_decides(claim, pairs):
    encoder = Counting(SHIPPED, vocabulary_of(SHIPPED))
    examine([read_claim(claim, "What is the Eiffel Tower?")], EVIDENCE, encoder)
    assert encoder.pairs == pairs


def test_without_evidence_nothing_speaks_for_or_against_a_claim():
    [nothing] = read("It is in Paris.", evidence=Evidence([]))
    assert (nothing.refuted, nothing.strip) == (0, None)


@pytest.mark.parametrize(
    ("claim", "question", "text"),
    [
        ("She was born in Warsaw.", "Who was Marie Curie?", "Marie Curie was born in Warsaw."),
        ("His aim was high.", "Who was William James?", "William James's aim was high."),
        ("It fell.", "What is the Eiffel Tower?", "It fell."),
    ],
)
def test_a_personal_pronoun_is_replaced_by_the_questions_entity(claim, question, text):
    assert name_entity(claim, question_entity(question)) == text


def test_an_excerpt_has_the_best_strips_and_those_beside_them():
    strips = excerpt_for(Reading("The tower stands in Paris."), EVIDENCE, 12)
    assert [strip.text for strip in strips] == ["It stands in Paris.", "Bees are not kept there."]
    text = evidence_text(Reading("Paris is where Gustave Eiffel's tower stands."), EVIDENCE, 2)
    assert text.startswith("The Eiffel Tower was designed")
    assert text.endswith("It stands in Paris.")


OPENED = "It was opened in 1932."


@pytest.mark.parametrize(
    ("pages", "text"),
    [
        ([("Iron Bridge", OPENED)], f"Iron Bridge: {OPENED}"),
        ([("Iron Bridge", "The iron bridge opened.")], "The iron bridge opened."),
        ([("", OPENED)], OPENED),
        ([("Xanadu" * 50, "It opened.")], ("Xanadu" * 50)[:100] + ": It opened."),
        ([("Oslo", OPENED), ("Rome", "It opens.")], f"Oslo: {OPENED} Rome: It opens."),
        ([("", "")], ""),
    ],
)
def test_each_documents_title_stands_before_strips_that_lack_it(pages, text):
    documents = [Document(id=f"d{n}", title=a, text=b) for n, (a, b) in enumerate(pages)]
    known = collect_evidence(frozenset(), documents)
    assert evidence_text(Reading("It opened."), known, 3) == text

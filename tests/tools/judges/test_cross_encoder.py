"""The shipped cross-encoder: its logits, its cache, and the judges without it."""

import subprocess
import sys

import pytest

from errata.records import Claim, Document
from errata.tools.judges.cross_encoder import MAX_TOKENS, is_available, load_cross_encoder
from errata.tools.judges.entailment import (
    answer_odds,
    entailment_features,
    evidence_text,
    name_entity,
)
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.evidence import Evidence, Reading, read_claim
from errata.tools.judges.verifier import read_verifier_weights, verify
from errata.tools.text.questions import question_entity
from errata.tools.text.strips import split_strips

TOWER = Document(
    id="d1",
    text="The Eiffel Tower was designed by the company of Gustave Eiffel. "
    "It was opened on 31 March 1889. Bees are not kept there. It stands in Paris.",
)


def evidence(document=TOWER):
    return Evidence(split_strips(document))


def odds(claim):
    return entailment_features(
        [read_claim(claim, "What is the Eiffel Tower?")], evidence(), load_cross_encoder()
    )[0]


def test_it_ships_with_the_package():
    assert is_available()


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("The Eiffel Tower opened in 1889.", "The Eiffel Tower opened in 1911."),
        ("The Eiffel Tower is in Paris.", "The Eiffel Tower is in London."),
    ],
)
def test_true_claims_are_entailed(true, false):
    assert odds(true)["entailed"] > odds(false)["entailed"]
    assert odds(false)["contradicted"] > odds("Bees were sold to Gustave Flaubert.")["contradicted"]


def test_an_answer_has_higher_odds():
    question = "When was the Eiffel Tower opened?"
    texts = [("Eiffel Tower", TOWER.text), ("Bees", "Bees make honey and fly far.")]
    tower, bees = answer_odds(question, texts, load_cross_encoder())
    assert tower > bees


def test_logits_do_not_depend_on_the_batch():
    pairs = [("Bees fly.", "Bees can fly."), ("x", "y " * 300), ("", "")]
    fresh = [load_cross_encoder().logits([pair])[0] for pair in pairs]
    again = load_cross_encoder().logits([*reversed(pairs), *pairs])
    assert again[3:] == fresh
    assert again[:3] == fresh[::-1]


def test_long_texts_are_cut():
    long = "word " * 10 * MAX_TOKENS
    assert load_cross_encoder().logits([("a claim", long)])[0] == pytest.approx(
        load_cross_encoder().logits([("a claim", long + "more")])[0], abs=1e-4
    )


@pytest.mark.parametrize(
    ("claim", "question", "text"),
    [
        ("She was born in Warsaw.", "Who was Marie Curie?", "Marie Curie was born in Warsaw."),
        ("Her aim was high.", "Tell me a bio of Ada Byron.", "Ada Byron's aim was high."),
        ("Sheep eat grass.", "Who was Marie Curie?", "Sheep eat grass."),
        ("She was born there.", "who was she?", "She was born there."),
        ("Theirs is small.", "Who are the Smiths?", "Theirs is small."),
        ("His aim was high.", "Who was William James?", "William James's aim was high."),
        ("It fell.", "What is the Eiffel Tower?", "It fell."),
        ("said that she left.", "Who was Marie Curie?", "said that she left."),
    ],
)
def test_a_pronoun_is_replaced_by_the_questions_entity(claim, question, text):
    assert name_entity(claim, question_entity(question)) == text


def test_strips_are_in_document_order():
    text = evidence_text(
        Reading("Paris is where the tower of Gustave Eiffel stands."), evidence(), 2
    )
    assert text.startswith("The Eiffel Tower was designed")
    assert text.endswith("It stands in Paris.")
    assert evidence_text(Reading("Quarks."), evidence(Document(text="")), 3) == ""


def test_lexical_weights_need_no_cross_encoder():
    assert read_verifier_weights().neural
    assert not read_verifier_weights("lexical").neural
    assert load_local_evaluator().weights.neural
    assert not load_local_evaluator("lexical").weights.neural
    claim = Claim(id="c1", text="The Eiffel Tower was opened in 1889.", start=0, end=36)
    assert verify("", [claim], [TOWER], "lexical")[0].label == "supported"


ALONE = """
import sys
sys.modules["onnxruntime"] = None
from errata.tools.judges.cross_encoder import is_available
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.verifier import read_verifier_weights
print(is_available(), read_verifier_weights().neural, load_local_evaluator().weights.neural)
"""


def test_without_its_packages_the_judges_are_lexical():
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["False", "False", "False"]


def test_importing_the_verifier_does_not_load_onnxruntime():
    code = "import sys, errata, errata.tools.judges.verifier; print('onnxruntime' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"

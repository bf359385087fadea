"""The shipped cross-encoder: what it reads, what it remembers, and how to do without it."""

import subprocess
import sys

import pytest

from errata.records import Claim, Document
from errata.tools.judges.cross_encoder import LONGEST, available, cross_encoder
from errata.tools.judges.entailment import (
    answer_odds,
    best_strips,
    entailment_features,
    question_entity,
    with_subject,
)
from errata.tools.judges.evaluator import local_evaluator
from errata.tools.judges.features import Evidence, Reading
from errata.tools.judges.logistic import read_weights
from errata.tools.judges.verifier import read_claim, verify
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
        [read_claim(claim, "What is the Eiffel Tower?")], evidence(), cross_encoder()
    )[0]


def test_it_ships_with_the_package():
    assert available()


@pytest.mark.parametrize(
    ("so", "not_so"),
    [
        ("The Eiffel Tower opened in 1889.", "The Eiffel Tower opened in 1911."),
        ("The Eiffel Tower is in Paris.", "The Eiffel Tower is in London."),
    ],
)
def test_it_tells_what_is_so(so, not_so):
    assert odds(so)["entailed"] > odds(not_so)["entailed"]
    assert (
        odds(not_so)["contradicted"] > odds("Bees were sold to Gustave Flaubert.")["contradicted"]
    )


def test_it_tells_what_answers():
    question = "When was the Eiffel Tower opened?"
    texts = [("Eiffel Tower", TOWER.text), ("Bees", "Bees make honey and fly far.")]
    there, elsewhere = answer_odds(question, texts, cross_encoder())
    assert there > elsewhere


def test_order_and_company_change_nothing_but_rounding():
    pairs = [("Bees fly.", "Bees can fly."), ("x", "y " * 300), ("", "")]
    fresh = [cross_encoder().logits([pair])[0] for pair in pairs]
    again = cross_encoder().logits([*reversed(pairs), *pairs])
    assert again[3:] == fresh
    assert again[:3] == fresh[::-1]


def test_long_texts_are_cut():
    long = "word " * 10 * LONGEST
    assert cross_encoder().logits([("a claim", long)])[0] == pytest.approx(
        cross_encoder().logits([("a claim", long + "more")])[0], abs=1e-4
    )


@pytest.mark.parametrize(
    ("claim", "question", "read"),
    [
        ("She was born in Warsaw.", "Who was Marie Curie?", "Marie Curie was born in Warsaw."),
        ("Her aim was high.", "Tell me a bio of Ada Byron.", "Ada Byron's aim was high."),
        ("Sheep eat grass.", "Who was Marie Curie?", "Sheep eat grass."),
        ("She was born there.", "who was she?", "She was born there."),
        ("Theirs is small.", "Who are the Smiths?", "Theirs is small."),
    ],
)
def test_a_pronoun_is_read_as_what_the_question_is_about(claim, question, read):
    assert with_subject(claim, question_entity(question)) == read


def test_strips_are_shown_in_their_order():
    text = best_strips(Reading("Paris is where the tower of Gustave Eiffel stands."), evidence(), 2)
    assert text.startswith("The Eiffel Tower was designed")
    assert text.endswith("It stands in Paris.")
    assert best_strips(Reading("Quarks."), evidence(Document(text="")), 3) == ""


def test_lexical_weights_need_no_network_of_neurons():
    assert read_weights().neural
    assert not read_weights("lexical").neural
    assert local_evaluator().weights.neural
    assert not local_evaluator("lexical").weights.neural
    claim = Claim(id="c1", text="The Eiffel Tower was opened in 1889.", start=0, end=36)
    assert verify("", [claim], [TOWER], "lexical")[0].label == "supported"


ALONE = """
import sys
sys.modules["onnxruntime"] = None
from errata.tools.judges.cross_encoder import available
from errata.tools.judges.evaluator import local_evaluator
from errata.tools.judges.logistic import read_weights
print(available(), read_weights().neural, local_evaluator().weights.neural)
"""


def test_without_its_packages_lexical_features_judge():
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["False", "False", "False"]


def test_nothing_is_loaded_before_something_is_judged():
    code = "import sys, errata, errata.tools.judges.verifier; print('onnxruntime' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"

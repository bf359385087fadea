"""What the cross-encoder says of claims and answers beside their evidence."""

import pytest

from errata.records import Document
from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.judges.entailment import (
    answer_odds,
    entailment_features,
    evidence_text,
    name_entity,
)
from errata.tools.judges.evidence import Evidence, Reading, read_claim
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
    readings = [read_claim(claim, "What is the Eiffel Tower?")]
    return entailment_features(readings, evidence(), load_cross_encoder())[0]


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


def test_the_best_strips_are_in_document_order():
    reading = Reading("Paris is where the tower of Gustave Eiffel stands.")
    text = evidence_text(reading, evidence(), 2)
    assert text.startswith("The Eiffel Tower was designed")
    assert text.endswith("It stands in Paris.")
    assert evidence_text(Reading("Quarks."), evidence(Document(text="")), 3) == ""

"""The local evaluator of relevance, on real questions."""

from dataclasses import replace

import pytest

from errata.evals.datasets.relevance import read_squad_pairs
from errata.tools.judges.evaluator import (
    Evaluator,
    Question,
    load_local_evaluator,
    relevance_features,
)

QUESTION = "When was the Eiffel Tower opened?"
TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


def test_relevant_texts_score_higher():
    local = load_local_evaluator()
    assert isinstance(local, Evaluator)
    tower, bees, nothing = local.score(QUESTION, [TOWER, BEES, ("", "")])
    assert tower > local.upper > local.lower > bees
    assert nothing == -1


def test_strips_and_passages_have_weights_of_their_own():
    before = load_local_evaluator("lexical")
    after = replace(before, strips=dict.fromkeys(before.strips, 0.0))
    passage = ("Eiffel Tower", TOWER[1] * 8)
    assert before.score(QUESTION, [TOWER])[0] > after.score(QUESTION, [TOWER])[0] == 0
    assert before.score(QUESTION, [passage]) == after.score(QUESTION, [passage])


@pytest.mark.slow
def test_the_right_paragraph_scores_above_its_neighbours(squad_folder):
    """SQuAD dev, own paragraph beside two of the same article; accuracy at score 0."""
    files = squad_folder / "dev_questions.jsonl.gz", squad_folder / "dev_paragraphs.jsonl.gz"
    pairs = list(read_squad_pairs(*files, others=0))[:450]
    local = load_local_evaluator()
    right = sum((local.score(p.question, [(p.title, p.text)])[0] > 0) == p.relevant for p in pairs)
    assert right / len(pairs) > 0.8


@pytest.mark.parametrize(
    ("question", "title", "text", "feature", "value"),
    [
        ("Who is Ada?", "Ada", "Ada wrote notes.", "names_title", 1),
        ("Who is Ada?", "", "Ada wrote notes.", "names", 1),
        ("When was Ada born?", "", "Ada was born in 1815.", "answer", 1),
        ("When was Ada born?", "", "Ada was born.", "answer", 0),
        ("Where did Ada die?", "", "Ada died.", "answer", 0),
        ("what is it", "", "Bees.", "named", 0),
        ("who wrote notes", "", "notes wrote", "cover", 1),
        ("Who was Ada?", "Ada (writer)", "Ada (born 1815) was a writer.", "introduces", 1),
        ("Who was Ada?", "Ada", "Later Ada moved to Bath.", "introduces", 0),
        ("Who was Ada?", "Bath", "Bath is a city where Ada lived.", "introduces", 0),
        ("what is a bee", "Bee", "A bee is an insect.", "introduces", 0),
    ],
)
def test_relevance_features(question, title, text, feature, value):
    assert relevance_features(Question(question, {}), title, text)[feature] == value

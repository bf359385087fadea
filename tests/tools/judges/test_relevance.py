"""The features of a text's relevance to a question."""

import pytest

from errata.tools.judges.evaluator import Question, relevance_features


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

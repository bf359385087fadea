"""What a question is about."""

import pytest

from errata.tools.text.questions import question_entity, topic_stems


@pytest.mark.parametrize(
    ("question", "entity", "stems"),
    [
        ("Who was Marie Curie?", "Marie Curie", {"mari", "curi"}),
        ("Was Rome in Italy?", "Italy", {"rome", "itali"}),
        ("who was she?", "", set()),
    ],
)
def test_what_a_question_is_about(question, entity, stems):
    assert question_entity(question) == entity
    assert topic_stems(question) == stems

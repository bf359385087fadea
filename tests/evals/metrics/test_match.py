"""Right and wrong answers to questions of each kind."""

import pytest

from errata.evals.items import Item
from errata.evals.metrics.match import is_right, mentions

ITEMS = {
    "popqa": Item(id="p", question="", gold={"answers": ["Ann Lee"]}),
    "arc": Item(
        id="a",
        question="",
        gold={"choice": "B", "text": "bees", "choices": {"A": "stones", "B": "bees"}},
    ),
    "pubhealth": Item(id="h", question="", gold={"label": False}),
}


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("popqa", "It was Ann  LEE.", "It was Anne Leeds."),
        ("popqa", "Ann Lee (the film)", "No answer found."),
        ("arc", "B", "A"),
        ("arc", "They are bees.", "They are stones."),
        ("pubhealth", "False.", "True."),
        ("pubhealth", "No, they hum.", "No answer found."),
    ],
)
def test_answers_are_told_right(name, right, wrong):
    assert is_right(ITEMS[name], right)
    assert not is_right(ITEMS[name], wrong)


@pytest.mark.parametrize(
    ("texts", "accepted", "holds"),
    [
        (["He lived in New-York.", "Tea."], ["new york"], True),
        (["He lived in Newark."], ["New York", "Newark, NJ"], False),
        (["A cart."], ["art"], False),
        ([], ["art"], False),
    ],
)
def test_a_text_holds_an_answer_by_whole_words(texts, accepted, holds):
    assert mentions(" ".join(texts), accepted) is holds

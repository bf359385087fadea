"""What RE-EX's steps read from a model's reply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.nodes.reex.explain import read_explanations, read_not_shown
from errata.nodes.reex.revise import read_both
from errata.nodes.replies import read_questions


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        ("Who was Ada?", ["Who was Ada?"]),
        ("Sub-Questions:\n\n1. Who was Ada?\n2) Was she born?", ["Who was Ada?", "Was she born?"]),
        ("Question 1: Who was Ada?\n- who was ada?", ["Who was Ada?"]),
        ("Here you are.\n* Was she born?\nThat is all.", ["Was she born?"]),
        ("Nothing to ask.", []),
    ],
)
def test_questions(reply, questions):
    assert read_questions(reply) == questions


@pytest.mark.parametrize(
    ("reply", "errors"),
    [
        ("None", []),
        ("None.", []),
        ("**None**", []),
        ("Factual Errors: None", []),
        ("There are no factual errors in the response.", []),
        ("No errors.", []),
        ("N/A", []),
        ("1. One is wrong.\n2) Two is wrong.", ["One is wrong.", "Two is wrong."]),
        ("Factual Errors:\n- One\n- Two", ["One", "Two"]),
        (
            "Error 1: One is wrong.\nIt is two.\nError 2: Three.",
            ["One is wrong. It is two.", "Three."],
        ),
        ("I found these.\n1. One is wrong.", ["One is wrong."]),
        ("One is wrong.", ["One is wrong."]),
        ("1. None", []),
        ("The draft contains no factual errors.", []),
        ("No factual error was found.", []),
        ("I don't see any mistakes.", []),
        ("All statements are correct.", []),
        ("Everything checks out.", []),
        ('{"errors": []}', []),
        ("It is not accurate.", ["It is not accurate."]),
        ("The year is wrong, the rest is correct.", ["The year is wrong, the rest is correct."]),
        ('No errors in the opening.\n1. "1865" -> 1867', ['"1865" -> 1867']),
        ("None\nNot shown: none", []),
        ('1. "1865" -> 1867 (answer 2)\n**Not shown:** "bees"', ['"1865" -> 1867 (answer 2)']),
        ('1. "1865" -> 1867\n2. "a physicist" is correct (answer 1).', ['"1865" -> 1867']),
        ('1. "a physicist": correct\n2. "1865" -> 1867', ['"1865" -> 1867']),
        ('"1865" is wrong; 1867 is right.', ['"1865" is wrong; 1867 is right.']),
        (
            '1. "was built" -> this is only true for the tower',
            ['"was built" -> this is only true for the tower'],
        ),
    ],
)
def test_explanations(reply, errors):
    assert read_explanations(reply) == errors


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("None", None),
        ("1. The year is not shown.", None),
        ("None\nNot shown: none", []),
        ("None\n\nNot shown:\nNothing.", []),
        ('1. "1865" -> 1867\nNot shown: "kept bees" and “in Paris”', ["kept bees", "in Paris"]),
        ("None\n**Not shown:**\n- kept bees\n- in Paris", ["kept bees", "in Paris"]),
    ],
)
def test_what_is_not_shown(reply, words):
    assert read_not_shown(reply) == words


@pytest.mark.parametrize(
    ("reply", "both"),
    [
        ("Factual Errors:\n1. One.\nRevised Response:\nTwo.", (["One."], "Two.")),
        (
            "**Factual Errors:**\n1. One.\n**Revised Response:**\nTwo.\nThree.",
            (["One."], "Two.\nThree."),
        ),
        ("Revised Response:\nTwo.\nFactual Errors:\n1. One.", (["One."], "Two.")),
        ("## Factual errors\n1. One.\n## Revised draft\nTwo.", (["One."], "Two.")),
        ("1. One.\nRevised Response: Two.", (["One."], "Two.")),
        ("Factual Errors: None\nRevised Response: Two.", ([], "Two.")),
        ("None", ([], "")),
        ("It is fine.", (None, "")),
        ("Factual Errors:\nNone\nNot shown:\nbees\nRevised Response:\nTwo.", ([], "Two.")),
        ("Factual Errors:\n1. One.\nRevised Response:\nTwo.\nNot shown: bees", (["One."], "Two.")),
        ("None\nNot shown: bees", ([], "")),
        ("Revised Response: Two.", (None, "Two.")),
    ],
)
def test_explanations_and_revision(reply, both):
    assert read_both(reply) == both


@given(st.text())
def test_nothing_breaks_the_readers(reply):
    assert all(question.endswith("?") for question in read_questions(reply))
    assert all(read_explanations(reply))
    read_not_shown(reply)
    read_both(reply)

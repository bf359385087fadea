"""Answers that are sentences of the documents."""

import pytest

from errata.core.records import Document
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.generate import find_unread, generate_answer, rewrite

MILL = "The Mill is a 1950 film. It was shown for years. It was written and directed by Ann Lee."


def answer(question, *documents):
    return generate_answer(question, documents, load_local_evaluator())


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who was the director of The Mill?", "directed by Ann Lee"),
        ("Who was the screenwriter for The Mill?", "written and directed by Ann Lee"),
        ("What genre is The Mill?", "1950 film"),
    ],
)
def test_the_sentence_that_says_what_is_asked_answers(question, words):
    assert words in answer(question, Document(title="The Mill", text=MILL))


def test_a_sentence_about_the_subject_by_a_pronoun_answers():
    text = "Bo Ray (born 1962) is a former volleyball player. He was born in Riga. He won a medal."
    assert "He was born in Riga." in answer("In what city was Bo Ray born?", Document(text=text))


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("Bo Ray is a Latvian footballer.", "Football. Bo Ray is a Latvian footballer."),
        ("Bo Ray is a ski jumper.", "Ski jumping. Bo Ray is a ski jumper."),
        ("Bo Ray is a footballer: football is all.", "Bo Ray is a footballer: football is all."),
        ("Bo Ray is a midfielder.", "Bo Ray is a midfielder."),
    ],
)
def test_a_sport_is_named_by_who_plays_it(text, response):
    assert answer("What sport does Bo Ray play?", Document(title="Bo Ray", text=text)) == response
    assert answer("Who is Bo Ray?", Document(title="Bo Ray", text=text)) == text


def test_what_is_said_twice_is_given_once():
    text = "The Mill is a film by Ann Lee."
    documents = [
        Document(id="a", text=text),
        Document(id="b", title="The Mill", text=f"The Mill {text}"),
    ]
    assert answer("Who was the director of The Mill?", *documents) == text


def test_things_of_one_name_are_answered_for_each():
    documents = [
        Document(id="a", title="The Mill (1950 film)", text=MILL),
        Document(id="b", title="The Mill (film)", text="The Mill is a film directed by Bo Ray."),
    ]
    response = answer("Who was the director of The Mill?", *documents)
    assert "Ann Lee" in response
    assert "Bo Ray" in response


def test_a_heading_is_no_answer():
    text = "The Mill!\nThe Mill was directed by Ann Lee."
    assert answer("Who was the director of The Mill!?", Document(text=text)) == text.split("\n")[1]


@pytest.mark.parametrize(
    ("response", "unread"),
    [
        ("Ann Lee directed it in 1950.", []),
        ("Ann Leigh directed it.", []),
        ("Bo Ray directed it in 1951.", ["Bo Ray", "1951"]),
    ],
)
def test_names_that_nothing_holds_are_found(response, unread):
    assert find_unread(response, ["Ann Lee made it in 1950."]) == unread


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What is Henry Feilden's occupation?", "Henry Feilden, occupation"),
        ("In what city was Billy Carlson born?", "Billy Carlson, city born"),
        ("who won", "won"),
        ("Who?", "Who?"),
    ],
)
def test_questions_become_keywords(question, query):
    assert rewrite(question) == query

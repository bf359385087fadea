"""What questions name, and whether texts are about it."""

import pytest

from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.subjects import find_subject, names_subject


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who was the director of The International?", "The International"),
        ("Who was the composer of I'm in Love?", "I'm in Love"),
        ("What is Henry Feilden's occupation?", "Henry Feilden"),
        ("What sport does Ann Lee play?", "Ann Lee"),
        ("In what city was Steve McDonald born?", "Steve McDonald"),
        ("What is Prague the capital of?", "Prague"),
        ("Who wrote Cats?", "Cats"),
        ("Who is Billy Conigliaro?", "Billy Conigliaro"),
    ],
)
def test_a_question_names_what_it_asks_about(question, name):
    subject = find_subject(question)
    assert subject
    assert subject.name == name


@pytest.mark.parametrize(
    "question",
    [
        "",
        "how are bees kept",
        "Why is the sky blue?",
        "Compare Rome and Paris.",
        "What title did Ann Lee give Bo Ray?",
        "What is the name of the TV system that Ann Lee uses?",
        "In which year was the Ann Lee Hall developed?",
    ],
)
def test_other_questions_have_no_subject(question):
    assert find_subject(question) is None


CATS = "Who is the author of Cats?"


@pytest.mark.parametrize(
    ("question", "title", "text", "relation"),
    [
        (CATS, "Cats (novel)", "A novel by Ann Lee.", "own"),
        (CATS, "Cats", "Cats is a novel by Ann Lee.", "own"),
        (CATS, "Cats", "The second act was cut.", "own"),
        (CATS, "Ann Lee", "She wrote The Mill, Cats and poems.", "mentioned"),
        (CATS, "Ann Lee", "She wrote Wild Cats.", "partly"),
        ("Who directed The Kiss?", "Ann Lee", "She saw the kiss.", "partly"),
        ("Who directed The Kiss?", "Ann Lee", "In 1950 she made The Kiss.", "mentioned"),
        (CATS, "", "Cats is a novel by Ann Lee.", "own"),
        (CATS, "", "Ann Lee lived in Rome for a year. Wild Cats was her first book.", "partly"),
        (CATS, "Dogs", "Dogs is a novel.", "absent"),
        ("Who is the mother of Karl Mozart?", "Anna Mozart", "She sang.", "partly"),
        ("Who is the father of José Núñez?", "Jose Nunez", "He ran.", "own"),
    ],
)
def test_a_text_is_about_the_subject_or_not(question, title, text, relation):
    subject = find_subject(question)
    assert subject
    assert subject.relation(title, text) == relation


@pytest.mark.parametrize(
    ("question", "title", "text"),
    [
        (
            "Who was the director of The International?",
            "International Dance Festival",
            "The festival's director was Ann Lee. She was the director for ten years.",
        ),
    ],
)
@pytest.mark.parametrize("form", ["", "lexical"])
def test_a_text_with_less_than_the_name_alone_makes_no_retrieval_correct(
    question, title, text, form
):
    evaluator = load_local_evaluator(form)
    assert evaluator.score(question, [(title, text)])[0] <= evaluator.upper


def test_the_film_of_the_name_does():
    evaluator = load_local_evaluator()
    text = "The International is a 2009 film directed by Tom Tykwer."
    question = "Who was the director of The International?"
    assert evaluator.score(question, [("The International (film)", text)])[0] > evaluator.upper


def test_a_name_of_function_words_is_known_by_its_title():
    evaluator = load_local_evaluator()
    text = "All Over is a play written by Edward Albee."
    [own, other] = evaluator.score(
        "Who is the author of All Over?", [("All Over", text), ("Albee", f"It rained. {text}")]
    )
    assert own > evaluator.lower
    assert own > other


@pytest.mark.parametrize(
    ("question", "opening", "text", "named"),
    [
        ("Who directed Gulaal?", "", "Gulaal is a film.", True),
        ("Who directed Gulaal?", "Gulaal . A film.", "He wrote and directed it.", True),
        ("Who directed Gulaal?", "Holi . A festival.", "It has a director.", False),
        ("Did Verdi ever meet Wagner?", "", "Wagner lived in Venice.", True),
        ("Did Verdi ever meet Wagner?", "", "They met in Venice.", False),
        ("how are bees kept", "", "Stones are heavy.", False),
        ("how are bees kept", "", "A hive holds bees.", True),
        ("Who is it?", "", "Anything.", True),
    ],
)
def test_strips_name_the_subject_or_their_documents_do(question, opening, text, named):
    assert names_subject(question, opening, text) == named

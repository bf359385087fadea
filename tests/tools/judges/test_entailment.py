"""What the cross-encoder says of claims and answers beside their evidence."""

import pytest

from errata.core.records import Document
from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.judges.entailment import (
    evidence_text,
    excerpt_for,
    name_entity,
    read_answers,
    read_entailment,
)
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.text.questions import question_entity
from errata.tools.text.sentences import split_strips

TOWER = Document(
    id="d1",
    text="The Eiffel Tower was designed by the company of Gustave Eiffel. "
    "It was opened on 31 March 1889. Bees are not kept there. It stands in Paris.",
)


def evidence(document=TOWER):
    return Evidence(split_strips(document))


def read(claim):
    readings = [read_claim(claim, "What is the Eiffel Tower?")]
    return read_entailment(readings, evidence(), load_cross_encoder())[0]


def odds(claim):
    return read(claim).features


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("The Eiffel Tower opened in 1889.", "The Eiffel Tower opened in 1911."),
        ("The Eiffel Tower is in Paris.", "The Eiffel Tower is in London."),
    ],
)
def test_true_claims_are_entailed(true, false):
    assert odds(true)["entailed"] > odds(false)["entailed"]
    assert read(false).refuted > read(true).refuted


def test_the_strip_that_contradicts_is_found():
    against = read("The Eiffel Tower was opened on 31 March 1911.")
    assert "31 March 1889" in against.strip.text
    assert read("The Eiffel Tower was opened on 31 March 1889.").strip is None


def test_an_excerpt_has_the_best_strips_and_those_beside_them():
    strips = excerpt_for(Reading("The tower stands in Paris."), evidence(), 12)
    assert [strip.text for strip in strips] == ["It stands in Paris.", "Bees are not kept there."]


def test_without_evidence_nothing_speaks_for_or_against_a_claim():
    [nothing] = read_entailment([Reading("It is in Paris.")], Evidence([]), load_cross_encoder())
    assert (nothing.refuted, nothing.strip) == (0, None)


def test_claims_are_read_with_their_own_strips_in_batches():
    claims = ["Bees are kept on the tower.", "It is in Paris.", "It was opened on 31 March 1889."]
    readings = [Reading(claim) for claim in claims]
    together = read_entailment(readings, evidence(), load_cross_encoder())
    alone = [read_entailment([one], evidence(), load_cross_encoder())[0] for one in readings]
    assert together == alone


def test_an_answer_has_higher_odds():
    question = "When was the Eiffel Tower opened?"
    texts = [("Eiffel Tower", TOWER.text), ("Bees", "Bees make honey and fly far.")]
    tower, bees = (row["read"] for row in read_answers(question, texts, load_cross_encoder()))
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


@pytest.mark.parametrize(
    ("title", "text", "read"),
    [
        ("Iron Bridge", "It was opened in 1932.", "Iron Bridge: It was opened in 1932."),
        ("Iron Bridge", "The iron bridge opened.", "The iron bridge opened."),
        ("", "It was opened in 1932.", "It was opened in 1932."),
        ("Xanadu" * 50, "It opened.", ("Xanadu" * 50)[:100] + ": It opened."),
    ],
)
def test_a_title_stands_before_strips_that_lack_it(title, text, read):
    known = collect_evidence(frozenset(), [Document(id="d", text=text, title=title)])
    assert evidence_text(Reading("It opened."), known, 3) == read


def test_each_document_has_its_own_title():
    texts = [("a", "Oslo", "It has trams."), ("b", "Rome", "It has buses.")]
    documents = [Document(id=name, text=text, title=title) for name, title, text in texts]
    known = collect_evidence(frozenset(), documents)
    assert (
        evidence_text(Reading("It has trams."), known, 3)
        == "Oslo: It has trams. Rome: It has buses."
    )

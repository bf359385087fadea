"""The judges as LangChain's decision models."""

import pytest
from langchain_core.decisions import Choice, Noul, Score
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from errata import check
from errata.core.errors import InputError
from errata.judges import LocalReader

LABELS = ("supported", "refuted", "not_mentioned")
CURIE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
STATEMENTS = {
    "Marie Curie was born in 1867.": "supported",
    "Marie Curie was born in 1865.": "refuted",
    "She liked jazz.": "not_mentioned",
}


def about(text, labels=LABELS):
    return Choice(instructions=text, criteria=dict.fromkeys(labels))


QUESTIONS = {text: about(text) for text in STATEMENTS}


@pytest.mark.parametrize(
    "state",
    [CURIE, [CURIE], Document(page_content=CURIE), [Document(page_content=CURIE), "Bees buzz."]],
)
def test_statements_are_judged_by_texts_with_probabilities(state):
    answers = LocalReader().invoke({"state": state, "questions": QUESTIONS}).choices
    assert {name: answer.choice for name, answer in answers.items()} == STATEMENTS
    for answer in answers.values():
        assert sum(answer.probabilities.values()) == pytest.approx(1)
        assert min(answer.probabilities.values()) >= 0
        assert answer.confidence == max(answer.probabilities.values())


@pytest.mark.anyio
async def test_it_is_a_step_of_a_chain_whose_scores_are_the_verifiers():
    chain = RunnableLambda(lambda text: {"state": text, "questions": QUESTIONS}) | LocalReader()
    answers = (await chain.ainvoke(CURIE)).choices
    for text, answer in answers.items():
        [verdict] = check("", text, documents=[CURIE], roles={"verify": LocalReader()}).verdicts
        assert answer.probabilities["supported"] == pytest.approx(verdict.score, abs=1e-4)
        assert verdict == check("", text, documents=[CURIE]).verdicts[0]


@pytest.mark.parametrize(
    "question",
    [
        Noul(instructions="Was she born in 1867?"),
        Score(instructions="How sure is it?", criteria=["not", "very"]),
        about("She was born in 1867.", ("yes", "no")),
        about({"claim": "She was born in 1867."}),
    ],
)
def test_other_questions_are_refused(question):
    with pytest.raises(InputError, match="a Choice between not_mentioned, refuted, supported"):
        LocalReader().invoke({"state": CURIE, "questions": {"q": question}})


@pytest.mark.parametrize("state", ["", " ", [], [""]])
def test_where_nothing_can_be_read_nothing_is_said(state):
    assert not LocalReader().invoke({"state": state, "questions": QUESTIONS}).answers


def test_a_statement_in_another_language_has_no_answer():
    spanish = "Marie Curie nació en Varsovia y murió en Francia en 1934."
    asked = {"state": CURIE, "questions": {**QUESTIONS, "s": about(spanish)}}
    assert LocalReader(model="local:lexical").invoke(asked).answers.keys() == STATEMENTS.keys()


def test_a_state_without_texts_is_refused():
    with pytest.raises(InputError, match="documents must be a list"):
        LocalReader().invoke({"state": {"text": CURIE}, "questions": QUESTIONS})

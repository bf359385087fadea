"""The judges as LangChain's decision models."""

import pytest
from langchain_core.decisions import Choice, Noul
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
SPANISH = "Marie Curie nació en Varsovia y murió en Francia en 1934."


def about(text, labels=LABELS):
    return Choice(instructions=text, criteria=dict.fromkeys(labels))


QUESTIONS = {text: about(text) for text in (*STATEMENTS, SPANISH)}


@pytest.mark.anyio
@pytest.mark.parametrize(
    "state",
    [CURIE, [CURIE], Document(page_content=CURIE), [Document(page_content=CURIE), "Bees buzz."]],
)
async def test_a_step_of_a_chain_gives_probabilities_of_what_it_can_judge(state):
    chain = RunnableLambda(lambda s: {"state": s, "questions": QUESTIONS}) | LocalReader()
    answers = (await chain.ainvoke(state)).choices
    assert {name: answer.choice for name, answer in answers.items()} == STATEMENTS
    for answer in answers.values():
        assert sum(answer.probabilities.values()) == pytest.approx(1)
        assert answer.confidence == max(answer.probabilities.values())


@pytest.mark.parametrize("text", STATEMENTS)
def test_as_a_filler_it_is_the_code_that_it_names(text):
    [verdict] = check("", text, documents=[CURIE]).verdicts
    own = check("", text, documents=[CURIE], roles={"verify": LocalReader(model="local")})
    assert own.verdicts == (verdict,)
    asked = {"state": CURIE, "questions": QUESTIONS}
    assert LocalReader().invoke(asked).choices[text].probabilities["supported"] == verdict.score


@pytest.mark.parametrize(
    "question",
    [Noul(instructions=SPANISH), about(SPANISH, ("yes", "no")), about({"claim": SPANISH})],
)
def test_other_questions_are_refused(question):
    with pytest.raises(InputError, match="a Choice between not_mentioned, refuted, supported"):
        LocalReader().invoke({"state": CURIE, "questions": {"q": question}})


@pytest.mark.parametrize("state", [" ", [], [""]])
def test_where_nothing_can_be_read_nothing_is_said(state):
    assert not LocalReader().invoke({"state": state, "questions": QUESTIONS}).answers

"""CRAG with scripted models in its roles."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from errata import aanswer
from errata.graphs.crag import graph
from errata.nodes.crag.knowledge import TURN_LENGTH, earlier_turns
from example import BIRTH_QUESTION, PAGE, REPLIES

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
ALL_REPLIES = REPLIES | {
    "crag/evaluate.direct": [{"when": "Curie (born", "reply": "Yes."}, {"when": "", "reply": "No"}],
    "crag/rewrite": "Keywords: Marie Curie, birth, date, year",
}


async def test_a_model_evaluates_and_answers(scripted):
    model = scripted(ALL_REPLIES)
    settings = {"model": model, "roles": {"evaluate": model}}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE, BEES], **settings)
    assert answer.scores == {"curie": 1, "bees": -1}
    assert (answer.action, answer.response) == ("correct", REPLIES["crag/generate"])
    assert answer.usage.model_calls == 3


async def test_a_model_rewrites_the_question(scripted, demo):
    model = scripted(ALL_REPLIES)
    settings = {"model": model, "roles": {"evaluate": model}, "search": demo}
    answer = await aanswer(BIRTH_QUESTION, documents=[BEES], **settings)
    assert (answer.action, answer.queries) == ("incorrect", ("Marie Curie, birth, date",))


@pytest.mark.parametrize("evaluation", ["direct", "cot", "few_shot"])
async def test_a_model_evaluates_by_each_prompt(scripted, evaluation):
    """Tables 8 to 10."""
    model = scripted({f"crag/evaluate.{evaluation}": "The year is given.\nYes"})
    settings = {"roles": {"evaluate": model}, "evaluation": evaluation}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], **settings)
    assert answer.scores == {"curie": 1}


async def test_a_runs_model_evaluates_only_if_roles_name_it(scripted):
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], model=scripted(ALL_REPLIES))
    assert answer.usage.model_calls == 1
    assert -1 < answer.scores["curie"] < 1


@pytest.mark.parametrize(
    ("reply", "note"), [("Perhaps.", "has no yes or no"), (" ", "was not judged")]
)
async def test_a_failed_evaluation_is_ambiguous(scripted, reply, note):
    model = scripted(ALL_REPLIES | {"crag/evaluate.direct": reply})
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles={"evaluate": model})
    assert (answer.action, answer.scores) == ("ambiguous", {"curie": None})
    assert any(note in each for each in answer.notes)


CHAT = [
    HumanMessage("Who discovered polonium?"),
    AIMessage("Marie Curie.", name="errata"),
    HumanMessage("When was she born?"),
]


async def test_a_question_is_rewritten_in_its_chat(scripted, demo):
    """Table 7: topic background within dialogues."""
    when = "Person: Who discovered polonium?\nAnswer: Marie Curie.\n</chat>"
    model = scripted({"crag/rewrite.chat": [{"when": when, "reply": "Marie Curie, birth"}]})
    context = {"roles": {"rewrite": model}, "search": demo}
    state = await graph.ainvoke({"messages": CHAT}, context=context)
    assert state["queries"] == ["Marie Curie, birth"]


async def test_local_code_takes_the_name_from_the_chat(demo):
    state = await graph.ainvoke({"messages": CHAT}, context={"search": demo})
    assert state["queries"] == ["Marie Curie, born"]


def test_earlier_turns_are_the_newest_and_short():
    messages = [HumanMessage(f"{n} {'word ' * 200}") for n in range(9)]
    turns = earlier_turns([SystemMessage("Be kind."), *messages, AIMessage("")])
    assert [text.split()[0] for _, text in turns] == ["3", "4", "5", "6", "7", "8"]
    assert max(len(text) for _, text in turns) <= TURN_LENGTH


async def test_a_failed_rewrite_searches_for_the_question(scripted, demo):
    settings = {"roles": {"rewrite": scripted({})}, "search": demo}
    answer = await aanswer(BIRTH_QUESTION, documents=[BEES], **settings)
    assert answer.queries == (BIRTH_QUESTION,)
    assert "was searched for as it stands" in answer.notes[0]

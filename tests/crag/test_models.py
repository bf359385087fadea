"""CRAG with scripted models in its roles."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from errata import aanswer
from errata.graphs.crag import graph
from example import BIRTH_QUESTION, PAGE, REPLIES

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
ALL_REPLIES = REPLIES | {
    "crag/evaluate.direct": [{"when": "Curie (born", "reply": "Yes."}, {"when": "", "reply": "No"}],
    "crag/rewrite": "Keywords: Marie Curie, birth, date, year",
}


@pytest.mark.parametrize(
    ("named", "profile", "query"),
    [
        ("evaluate", "", "Marie Curie, born"),
        ("rewrite", "", "Marie Curie, birth, date"),
        ("evaluate", "paper", "Marie Curie, birth, date"),
    ],
)
async def test_a_model_rewrites_a_question_if_named_or_in_the_papers_form(
    scripted, demo, named, profile, query
):
    model = scripted(ALL_REPLIES)
    settings = {"model": model, "roles": {named: model}, "search": demo, "profile": profile}
    answer = await aanswer(BIRTH_QUESTION, documents=[BEES], **settings)
    assert (answer.action, answer.queries) == ("incorrect", (query,))
    calls = answer.usage.by_role["rewrite"].get("model_calls", 0)
    assert calls == (query != "Marie Curie, born")


@pytest.mark.parametrize(
    ("settings", "kept"), [({}, 2), ({"strip_threshold": -0.5}, 0), ({"profile": "paper"}, 0)]
)
async def test_a_model_is_given_the_best_strips_of_an_incorrect_retrieval(scripted, settings, kept):
    """Section 4.3 has none of it."""
    strips = [f"Marie Curie was born in 18{n}. She lived. She worked." for n in (65, 66, 67)]
    page = CURIE | {"text": " ".join(strips)}
    replies = {"crag/generate": "1867", "crag/rewrite": "Marie Curie"}
    settings = {"model": scripted(replies), "actions": ("incorrect",), **settings}
    answer = await aanswer(BIRTH_QUESTION, documents=[page], **settings)
    assert len(answer.knowledge) == kept
    assert not (await aanswer(BIRTH_QUESTION, documents=[page], actions=("incorrect",))).knowledge


async def test_a_model_sees_what_local_code_does_not_answer_from(scripted):
    """Strips below the evaluator's own threshold, and those that do not name the subject."""
    pages = [CURIE, {"title": "Physicists", "text": "She was born in 1867."}]
    settings = {"actions": ("correct",), "documents": pages}
    local = await aanswer(BIRTH_QUESTION, **settings)
    read = await aanswer(BIRTH_QUESTION, **settings, model=scripted(ALL_REPLIES))
    assert len(read.knowledge) > len(local.knowledge)


@pytest.mark.parametrize(("settings", "kept"), [({}, 2), ({"profile": "paper"}, 0)])
async def test_a_prompt_is_never_empty(scripted, settings, kept):
    """Where no strip reaches the floor a model is shown the two best."""
    bees = BEES | {"text": "Bees make honey. They fly. They sting. Bees sleep. Bees eat. Some die."}
    settings = {"documents": [bees, CURIE], "model": scripted(ALL_REPLIES), **settings}
    assert len((await aanswer("Was ist Luft?", **settings)).knowledge) == kept


async def test_the_web_has_three_strips_beside_the_documents(scripted, tmp_path):
    pages = [f"Marie Curie was born in 18{n}, others say." for n in range(60, 69)]
    (tmp_path / "page.txt").write_text("\n\n".join(pages))
    settings = {"model": scripted(ALL_REPLIES), "search": f"corpus:{tmp_path}"}
    for action, most in (("ambiguous", 3), ("incorrect", 5)):
        answer = await aanswer(BIRTH_QUESTION, actions=(action,), **settings)
        assert len(answer.knowledge) == most


NEEDED = [
    ([CURIE], ["1867.\nFrom: knowledge"], (1, 0, "1867.", "knowledge")),
    ([CURIE], ["1866.\nFrom: guess", "1867.\nFrom: knowledge"], (2, 1, "1867.", "knowledge")),
    ([CURIE], ["1866.\nFrom: memory", " "], (3, 1, "1866.", "memory")),
    ([], ["1867.\nFrom: knowledge"], (1, 1, "1867.", "knowledge")),
]


@pytest.mark.parametrize(("documents", "replies", "expected"), NEEDED)
async def test_the_web_is_searched_where_documents_lack_the_answer(
    scripted, demo, documents, replies, expected
):
    """A reply that fails after the search leaves the first answer."""
    first = {"when": "[2]", "reply": replies[-1]}
    model = scripted(ALL_REPLIES | {"crag/generate": [first, {"when": "", "reply": replies[0]}]})
    settings = {"model": model, "search": demo, "searching": "needed"}
    answer = await aanswer(BIRTH_QUESTION, documents=documents, **settings)
    usage = answer.usage
    found = (usage.model_calls, usage.searches, answer.response, answer.trail["origin"])
    assert found == expected


async def test_an_answer_stays_where_a_needed_search_finds_nothing(scripted, tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "page.txt").write_text("Zebras are striped.")
    model = scripted(ALL_REPLIES | {"crag/generate": "1867.\nFrom: memory"})
    settings = {"model": model, "search": f"corpus:{tmp_path}/web", "searching": "needed"}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], **settings)
    assert (answer.response, answer.usage.model_calls, answer.usage.searches) == ("1867.", 1, 1)


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


@pytest.mark.parametrize("by", ["local code", "a model for the role", "the run's model"])
async def test_a_question_is_rewritten_in_its_chat(scripted, demo, by):
    """Table 7: topic background within dialogues."""
    when = "Person: Who discovered polonium?\nAnswer: Marie Curie.\n</chat>"
    rewritten = {"crag/rewrite.chat": [{"when": when, "reply": "Marie Curie, birth"}]}
    model, is_local = scripted(ALL_REPLIES | rewritten), by == "local code"
    named = {"model": model} if by == "the run's model" else {"roles": {"rewrite": model}}
    context = {"search": demo} | ({} if is_local else named)
    state = await graph.ainvoke({"messages": CHAT}, context=context)
    assert state["queries"] == ["Marie Curie, born" if is_local else "Marie Curie, birth"]


async def test_a_failed_rewrite_searches_for_the_question(scripted, demo):
    settings = {"roles": {"rewrite": scripted({})}, "search": demo}
    answer = await aanswer(BIRTH_QUESTION, documents=[BEES], **settings)
    assert answer.queries == (BIRTH_QUESTION,)
    assert "was searched for as it stands" in answer.notes[0]

"""CRAG with scripted models in its roles; the forms of answers, and what is not from documents."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from errata import aanswer
from errata.graphs.crag import graph
from errata.nodes.answer import NOTHING
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
    counts = (answer.usage.model_calls, answer.usage.searches)
    assert (*counts, answer.response, answer.trail["origin"]) == expected


async def test_an_answer_stays_where_a_needed_search_finds_nothing(scripted, write):
    web = write("web/page.txt", "Zebras are striped.").parent
    model = scripted(ALL_REPLIES | {"crag/generate": "1867.\nFrom: memory"})
    settings = {"model": model, "search": f"corpus:{web}", "searching": "needed"}
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


CHOICES = "Which of these makes honey?\nA: bees\nB: stones\nC: the sea"
MEMORY = "the answer is not from the documents: the model gave it from memory"
GUESS = "the answer is not from the documents: it is a guess of the model's"
BOTH = "part of the answer is not from the documents: the model gave it from memory"


@pytest.fixture
def answer(scripted):
    """Answers by a model whose every prompt for `generate` has one reply."""

    async def ask(reply, question=BIRTH_QUESTION, documents=(CURIE,), **settings):
        forms = ("", ".short", ".long", ".verdict", ".choice")
        model = scripted({f"crag/generate{form}": reply for form in forms})
        roles = {"generate": model}
        return await aanswer(question, documents=list(documents), roles=roles, **settings)

    return ask


@pytest.mark.parametrize(
    ("task", "prompt", "question", "reply", "response"),
    [
        ("popqa", "crag/generate.short", BIRTH_QUESTION, "Answer: 1867", "1867"),
        ("biography", "crag/generate.long", "Who was Marie Curie?", "She was born.", None),
        ("pubhealth", "crag/generate.verdict", "Bees make honey.", "**Yes**, they do.", "true"),
        ("arc", "crag/generate.choice", CHOICES, "Answer: (A) bees", "A"),
        ("arc", "crag/generate.choice", CHOICES, "b", "B"),
        ("", "crag/generate", BIRTH_QUESTION, "In 1867.", None),
    ],
)
async def test_a_task_brings_its_form(answer, task, prompt, question, reply, response):
    found = await answer(f"{reply}\nFrom: knowledge", question, [CURIE, BEES], task=task)
    assert found.response == (response or reply)
    assert [name.rpartition(".v")[0] for name in found.prompts] == [prompt]
    assert not [note for note in found.notes if "answer" in note]


@pytest.mark.parametrize("task", ["pubhealth", "arc"])
async def test_a_reply_in_another_form_stays_and_is_noted(answer, task):
    found = await answer("Perhaps.", CHOICES, [BEES], task=task)
    assert found.response == "Perhaps."
    assert any("has no answer in the form of" in note for note in found.notes)


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ("In 1867.\nFrom: memory", MEMORY),
        ("In 1867.\nFrom: guess", GUESS),
        ("In 1867.\nFrom: both", BOTH),
        ("In 1867.\nFrom: knowledge", ""),
        ("In 1867.", ""),
    ],
)
async def test_what_no_document_holds_is_noted_and_kept_apart(answer, reply, note):
    found = await answer(reply)
    assert (found.response, "; ".join(found.notes)) == (reply.split("\n")[0], note)
    assert found.trail == {"origin": reply.partition("From: ")[2]}


@pytest.mark.parametrize(
    ("reply", "response"),
    [
        ("From: memory", NOTHING),
        ("no answer found", NOTHING),
        ("No answer found.\nFrom: knowledge", NOTHING),
        ("No answer found. She may be from Warsaw.", "No answer found. She may be from Warsaw."),
        ([{"when": f"[1] Marie Curie\n{PAGE}", "reply": "In 1867."}], "In 1867."),
    ],
)
async def test_what_is_said_beside_no_answer_stays(answer, reply, response):
    """Where a reply says only where it is from, it is none; strips have numbers and titles."""
    assert (await answer(reply)).response == response


async def test_a_model_answers_without_knowledge(answer):
    """Algorithm 1 always generates."""
    found = await answer("In 1867.", documents=[])
    assert (found.response, found.usage.model_calls) == ("In 1867.", 1)
    assert found.notes[-2:] == ("nothing relevant was found to answer from", MEMORY)


@pytest.mark.parametrize(
    ("documents", "origin", "response", "calls"),
    [
        ([], "memory", NOTHING, 0),
        ([BEES], "memory", NOTHING, 1),
        ([CURIE], "memory", NOTHING, 1),
        ([CURIE], "knowledge", "In 1867.", 1),
    ],
)
async def test_abstaining_gives_no_answer_from_memory(answer, documents, origin, response, calls):
    found = await answer(f"In 1867.\nFrom: {origin}", documents=documents, abstain=True)
    assert (found.response, found.usage.model_calls) == (response, calls)


@pytest.mark.parametrize("task", ["pubhealth", "arc"])
async def test_local_code_gives_no_answer_of_a_fixed_set(task):
    answer = await aanswer(CHOICES, documents=[CURIE, BEES], task=task)
    assert answer.response == NOTHING
    assert any("no answer in the form of" in note for note in answer.notes)

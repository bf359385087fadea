"""The ways through CRAG, with local code, with a scripted model, and with other evaluators."""

import pytest

from errata import aanswer
from errata.errors import ChatError, InputError, SettingError
from errata.graphs.crag import graph
from errata.nodes.crag.state import CragContext

pytestmark = pytest.mark.anyio

QUESTION = "When was Marie Curie born?"
PAGE = {
    "id": "curie",
    "title": "Marie Curie",
    "text": "Marie Curie (born 7 November 1867) was a physicist. She lived in Paris. "
    "She kept two daughters. She won two prizes. Bees make honey. Bees fly far.",
}
OTHER = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
NOTHING = "No answer found."


class Fixed:
    """Score texts by a word in them."""

    upper, lower, floor = 0.5, -0.5, -0.5

    def __init__(self, **scores):
        self.scores = scores
        self.asked = []

    def score(self, question, texts):
        self.asked.append(question)
        return [max(s for w, s in self.scores.items() if w in f"{text} any") for _, text in texts]


async def path(request, context):
    """Run the graph and give the steps it took, in order of the supersteps."""
    stream = graph.astream(request, context=context, stream_mode="updates")
    return [name async for update in stream for name in update]


REFINE, SEARCH = ["refine"], ["rewrite", "search", "read", "select"]


@pytest.mark.parametrize(
    ("score", "steps"),
    [(0.6, REFINE), (-0.6, SEARCH), (0.0, REFINE + SEARCH), (0.5, REFINE + SEARCH)],
)
async def test_each_action_takes_its_way(score, steps, root):
    context = {
        "roles": {"evaluate": Fixed(any=score)},
        "search": f"corpus:{root / 'demo' / 'corpus'}",
    }
    taken = await path({"question": QUESTION, "documents": [PAGE]}, context)
    assert taken[:3] == ["receive", "retrieve", "evaluate"]
    assert sorted(taken[3:-1]) == sorted(steps)
    assert taken[-1] == "generate"
    assert taken.count("rewrite") <= 1


async def test_ambiguous_runs_refine_while_they_search(root):
    """Refining is done in the superstep in which the question is rewritten."""
    context = {"roles": {"evaluate": Fixed(any=0)}, "search": f"corpus:{root / 'demo' / 'corpus'}"}
    taken = await path({"question": QUESTION, "documents": [PAGE]}, context)
    assert set(taken[3:5]) == {"refine", "rewrite"}


async def test_a_correct_retrieval_is_refined_and_answered_from():
    done = await aanswer(QUESTION, documents=[PAGE, OTHER])
    assert done.action == "correct"
    assert done.response == "Marie Curie (born 7 November 1867) was a physicist."
    assert all(strip.text == PAGE["text"][strip.start : strip.end] for strip in done.knowledge)
    assert done.scores["curie"] > done.scores["bees"]
    assert done.notes == ("the answer was put together from strips of the documents",)


async def test_an_incorrect_retrieval_gives_way_to_the_web(root):
    web = f"corpus:{root / 'demo' / 'corpus'}"
    done = await aanswer(QUESTION, documents=[OTHER], search=web)
    assert (done.action, done.queries) == ("incorrect", ("Marie Curie, born",))
    assert "7 November 1867" in done.response
    assert {document.source for document in done.documents} == {"given", "web"}
    assert done.usage.searches == 1
    assert all(strip.document != "bees" for strip in done.knowledge)


async def test_between_both_serve(root):
    web = f"corpus:{root / 'demo' / 'corpus'}"
    context = {"roles": {"evaluate": Fixed(any=0)}, "search": web}
    done = await aanswer(QUESTION, documents=[PAGE], **context)
    assert done.action == "ambiguous"
    assert {d.source for d in done.documents if d.id in {k.document for k in done.knowledge}} == {
        "given",
        "web",
    }


@pytest.mark.parametrize("documents", [[], [OTHER]])
async def test_without_anything_relevant_it_says_so(documents):
    done = await aanswer(QUESTION, documents=documents)
    assert (done.action, done.response, done.knowledge) == ("incorrect", NOTHING, ())
    assert "nothing was searched for: search is none" in done.notes


async def test_what_cannot_be_searched_is_noted(monkeypatch):
    monkeypatch.delenv("SERPER_API_KEY", raising=False)
    done = await aanswer(QUESTION, documents=[OTHER], search="serper")
    assert done.response == NOTHING
    assert "serper failed: SERPER_API_KEY is not set in the environment" in done.notes


REPLIES = {
    "crag/evaluate.direct": [{"when": "Curie (born", "reply": "Yes."}, {"when": "", "reply": "No"}],
    "crag/rewrite": "Keywords: Marie Curie, birth, date, year",
    "crag/generate": "She was born on 7 November 1867.",
}


async def test_a_model_evaluates_rewrites_and_answers(scripted, root):
    model = scripted(REPLIES)
    roles = {"evaluate": model}
    done = await aanswer(QUESTION, documents=[PAGE, OTHER], model=model, roles=roles)
    assert done.scores == {"curie": 1, "bees": -1}
    assert (done.action, done.response) == ("correct", REPLIES["crag/generate"])
    assert done.usage.model_calls == 3
    web = f"corpus:{root / 'demo' / 'corpus'}"
    done = await aanswer(QUESTION, documents=[OTHER], model=model, roles=roles, search=web)
    assert (done.action, done.queries) == ("incorrect", ("Marie Curie, birth, date",))


@pytest.mark.parametrize("evaluation", ["direct", "cot", "few_shot"])
async def test_a_model_evaluates_by_each_prompt(scripted, evaluation):
    """Tables 8 to 10."""
    model = scripted({f"crag/evaluate.{evaluation}": "The year is given.\nYes"})
    given = {"documents": [PAGE], "roles": {"evaluate": model}, "evaluation": evaluation}
    assert (await aanswer(QUESTION, **given)).scores == {"curie": 1}


async def test_the_model_of_a_run_does_not_evaluate_unless_asked_to(scripted):
    done = await aanswer(QUESTION, documents=[PAGE], model=scripted(REPLIES))
    assert done.usage.model_calls == 1
    assert -1 < done.scores["curie"] < 1


@pytest.mark.parametrize(
    ("reply", "said"), [("Perhaps.", "has no yes or no"), (" ", "was not judged")]
)
async def test_what_cannot_be_judged_has_no_say(scripted, reply, said):
    model = scripted(REPLIES | {"crag/evaluate.direct": reply})
    done = await aanswer(QUESTION, documents=[PAGE], roles={"evaluate": model})
    assert (done.action, done.scores) == ("ambiguous", {"curie": None})
    assert any(said in note for note in done.notes)


async def test_a_failed_rewrite_searches_for_the_question(scripted, root):
    web = f"corpus:{root / 'demo' / 'corpus'}"
    given = {"documents": [OTHER], "roles": {"rewrite": scripted({})}, "search": web}
    done = await aanswer(QUESTION, **given)
    assert done.queries == (QUESTION,)
    assert "was searched for as it stands" in done.notes[0]


async def test_a_failed_answer_is_an_error(scripted):
    with pytest.raises(ChatError, match=r"crag/generate\.v1"):
        await aanswer(QUESTION, documents=[PAGE], roles={"generate": scripted({})})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"search": "altavista"}, "no search engine is called 'altavista'"),
        ({"actions": ()}, "actions is empty"),
        ({"roles": {"rewrite": Fixed()}}, "an evaluator cannot fill the role 'rewrite'"),
        ({"roles": {"verify": "local"}}, "no role is called 'verify'"),
        ({"roles": {"evaluate": "t5:"}}, "'t5:'"),
        ({"upper": 2}, "upper=2"),
        ({"colour": "red"}, "crag has no setting 'colour'"),
    ],
)
async def test_what_cannot_be_set_is_refused(settings, said):
    with pytest.raises(SettingError, match=said):
        await aanswer(QUESTION, documents=[PAGE], **settings)


async def test_a_question_there_must_be():
    with pytest.raises(InputError, match="the question is empty"):
        await graph.ainvoke({"documents": [PAGE]})


async def test_a_chat_is_answered():
    out = await graph.ainvoke({"messages": [("human", QUESTION)], "documents": [PAGE]})
    assert out["messages"][-1].content == out["response"]
    assert out["messages"][-1].name == "errata"


@pytest.mark.parametrize(
    ("settings", "knowledge"),
    [
        ({"refinement": False}, [PAGE["text"]]),
        ({"strips": "selection"}, [PAGE["text"]]),
        ({"strips": "fixed_num"}, [PAGE["text"][: PAGE["text"].rindex(".")]]),
        ({"strip_threshold": 1.0}, []),
    ],
)
async def test_refinement_has_its_forms(settings, knowledge):
    """Table 3, and the three forms of strips."""
    done = await aanswer(QUESTION, documents=[PAGE], actions=("correct",), **settings)
    assert [strip.text for strip in done.knowledge] == knowledge


@pytest.mark.parametrize(
    ("settings", "query"),
    [({}, "Marie Curie, born"), ({"rewriting": False}, QUESTION)],
)
async def test_rewriting_may_be_left_out(settings, query, root):
    web = f"corpus:{root / 'demo' / 'corpus'}"
    done = await aanswer(QUESTION, actions=("incorrect",), search=web, **settings)
    assert done.queries == (query,)


async def test_selection_may_be_left_out(root):
    given = {"actions": ("incorrect",), "search": f"corpus:{root / 'demo' / 'corpus'}"}
    whole = await aanswer(QUESTION, selection=False, **given)
    chosen = await aanswer(QUESTION, **given)
    assert [strip.score for strip in whole.knowledge] == [None] * len(whole.knowledge)
    assert all(strip.score is not None for strip in chosen.knowledge)
    assert sum(len(k.text) for k in chosen.knowledge) < sum(len(k.text) for k in whole.knowledge)


def test_the_papers_thresholds_are_there():
    from errata.nodes.crag.evaluate import thresholds

    assert thresholds(CragContext(task="popqa")) == (0.59, -0.99)
    assert thresholds(CragContext(task="arc", upper=0.7)) == (0.7, -0.91)
    assert thresholds(CragContext(roles={"evaluate": Fixed()})) == (0.5, -0.5)

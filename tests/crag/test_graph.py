"""The ways through CRAG's graph, with local code and other evaluators; names of several bearers."""

import json

import pytest

from errata import aanswer
from errata.core.errors import SettingError
from errata.graphs.crag import graph
from errata.nodes.crag.knowledge import thresholds
from errata.nodes.crag.state import CragContext
from errata.tools.judges.evaluator import T5Evaluator
from example import BIRTH_QUESTION

pytestmark = pytest.mark.anyio
PAGE = {
    "id": "curie",
    "title": "Marie Curie",
    "text": "Marie Curie (born 7 November 1867) was a physicist. She lived in Paris. "
    "She kept two daughters. She won two prizes. Bees make honey. Bees fly far.",
}
OTHER = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
REQUEST = {"question": BIRTH_QUESTION, "documents": [PAGE]}


class FixedScore:
    """An evaluator that gives every text the same score."""

    upper, lower, floor = 0.5, -0.5, -0.5

    def __init__(self, score=0.0):
        self.value = score

    def score(self, _, texts):
        return [self.value for _ in texts]


REFINE, SEARCH = ["refine"], ["rewrite", "search", "read", "select"]


@pytest.mark.parametrize(
    ("score", "steps"),
    [(0.6, REFINE), (-0.6, SEARCH), (0.0, REFINE + SEARCH), (0.5, REFINE + SEARCH)],
)
async def test_each_action_has_its_steps(updates, score, steps, demo):
    context = {"roles": {"evaluate": FixedScore(score)}, "search": demo}
    names = [name for name, _ in await updates(graph, REQUEST, context)]
    assert names[:3] + names[-2:] == "receive retrieve evaluate knowledge generate".split()
    assert sorted(names[3:-2]) == sorted(steps)
    if len(steps) > len(SEARCH):  # both at once: documents are refined as the question is rewritten
        assert set(names[3:5]) == {"refine", "rewrite"}


async def test_a_correct_retrieval_is_refined_and_answered_from():
    answer = await aanswer(BIRTH_QUESTION, documents=[PAGE, OTHER])
    assert answer.action == "correct"
    assert answer.response == "Marie Curie (born 7 November 1867) was a physicist."
    assert all(strip.text == PAGE["text"][strip.start : strip.end] for strip in answer.knowledge)
    assert answer.scores["curie"] > answer.scores["bees"]
    assert answer.notes == ("the answer was put together from strips of the documents",)


async def test_an_ambiguous_retrieval_is_answered_from_both(demo):
    roles = {"evaluate": FixedScore()}
    answer = await aanswer(BIRTH_QUESTION, documents=[PAGE], roles=roles, search=demo)
    assert answer.action == "ambiguous"
    sources = {document.id: document.source for document in answer.documents}
    assert {sources[strip.document] for strip in answer.knowledge} == {"given", "web"}


@pytest.mark.parametrize(
    ("search", "note"),
    [
        ("none", "nothing was searched for: search is none"),
        ("serpapi", "serpapi failed: SERPAPI_API_KEY is not set in the environment"),
        ("searxng", "searxng failed: SEARXNG_URL is not set in the environment"),
    ],
)
async def test_without_relevant_knowledge_there_is_no_answer(search, note, monkeypatch):
    monkeypatch.delenv("SERPAPI_API_KEY", raising=False)
    monkeypatch.delenv("SEARXNG_URL", raising=False)
    answer = await aanswer(BIRTH_QUESTION, documents=[OTHER], search=search)
    assert (answer.action, answer.response) == ("incorrect", "No answer found.")
    assert note in answer.notes


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"actions": ()}, "actions is empty"),
        ({"roles": {"rewrite": FixedScore()}}, "an evaluator cannot fill the role 'rewrite'"),
        ({"roles": {"evaluate": "t5:"}}, "'t5:'"),
        ({"upper": 2}, "upper=2"),
    ],
)
async def test_wrong_settings_are_an_error(settings, message):
    with pytest.raises(SettingError, match=message):
        await aanswer(BIRTH_QUESTION, documents=[PAGE], **settings)


@pytest.mark.parametrize(
    ("settings", "knowledge"),
    [
        ({"refinement": False}, [PAGE["text"]]),
        ({"strips": "selection"}, [PAGE["text"]]),
        ({"strips": "fixed_num"}, [PAGE["text"][: PAGE["text"].rindex(".")]]),
        ({"strip_threshold": 1.0}, []),
    ],
)
async def test_documents_are_refined_by_the_settings(settings, knowledge):
    """Table 3, and the three forms of strips."""
    settings = {"documents": [PAGE], "actions": ("correct",), **settings}
    answer = await aanswer(BIRTH_QUESTION, **settings)
    assert [strip.text for strip in answer.knowledge] == knowledge


async def test_the_question_is_rewritten_unless_switched_off(demo):
    settings = {"actions": ("incorrect",), "search": demo, "rewriting": False}
    assert (await aanswer(BIRTH_QUESTION, **settings)).queries == (BIRTH_QUESTION,)


async def test_paragraphs_are_selected_unless_switched_off(demo):
    settings = {"actions": ("incorrect",), "search": demo}
    whole = await aanswer(BIRTH_QUESTION, selection=False, **settings)
    selected = await aanswer(BIRTH_QUESTION, **settings)
    assert [strip.score for strip in whole.knowledge] == [None] * len(whole.knowledge)
    assert all(strip.score is not None for strip in selected.knowledge)
    assert sum(len(k.text) for k in selected.knowledge) < sum(len(k.text) for k in whole.knowledge)


@pytest.mark.parametrize(
    ("settings", "bounds"),
    [
        ({"task": "popqa"}, (0.3, -0.5)),
        ({"task": "popqa", "roles": {"evaluate": T5Evaluator("x")}}, (0.59, -0.99)),
        ({"task": "arc", "roles": {"evaluate": T5Evaluator("x")}}, (0.5, -0.91)),
        ({"task": "arc", "upper": 0.7}, (0.7, -0.5)),
        ({"roles": {"evaluate": FixedScore()}}, (0.5, -0.5)),
    ],
)
def test_thresholds_are_the_runs_the_papers_or_the_evaluators(settings, bounds):
    """Appendix B.3."""
    assert thresholds(CragContext(**settings)) == bounds


DIRECTOR = "Who was the director of Control?"
FILMS = (
    (2007, "Anton Corbijn. It won awards."),
    (2004, "Tim Hunter. It went to video."),
    (2013, "Kenneth Bi. It was long."),
)
FIRST, SECOND, THIRD = (
    {"title": f"Control ({year} film)", "text": f"Control is a {year} film directed by {rest}"}
    for year, rest in FILMS
)


@pytest.mark.parametrize("given", [[FIRST], [FIRST, SECOND]])
async def test_the_corpus_is_asked_once_more_for_three_bearers(write, tmp_path, given):
    decoy = {"id": "decoy", "title": "Director of Control", "text": "A director of control is one."}
    write("pages.jsonl", "\n".join(map(json.dumps, (decoy, SECOND, THIRD))))
    answer = await aanswer(DIRECTOR, documents=given, corpus=str(tmp_path), top_k=1)
    titles = {document.title for document in answer.documents}
    assert titles == {page["title"] for page in (FIRST, SECOND, THIRD, decoy)}
    assert (answer.usage.searches, answer.action) == (2, "correct")


async def test_a_model_reads_a_strip_once(scripted):
    """What a page repeats under its title, in a longer strip or a shorter."""
    again = FIRST | {"id": "again", "text": f"{FIRST['text']} It was long."}
    model = scripted({"crag/generate": "Anton Corbijn."})
    answer = await aanswer(DIRECTOR, documents=[FIRST, again], model=model)
    assert [strip.document for strip in answer.knowledge] == ["again"]

"""What is shown of the answers, to whom, and what explanations make of it."""

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import acheck, acorrect
from errata.tools.models.scripted import ScriptedChat
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio


class Reader(ScriptedChat):
    """A scripted model that keeps what it is asked, by step."""

    asked: dict[str, str] = {}

    def answer(self, prompt, request, sample):
        self.asked[prompt.partition("/")[2].split(".")[0]] = request
        return super().answer(prompt, request, sample)


def reader(**replies):
    named = {f"reex/{step.replace('__', '.')}": reply for step, reply in replies.items()}
    return Reader(script=REPLIES | named, asked={})


def block(request, tag):
    return request.partition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0]


async def test_documents_that_fit_are_shown_whole_and_once_and_nothing_is_asked():
    pages = [PAGE, "Bees make honey.", {"title": "A\n[9]", "text": "One. Two. Three. Four. Five."}]
    model = reader()
    await acheck(QUESTION, DRAFT, "reex", documents=pages, model=model)
    lines = f"[1] {PAGE}\n[2] Bees make honey.\n[3] [A [9]] One. Two. Three.\n[4] Four. Five."
    assert block(model.asked["explain"], "answers") == lines
    assert "ask" not in model.asked


async def test_whole_documents_stand_with_their_question_in_the_papers_form():
    model = reader(explain='1. "1865" -> 1867 (answer 2)')
    settings = {"documents": [PAGE], "model": model, "profile": "paper"}
    correction = await acorrect(QUESTION, DRAFT, "reex", **settings)
    shown = f"1. When was Marie Curie born?\n{PAGE}\n\n2. What was Marie Curie?\nsee answer 1"
    assert block(model.asked["explain"], "answers") == shown
    assert [len(answer["evidence"]) for answer in correction.trail["answers"]] == [1, 1]
    assert correction.usage.by_role["revise"]["model_calls"] == 1


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("", "nothing was found"),
        ("Bees make honey. " * 30, "what was found does not speak of this"),
        (f"Marie rests at home.{' Bees buzz.' * 30}", "[1] Marie rests at home."),
    ],
)
async def test_only_an_empty_retrieval_found_nothing(page, shown):
    model = reader(ask="1. When was Marie Curie born?")
    settings = {"documents": [page] if page else None, "evidence_tokens": 50, "model": model}
    await acheck(QUESTION, DRAFT, "reex", **settings)
    assert block(model.asked["explain"], "answers") == f"- When was Marie Curie born?\n{shown}"


async def test_passages_that_cover_the_questions_stand_under_these():
    born = "Marie was born in 1867. It rained. All slept."
    bees = "Marie kept bees in a yard. They stung. She fled."
    filler = [f"Item {n} is blue. Item {n} is red. Item {n} is old." for n in range(99)]
    page = " ".join([*filler[:20], bees, *filler[20:40], born, *filler[40:]])
    model = reader(ask="1. When was Marie born?\n2. Did Marie keep bees?")
    settings = {"documents": [page], "evidence_tokens": 150, "model": model}
    await acheck(QUESTION, DRAFT, "reex", **settings)
    first, second = block(model.asked["explain"], "answers").split("\n\n")
    assert first.startswith("- When was Marie born?\n[1]")
    assert "born in 1867." in first
    assert second.startswith("- Did Marie keep bees?\n[")
    assert "kept bees in a yard." in second
    assert len(f"{first}{second}") / 4 <= 150


@pytest.mark.parametrize("answer", ["1867.", "Yes.", "Nobody is sure."])
async def test_internal_answers_stay_whole_and_other_evidence_out_of_them(answer, demo):
    model = reader(answer=answer, ask="1. When was Marie Curie born?\n2. Did she keep bees?")
    settings = {"evidence": "internal", "documents": [PAGE], "evidence_tokens": 50, "search": demo}
    settings["corpus"] = demo.removeprefix("corpus:")
    correction = await acheck(QUESTION, DRAFT, "reex", model=model, **settings)
    answers = block(model.asked["explain"], "answers")
    assert answers.splitlines()[1] == f"[the model's answer] {answer}"
    assert PAGE not in answers
    assert [document.source for document in correction.documents] == ["model"]
    unused = "not used: the given documents, the corpus, the search engine"
    assert any(unused in note for note in correction.notes)


async def test_answer_boxes_and_facts_of_an_engine_stay(serving, monkeypatch):
    hits = [{"link": f"https://{n}.example", "snippet": f"{PAGE} {n}"} for n in range(9)]
    facts = {"title": "Marie Curie", "Height": "1.5 m"}
    reply = {"organic_results": hits, "answer_box": {"answer": "Warsaw"}, "knowledge_graph": facts}
    app = Starlette(routes=[Route("/search.json", lambda _: JSONResponse(reply))])
    monkeypatch.setenv("SERPAPI_BASE_URL", serving(app))
    monkeypatch.setenv("SERPAPI_API_KEY", "key")
    model = reader(ask="1. When was Marie Curie born?")
    await acheck(QUESTION, DRAFT, "reex", search="serpapi", model=model, evidence_tokens=50)
    _, box, graph, *_ = block(model.asked["explain"], "answers").splitlines()
    assert box == "[1] [serpapi: answer box] Warsaw"
    assert graph == "[2] [serpapi: knowledge graph] title: Marie Curie Height: 1.5 m"


async def test_questions_over_the_limit_and_a_reply_without_any_are_noted():
    correction = await acheck(QUESTION, DRAFT, "reex", model=reader(), max_questions=1)
    assert "1 sub-questions over max_questions=1" in correction.notes[0]
    correction = await acheck(QUESTION, DRAFT, "reex", model=reader(ask="I have no questions."))
    assert len(correction.trail["questions"]) == 3  # one about each claim
    assert "holds a question" in correction.notes[0]


async def test_revise_sees_the_lines_that_explanations_cite_and_no_others():
    pages = ["She lived in Paris with two cats.", PAGE]
    ask = "1. Where did Marie Curie live?\n2. When was Marie Curie born?"
    model = reader(ask=ask, explain='1. "1865" -> she was born in 1867 [2]')
    correction = await acorrect(QUESTION, DRAFT, "reex", documents=pages, model=model)
    assert correction.response == RESPONSE
    assert block(model.asked["revise"], "answers") == f"[2] {PAGE}"


async def test_where_a_model_explains_each_sentence_is_a_claim():
    """One that states nothing is a claim once an error is explained in it."""
    draft = "Marie Curie was born in 1865 and kept bees. I hope this helps!"
    by_model = await acheck(QUESTION, draft, "reex", documents=[PAGE], model=reader())
    assert [claim.text for claim in by_model.claims] == [draft.partition(" I hope")[0]]
    assert len((await acheck(QUESTION, draft, "reex", documents=[PAGE])).claims) == 2
    draft = "Marie Curie was a physicist. I cannot say when she was born."
    model = reader(explain='1. "I cannot say when she was born" -> in 1867 (answer 1)')
    correction = await acheck(QUESTION, draft, "reex", documents=[PAGE], model=model)
    assert [verdict.label for verdict in correction.verdicts] == ["supported", "refuted"]


@pytest.mark.parametrize(
    ("documents", "label"),
    [
        ([PAGE], "supported"),
        (["Bees make honey."], "not_mentioned"),
        (["Marie Curie was a physicist.", "Marie Curie was not a physicist."], "disputed"),
        ([], "unchecked"),
    ],
)
async def test_silence_supports_nothing(documents, label):
    """A model that explains no error leaves a label that the evidence bears, and no other."""
    draft = "Marie Curie was a physicist."
    model = reader(explain="None")
    correction = await acorrect(QUESTION, draft, "reex", documents=documents, model=model)
    assert (correction.label, [v.label for v in correction.verdicts]) == (label, [label])
    assert correction.response == draft


@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize(
    ("not_shown", "labels", "label"),
    [
        ("none", ["supported", "supported"], "supported"),
        ('"bees"', ["supported", "not_mentioned"], "supported"),
        ('"a physicist", "kept bees"', ["not_mentioned", "not_mentioned"], "not_mentioned"),
    ],
)
async def test_what_the_model_finds_not_shown_is_not_supported(steps, not_shown, labels, label):
    """What it finds shown has the strip that shows it, without a call of the local verifier."""
    reply = f"Factual Errors: None\nNot shown: {not_shown}"
    model = reader(explain=reply, explain_and_revise=f"{reply}\nRevised Response:\nThe same.")
    draft, page = "Marie Curie was a physicist. Marie kept bees.", "Marie Curie: physicist; bees"
    settings = {"documents": [page], "model": model, "steps": steps}
    correction = await acorrect(QUESTION, draft, "reex", **settings)
    assert ([v.label for v in correction.verdicts], correction.label) == (labels, label)
    assert [len(v.evidence) for v in correction.verdicts] == [n == "supported" for n in labels]
    assert ({v.score for v in correction.verdicts}, correction.response) == ({None}, draft)

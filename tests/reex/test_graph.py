"""The ways through RE-EX, with local code and with a scripted model."""

import asyncio

import pytest

from errata import acheck, acorrect
from errata.edits import apply_edits
from errata.errors import InputError, SettingError
from errata.graphs.reex import graph
from errata.tools.models.scripted import ScriptedChat

pytestmark = pytest.mark.anyio

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist. She lived in Paris."
REVISED = "Marie Curie was born in 1867. She was a physicist. She kept bees."
ERROR = '1. "born in 1865" is wrong: she was born in 1867.'
REPLIES = {
    "reex/ask": "1. When was Marie Curie born?\n2. What was Marie Curie?\n2. What was Marie Curie?",
    "reex/answer": "Marie Curie was born in 1867.",
    "reex/explain": f"Factual Errors:\n{ERROR}",
    "reex/explain.plain": ERROR,
    "reex/revise": REVISED,
    "reex/revise.answers": REVISED,
    "reex/revise.plain": REVISED,
    "reex/explain_and_revise": f"Factual Errors:\n{ERROR}\n\nRevised Response:\n{REVISED}",
    "reex/explain_and_revise.plain": f"Revised Response: {REVISED}\nFactual Errors: {ERROR}",
}


async def path(request, context):
    stream = graph.astream(request, context=context, stream_mode="updates")
    return [name async for update in stream for name in update]


async def reex(draft=DRAFT, question=QUESTION, **settings):
    return await acorrect(question, draft, "reex", documents=[PAGE], **settings)


ROWS = [
    ({"evidence": "none", "explanation": False}, "revise", 1),
    ({"evidence": "none"}, "explain revise", 2),
    ({"evidence": "internal", "explanation": False}, "ask answer revise", 4),
    ({"evidence": "internal"}, "ask answer explain revise", 5),
    ({"explanation": False}, "ask answer revise", 2),
    ({}, "ask answer explain revise", 3),
    ({"steps": 1}, "ask answer explain_and_revise", 2),
    ({"steps": 1, "evidence": "none"}, "explain_and_revise", 1),
]


@pytest.mark.parametrize(("settings", "steps", "calls"), ROWS)
async def test_each_row_of_table_3_takes_its_way(scripted, settings, steps, calls):
    """Two-step makes three model calls, one-step two; internal evidence one more a question."""
    context = {"model": scripted(REPLIES), "guard": False, **settings}
    request = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}
    assert await path(request, context) == ["receive", *steps.split(), "report"]
    done = await reex(**context)
    assert done.usage.model_calls == calls
    assert done.response == REVISED
    assert apply_edits(done.draft, done.edits) == done.response


async def test_an_explanation_becomes_edit_and_verdict(scripted):
    done = await reex(model=scripted(REPLIES))
    [edit] = done.edits
    assert (edit.before, edit.after, edit.claims) == ("1865", "1867", ("c1",))
    assert edit.explanation == '"born in 1865" is wrong: she was born in 1867.'
    assert edit.evidence[0].text in PAGE
    assert [v.label for v in done.verdicts] == ["refuted", "supported", "not_mentioned"]
    assert done.label == "refuted"


async def test_local_code_explains_and_revises():
    for steps in (1, 2):
        done = await reex(steps=steps)
        assert (done.response, done.label, done.usage.model_calls) == (REVISED, "refuted", 0)
        assert "the evidence says 1867" in done.edits[0].explanation


async def test_a_draft_without_errors_stays(scripted):
    model = scripted(REPLIES | {"reex/explain": "None."})
    done = await reex(model=model)
    assert (done.response, done.label, done.usage.model_calls) == (DRAFT, "supported", 2)
    nothing = await acorrect("Who?", DRAFT, "reex", model=model)
    assert nothing.label == "not_mentioned"


async def test_a_check_stops_at_the_explanations(scripted):
    done = await acheck(QUESTION, DRAFT, "reex", documents=[PAGE], model=scripted(REPLIES))
    assert (done.response, done.label, done.usage.model_calls) == (DRAFT, "refuted", 2)


async def test_only_sentences_with_errors_are_rewritten(scripted):
    errors = f'{ERROR}\n2. "kept bees": nothing says so.'
    sent = "<draft>\nMarie Curie was born in 1865.\nShe kept bees.\n</draft>"
    revised = [{"when": sent, "reply": "Marie Curie was born in 1867.\nShe lived in Paris."}]
    model = scripted(REPLIES | {"reex/explain": errors, "reex/revise": revised})
    done = await reex(model=model, revision="sentences")
    assert done.response == "Marie Curie was born in 1867. She was a physicist. She lived in Paris."
    assert done.usage.model_calls == 3


async def test_other_sentences_than_were_sent_change_nothing(scripted):
    errors = f'{ERROR}\n2. "kept bees": nothing says so.'
    model = scripted(REPLIES | {"reex/explain": errors, "reex/revise": "Only one came back."})
    done = await reex(model=model, revision="sentences")
    assert done.response == DRAFT
    assert "2 sentences were sent, 1 came back" in done.notes[0]


@pytest.mark.parametrize(
    ("name", "reply", "settings", "labels", "said"),
    [
        ("explain", " ", {}, {"unchecked"}, "no errors were looked for"),
        ("explain", "I'm sorry, I cannot help.", {}, {"unchecked"}, "refused"),
        ("revise", " ", {}, None, "the draft was not revised"),
        ("explain_and_revise", " ", {"steps": 1}, {"unchecked"}, "no errors were looked for"),
        (
            "explain_and_revise",
            "It is fine, I think.",
            {"steps": 1},
            {"unchecked"},
            "names no errors",
        ),
        (
            "explain_and_revise",
            f"Factual Errors:\n{ERROR}",
            {"steps": 1},
            None,
            "holds no revision",
        ),
    ],
)
async def test_a_failed_reply_never_changes_the_draft(
    scripted, name, reply, settings, labels, said
):
    done = await reex(model=scripted(REPLIES | {f"reex/{name}": reply}), **settings)
    assert done.response == DRAFT
    assert any(said in note for note in done.notes)
    assert labels is None or {verdict.label for verdict in done.verdicts} == labels
    assert done.label != "supported"


async def test_a_failed_ask_asks_about_each_claim(scripted):
    done = await reex(roles={"ask": scripted({})})
    assert done.response == REVISED
    assert "each claim was asked about instead" in done.notes[0]


async def test_a_harmful_revision_is_guarded(scripted):
    model = scripted(REPLIES | {"reex/revise": REVISED.replace("physicist", "physicist of Brazil")})
    done = await reex(model=model)
    assert done.response == REVISED
    assert "adds 'brazil'" in done.notes[0]


async def test_sub_questions_are_searched_for_all_at_once(root):
    web = f"corpus:{root / 'demo' / 'corpus'}"
    done = await acorrect(QUESTION, DRAFT, "reex", search=web)
    assert done.response == REVISED
    assert done.usage.searches == 3
    assert {document.source for document in done.documents} == {"web"}


async def test_internal_answers_are_given_all_at_once():
    barrier = asyncio.Barrier(3)

    class Waiting(ScriptedChat):
        async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
            await asyncio.wait_for(barrier.wait(), 5)
            return self._generate(messages, stop, run_manager, **kwargs)

    roles = {"answer": Waiting(script=REPLIES)}
    done = await acorrect(QUESTION, DRAFT, "reex", evidence="internal", roles=roles)
    assert done.response == REVISED
    assert {document.source for document in done.documents} == {"model"}


async def test_evidence_is_filtered_unless_told_otherwise():
    long = PAGE + " Bees make honey. Bees fly far. Bees sting. Bees sleep." * 20
    seen = []

    class Watching(ScriptedChat):
        def answer(self, prompt, request):
            seen.append((prompt, len(request)))
            return super().answer(prompt, request)

    for filtered in (True, False):
        given = {"documents": [long], "roles": {"explain": Watching(script=REPLIES)}}
        await acheck(QUESTION, DRAFT, "reex", filter_evidence=filtered, **given)
    assert seen[0][1] < seen[1][1] / 2


async def test_the_evidence_keeps_to_its_budget():
    from errata.nodes.reex.answer import _cut_to_budget
    from errata.records import Knowledge, SubAnswer

    strips = [
        Knowledge(document="d", start=n, end=n + 40, text="x" * 40, score=n / 10) for n in range(9)
    ]
    kept = _cut_to_budget([SubAnswer(question="q", evidence=tuple(strips))], 35)
    assert [strip.score for strip in kept[0].evidence] == [0.6, 0.7, 0.8]


@pytest.mark.parametrize(
    ("draft", "settings", "kind", "said"),
    [
        ("", {}, InputError, "the draft is empty"),
        (DRAFT, {"evidence": "internal"}, SettingError, "a model's own"),
        (DRAFT, {"steps": 3}, SettingError, "steps=3"),
        (DRAFT, {"roles": {"verify": "local"}}, SettingError, "no role is called 'verify'"),
    ],
)
async def test_bad_input_is_refused(draft, settings, kind, said):
    with pytest.raises(kind, match=said):
        await reex(draft, **settings)


async def test_another_language_is_left_alone():
    draft = "Marie Curie wurde 1865 in Warschau geboren. Sie war eine berühmte Physikerin."
    done = await reex(draft)
    assert done.response == draft
    assert {verdict.label for verdict in done.verdicts} == {"unchecked"}

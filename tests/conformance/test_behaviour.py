"""What every registered method does, with local code in all roles and with a model in all."""

import asyncio
import json
from itertools import pairwise

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from errata import Session
from errata.core.edits import apply_edits
from errata.core.errors import ChatError, InputError
from errata.core.events import Step, read_event
from errata.core.jsonable import from_json, to_json
from errata.core.records import Edit
from errata.nodes.ends import hand_out
from errata.prompts.library import load_prompt
from example import DOCUMENTS, DRAFT, PAGE, QUESTION, RESPONSE

THREAD = {"configurable": {"thread_id": "1"}}


def with_checkpoints(method):
    """The method's graph with a checkpointer, so that a run can stop and go on."""
    return method.graph.builder.compile(checkpointer=InMemorySaver())


def test_the_draft_with_its_edits_is_the_response(reviser, settings):
    correction = Session(reviser.name, **settings).correct(QUESTION, DRAFT, [PAGE])
    assert correction.response == RESPONSE
    assert apply_edits(correction.draft, correction.edits) == correction.response
    assert (correction.method, correction.label) == (reviser.name, "refuted")
    assert correction.changed
    assert all(edit.claims for edit in correction.edits)


def test_a_check_changes_nothing(corrector, settings):
    correction = Session(corrector.name, **settings).check(QUESTION, DRAFT, [PAGE])
    assert (correction.response, correction.edits, correction.label) == (DRAFT, (), "refuted")


def test_a_check_drops_edits_that_a_step_proposed(corrector):
    kind = corrector.graph.builder.state_schema
    edit = Edit(start=0, end=5, before=DRAFT[:5], after="Pierre")
    state = kind(draft=DRAFT, edits=[edit])
    result = hand_out(state, corrector.context(check_only=True), "refuted")
    assert (result["response"], result["edits"]) == (DRAFT, [])
    assert hand_out(state, corrector.context(), "refuted")["response"].startswith("Pierre")


@pytest.mark.parametrize("protected", [["1865"], [(0, len(DRAFT))], ["Marie Curie was", (24, 28)]])
def test_what_is_protected_is_not_edited(reviser, settings, protected):
    session = Session(reviser.name, **settings)
    correction = session.correct(QUESTION, DRAFT, [PAGE], protected=protected)
    assert (correction.response, correction.edits, correction.label) == (DRAFT, (), "refuted")
    assert any("was refused: it is protected" in note for note in correction.notes)
    assert correction.unmended


@pytest.mark.parametrize(("decision", "response"), [("accept", RESPONSE), ("reject", DRAFT)])
def test_a_review_waits_for_a_person(reviser, settings, request_for, decision, response):
    graph, context = with_checkpoints(reviser), {"review": "all", **settings}
    stopped = asyncio.run(graph.ainvoke(request_for(reviser), THREAD, context=context))
    [waiting] = stopped["__interrupt__"]
    assert waiting.value["draft"] == DRAFT
    assert waiting.value["response"] == RESPONSE
    resumed = graph.ainvoke(Command(resume=decision), THREAD, context=context)
    assert asyncio.run(resumed)["response"] == response


def test_a_failing_model_leaves_the_draft_and_a_note(corrector, failing):
    correction = Session(corrector.name, model=failing).correct(QUESTION, DRAFT, [PAGE])
    assert (correction.response, correction.edits) == (DRAFT, ())
    assert correction.label != "supported"
    assert any("has no (further) reply" in note for note in correction.notes)


def test_a_failing_model_cannot_answer(answerer, failing):
    with pytest.raises(ChatError, match="has no"):
        Session(answerer.name, model=failing).answer(QUESTION, [PAGE])


def test_state_and_updates_are_json(method, settings, request_for):
    """Any checkpointer can hold them; a chat's messages are LangChain's own."""
    graph = with_checkpoints(method)

    async def run():
        stream = graph.astream(request_for(method), THREAD, context=settings, stream_mode="updates")
        return [update async for update in stream]

    for update in asyncio.run(run()):
        for name, value in next(iter(update.values())).items():
            assert name == "messages" or json.loads(json.dumps(value)) == value
    values = graph.get_state(THREAD).values
    plain = {name: value for name, value in values.items() if name not in ("messages", "documents")}
    assert json.loads(json.dumps(plain)) == plain
    json.dumps(to_json(values["documents"]))


def test_the_result_lists_the_prompts_that_were_sent(method, by_model, request_for):
    out = asyncio.run(method.graph.ainvoke(request_for(method), context=by_model))
    result = method.read(out)
    assert result.prompts
    assert result.prompts == {name: load_prompt(name).digest for name in result.prompts}
    assert result.usage.model_calls >= len(result.prompts)


def test_local_code_sends_no_prompt(method, request_for):
    out = asyncio.run(method.graph.ainvoke(request_for(method)))
    assert (method.read(out).prompts, method.read(out).usage.model_calls) == ({}, 0)


def test_a_correction_has_the_methods_own_trail(corrector, settings, request_for):
    out = asyncio.run(corrector.graph.ainvoke(request_for(corrector), context=settings))
    trail = corrector.read(out).trail
    assert set(trail) == set(corrector.graph.builder.state_schema.TRAIL)
    assert json.loads(json.dumps(trail)) == trail
    assert any(trail.values())


def test_a_second_run_on_a_thread_starts_from_zero(method, settings, request_for):
    graph = with_checkpoints(method)
    first, second = (
        asyncio.run(graph.ainvoke(request_for(method), THREAD, context=settings)) for _ in "ab"
    )
    assert first["usage"]["model_calls"] == second["usage"]["model_calls"]
    assert (first["notes"], first["response"]) == (second["notes"], second["response"])


def test_a_malformed_state_is_refused_and_the_thread_stays_usable(method, request_for):
    """Whatever a caller writes into a run's past, and at whichever step."""
    graph = with_checkpoints(method)
    first = asyncio.run(graph.ainvoke(request_for(method), THREAD))
    kind = method.graph.builder.state_schema
    malformed = {name: 7 for name in kind.model_fields if name not in ("messages", "changed")}
    for name, value in malformed.items():
        wrong = {name: [value] if name in ("question", "response", "draft", "method") else value}
        for node in graph.builder.nodes:
            with pytest.raises(InputError):
                graph.update_state(THREAD, wrong, as_node=node)
    again = asyncio.run(graph.ainvoke(request_for(method), THREAD))
    assert again["response"] == first["response"]


def test_progress_goes_to_the_custom_stream(method, settings, request_for):
    async def run():
        stream = method.graph.astream(
            request_for(method), context=settings, stream_mode=["custom", "updates"], subgraphs=True
        )
        return [part async for part in stream]

    parts = asyncio.run(run())
    events = [read_event(event) for _, mode, event in parts if mode == "custom"]
    events = [event for event in events if isinstance(event, Step)]
    steps = [name for _, mode, update in parts if mode == "updates" for name in update]
    steps = [name for name in steps if name != "knowledge" and not name.startswith("__")]
    assert {event.step for event in events} == set(steps)
    for name in set(steps):
        told = [(event.done, event.total) for event in events if event.step == name]
        assert (told[0], told[-1][0]) == ((0, 1), told[-1][1])
        for (done, total), (next_done, next_total) in pairwise(told):
            is_next_pass = (next_done, next_total) == (0, 1)
            assert is_next_pass or done / total <= next_done / next_total


def test_the_final_message_carries_what_it_rests_on(method, settings, request_for):
    out = asyncio.run(method.graph.ainvoke(request_for(method), context=settings))
    message = out["messages"][-1]
    record = message.additional_kwargs["errata"]
    assert (message.content, record["method"]) == (out["response"], method.name)
    if method.corrects:
        assert record["edits"] == to_json(out["edits"])
        assert record["verdicts"] == to_json(out["verdicts"])
        assert record["draft"] == out["draft"]
    else:
        assert record["knowledge"] == to_json(out["knowledge"])


def test_marks_change_nothing_else(method, settings, request_for):
    """The statements that have support are marked, in the record and in the message."""

    def run(**own):
        return asyncio.run(method.graph.ainvoke(request_for(method), context=settings | own))

    plain, out = run(), run(cite="footnotes")
    marks = [from_json(Edit, mark) for mark in out["trail"]["marks"]]
    assert all(edit.before == "" for edit in marks)
    assert apply_edits(plain["response"], marks) == out["response"] == out["messages"][-1].text
    assert out["usage"]["model_calls"] == plain["usage"]["model_calls"]
    if method.corrects:
        result = method.read(out)
        assert apply_edits(result.draft, result.edits) == result.response
        supported = {v.claim for v in result.verdicts if v.label == "supported" and v.evidence}
        assert supported <= {claim for edit in marks for claim in edit.claims}


def test_a_draft_pasted_into_a_chat_is_checked(reviser, settings):
    chat = {"messages": [("user", DRAFT)], "documents": DOCUMENTS}
    out = asyncio.run(reviser.graph.ainvoke(chat, context=settings))
    assert (out["draft"], out["response"]) == (DRAFT, RESPONSE)
    assert any("taken for a draft" in note for note in out["notes"])

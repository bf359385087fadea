"""Methods as runnables of a chain, which tracers see, and as tools that an agent calls."""

import asyncio
import json
from operator import add
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from errata import Answer, Correction, answerer, corrector, tool
from errata.core.errors import InputError, SettingError
from example import BIRTH_QUESTION, DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

PAGES = [Document(PAGE, metadata={"title": "Marie Curie", "source": "https://x.org/curie"})]
SAID = [HumanMessage(QUESTION), AIMessage(DRAFT)]
INPUTS = {
    "our own names": {"question": QUESTION, "draft": DRAFT, "documents": [PAGE]},
    "a retrieval chain": {"input": QUESTION, "answer": DRAFT, "context": PAGES},
    "RetrievalQA": {"query": QUESTION, "result": AIMessage(DRAFT), "source_documents": PAGES},
    "an agent": {"messages": [SAID[0], ToolMessage(PAGE, tool_call_id="1"), SAID[1]]},
}


@pytest.mark.parametrize("value", [DRAFT, AIMessage(DRAFT)])
@pytest.mark.parametrize("method", ["rac", "reex"])
def test_bound_documents_correct_a_text(value, method):
    bound = corrector(method, documents=PAGES)
    assert bound.invoke(value).response == RESPONSE
    assert [each.response for each in bound.batch([value] * 2)] == [RESPONSE] * 2


def test_an_answerer_answers():
    answer = answerer(documents=PAGES).invoke(BIRTH_QUESTION)
    assert isinstance(answer, Answer)
    assert answer.response == PAGE
    assert answer.documents[0].url == "https://x.org/curie"
    request = {"question": BIRTH_QUESTION, "documents": [PAGE]}
    assert asyncio.run(answerer().ainvoke(request)).action == "correct"


NO_DRAFT = "came without a draft: a text in draft, answer, output, response, result, an"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (7, "cannot read a int; give a text or a mapping"),
        ({}, f"an empty mapping {NO_DRAFT}"),
        ({"question": QUESTION, "draft": ""}, f"question, draft {NO_DRAFT}"),
        ({"question": QUESTION, "summary": DRAFT}, f"question, summary {NO_DRAFT}"),
        ({"messages": [HumanMessage(QUESTION)]}, f"messages {NO_DRAFT}"),
    ],
)
def test_an_input_without_text_is_an_error(value, fault):
    with pytest.raises(InputError, match=fault):
        corrector().invoke(value)


@pytest.mark.parametrize("make", [corrector, answerer, tool])
def test_wrong_settings_are_an_error_at_once(make):
    with pytest.raises(SettingError):
        make(speed=1)


def node_state(**fields):
    """A graph's state with these fields, and `response`."""
    return TypedDict("State", {**fields, "response": str}, total=False)


def run_node(state, value, **options):
    """What a graph of one corrector makes of a state."""
    node = corrector(**options)
    graph = StateGraph(state).add_node("fix", node).add_edge(START, "fix").compile()
    return graph.invoke(value)


OWN = {"question": "user_query", "draft": "summary", "documents": "notes"}


@pytest.mark.parametrize(
    ("value", "own", "place"),
    [
        ({"messages": SAID, "documents": PAGES}, {}, "messages"),
        ({"messages": SAID, "context": PAGES}, {}, "messages"),
        ({"messages": SAID, "documents": PAGES, "summary": DRAFT}, {"draft": "summary"}, "summary"),
        ({"user_query": QUESTION, "notes": PAGES, "summary": DRAFT, "draft": "1"}, OWN, "summary"),
        ({"q": QUESTION, "messages": SAID, "source": PAGES}, {"documents": "source"}, "messages"),
        ({"response": DRAFT, "documents": PAGES}, {}, "response"),
        ({"answer": AIMessage(DRAFT), "documents": PAGES}, {}, "answer"),
        (INPUTS["our own names"], {}, "response"),
        (INPUTS["a retrieval chain"], {}, "answer"),
        (INPUTS["RetrievalQA"], {}, "result"),
        (INPUTS["an agent"], {}, "messages"),
    ],
)
def test_a_node_changes_the_draft_alone_and_leaves_the_callers_objects(value, own, place):
    after = run_node(node_state(**dict.fromkeys(value, Any)), value, **own)
    text = after[place][-1] if place == "messages" else after[place]
    assert getattr(text, "content", text) == after["response"] == RESPONSE
    assert all(after[name] is value[name] for name in value if name != place)
    assert corrector(**own).invoke(value).documents[0].text == PAGE


@pytest.mark.parametrize("part", ["draft", "question", "documents"])
def test_a_named_key_that_the_state_lacks_is_an_error(part):
    typo = "smmary"
    value = {"user_query": QUESTION, "summary": DRAFT, "notes": [PAGE]}
    own, state = OWN | {part: typo}, node_state(**dict.fromkeys(value, Any))
    named = f"named by {part}='{typo}'; it has user_query, summary, notes"
    for run in (corrector(**own).invoke, lambda given: run_node(state, given, **own)):
        with pytest.raises(InputError, match=f"the state has no '{typo}', {named}"):
            run(value)
    empty = corrector(**OWN).invoke({**value, "notes": []})
    assert (empty.checked, {v.label for v in empty.verdicts}) == (False, {"unchecked"})


def test_what_adds_up_is_not_given_twice():
    state = node_state(answer=str, documents=Annotated[list, add])
    assert run_node(state, {"answer": DRAFT, "documents": PAGES})["documents"] == PAGES
    state = node_state(messages=Annotated[list, add_messages])
    said = [message.content for message in run_node(state, INPUTS["an agent"])["messages"]]
    assert said == [QUESTION, PAGE, RESPONSE]


FIELDS = ("claims", "verdicts", "edits", "notes", "skipped", "unmended", "usage", "prompts")


def last(_: Any, new: Any) -> Any:
    """A reducer of the caller's own."""
    return new


@pytest.mark.parametrize("reducer", [add, last])
@pytest.mark.parametrize("saver", [InMemorySaver, None])
def test_a_corrector_writes_json_which_any_reducer_and_checkpoint_takes(reducer, saver):
    lists = dict.fromkeys(FIELDS[:6], Annotated[list, reducer])
    state = node_state(answer=str, documents=list, **lists, usage=dict, prompts=dict)
    seen = []

    def approve(state):
        interrupt("well?") if saver else None
        seen.append((state["edits"][0]["before"], state["claims"][-1]["text"]))

    builder = StateGraph(state).add_node("fix", corrector()).add_node(approve)
    builder.add_edge(START, "fix").add_edge("fix", "approve")
    graph = builder.compile(checkpointer=saver and saver())
    request = {"answer": DRAFT, "documents": [PAGE], "notes": ["before"]}
    thread = {"configurable": {"thread_id": "1"}}
    out = graph.invoke(request, thread)
    out = graph.invoke(Command(resume=True), thread) if saver else out
    assert seen == [("1865", out["claims"][-1]["text"])]
    assert json.loads(json.dumps(own := {name: out[name] for name in FIELDS})) == own
    assert (out["notes"][:1] == ["before"]) is (reducer is add)


REQUEST = {"draft": DRAFT, "question": QUESTION, "documents": [PAGE]}


def results(verb, arguments):
    """What a tool returns to a plain call and to an async one."""
    call = {"name": verb, "type": "tool_call", "id": "1", "args": arguments}
    return tool(verb).invoke(call), asyncio.run(tool(verb).ainvoke(call))


@pytest.mark.parametrize(
    ("verb", "arguments", "begins", "kind"),
    [
        ("correct", REQUEST, f"{RESPONSE}\n\nChanged: '1865' to '1867'", Correction),
        ("check", REQUEST, "The draft is refuted.\n\nrefuted: Marie Curie was", Correction),
        ("answer", {"question": BIRTH_QUESTION, "documents": [PAGE]}, PAGE, Answer),
        ("answer", {"question": BIRTH_QUESTION, "documents": PAGE}, PAGE, Answer),
    ],
)
def test_a_tool_returns_text_and_the_record(verb, arguments, begins, kind):
    for message in results(verb, arguments):
        assert message.content.startswith(begins)
        assert isinstance(message.artifact, kind)


@pytest.mark.parametrize("verb", ["correct", "check", "answer"])
def test_a_tool_describes_itself(verb):
    assert tool(verb).name == verb
    assert tool(verb).description
    assert all(field["description"] for field in tool(verb).args.values())


def test_a_failure_is_a_message_to_the_agent():
    for message in results("correct", {"draft": " "}):
        assert message.status == "error"
        assert "draft is empty" in message.content


STEPS = "receive retrieve extract verify correct revise propose review report".split()


class Seen(BaseCallbackHandler):
    """As those of LangSmith and Langfuse: told of every step and of every call."""

    def __init__(self):
        self.names, self.parents, self.calls = {}, {}, []

    def on_chain_start(self, _, __, *, run_id, parent_run_id=None, name="", **_kwargs):
        self.names[run_id] = name
        self.parents[name] = self.names.get(parent_run_id)

    def on_chat_model_start(self, _, messages, *, metadata=None, **_kwargs):
        self.calls.append((metadata["prompt"], messages[0][0].content))


def test_a_callback_handler_sees_steps_and_calls(scripted):
    seen, chain = Seen(), corrector(model=scripted(REPLIES)) | RunnableLambda(lambda c: c.response)
    request = {"draft": DRAFT, "documents": [PAGE]}
    assert chain.invoke(request, {"callbacks": [seen]}) == RESPONSE
    assert seen.parents["RAC"] == "errata.rac"
    assert [name for name, parent in seen.parents.items() if parent == "RAC"][: len(STEPS)] == STEPS
    prompts = [prompt.partition(".")[0] for prompt, _ in seen.calls]
    assert prompts == ["rac/verify", "rac/correct", "rac/revise"]
    assert DRAFT.split(". ")[0] in seen.calls[0][1]

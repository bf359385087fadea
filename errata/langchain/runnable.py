"""The methods as LangChain Runnables and tools: settings bound once, typed results."""

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import Field, create_model

from errata.core.errors import ErrataError, SettingError
from errata.core.records import Answer, Correction
from errata.given import Documents, as_documents
from errata.langchain.messages import KEYS, annotate, as_mapping, read_request
from errata.nodes.citing import citations_of
from errata.render.text import as_text, verdicts_as_text
from errata.running import run_once
from errata.session import Session

T = TypeVar("T")
Verb = Literal["correct", "check", "answer"]
DESCRIPTIONS: dict[Verb, str] = {
    "correct": "Correct factual errors in a text by evidence; gives the corrected text first.",
    "check": "Check a text's claims against evidence; tells which are supported or refuted.",
    "answer": "Answer a question from documents and the web, with the sources it rests on.",
}
Draft = Annotated[str, Field(description="The text to judge.")]
Question = Annotated[str, Field(description="The question that the text answers.")]
AnsweredQuestion = Annotated[str, Field(description="The question to answer.")]
Texts = Annotated[tuple[str, ...], Field(description="Texts to judge by, not their paths.")]


def corrector(
    method: str = "rac",
    *,
    documents: Documents | None = None,
    corpus: object = None,
    **settings: Any,
) -> Runnable[Any, Correction]:
    """A Runnable that corrects what a chain or an agent wrote.

    It takes a text, a message, an agent's state, or a mapping that holds question, draft and
    documents under their names or those of LangChain's chains (KEYS); documents from the input come
    before the bound ones. `settings` are those of `errata.correct`.

    As a node of a graph it puts the corrected text where the state had the draft (`answer`,
    `messages`, …), or into `response` if that was `draft`; it also sets those fields of a
    Correction that the state has.

    Raises SettingError at once if a setting is unknown; a call raises InputError if it has no text.
    """
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    async def acall(value: object) -> Correction:
        request = read_request(value)
        evidence = [*as_documents(request["documents"]), *(documents or ())]
        correction = await session.acorrect(request["question"], request["draft"], evidence)
        # LangGraph takes from a node's result the attributes that are named as the state's keys.
        vars(correction).update(_state_of(value, correction))
        return correction

    return _runnable(session, acall)


def answerer(
    method: str = "crag",
    *,
    documents: Documents | None = None,
    corpus: object = None,
    **settings: Any,
) -> Runnable[Any, Answer]:
    """A Runnable that answers a question: a text, or a mapping with documents beside it.

    `settings` are those of `errata.answer`. Raises as `corrector` does.
    """
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=False)

    async def acall(value: object) -> Answer:
        request = read_request({"question": value} if isinstance(value, str) else value)
        return await session.aanswer(
            request["question"], [*as_documents(request["documents"]), *(documents or ())]
        )

    return _runnable(session, acall)


def _runnable(
    session: Session, acall: Callable[[object], Coroutine[Any, Any, T]]
) -> Runnable[Any, T]:
    """A Runnable that makes the call inside an event loop and outside one."""

    def call(value: object) -> T:
        return session.run(acall, value)

    return RunnableLambda(call, acall, name=f"errata.{session.method.name}")


def _state_of(value: object, correction: Correction) -> dict[str, Any]:
    """The corrected text under the input's name for the draft; empty for `draft` and `response`."""
    value = as_mapping(value)
    if not isinstance(value, Mapping):
        return {}
    outcome = {"label": correction.label, "changed": correction.changed}
    cited = citations_of(correction)
    if "messages" in value:
        *others, last = value["messages"]
        return {"messages": [*others, annotate(last, correction.response, outcome, cited)]}
    name = next((name for name in KEYS["draft"] if value.get(name)), "draft")
    if name in ("draft", "response"):
        return {}
    text = correction.response
    is_message = isinstance(value[name], BaseMessage)
    return {name: annotate(value[name], text, outcome, cited) if is_message else text}


def tool(
    verb: Verb = "correct", method: str = "", *, corpus: object = None, **settings: Any
) -> BaseTool:
    """A LangChain tool for an agent: text out, and the typed result as its artifact.

    Raises SettingError if there is no such verb or setting.
    """
    if verb not in DESCRIPTIONS:
        raise SettingError(f"no tool is called {verb!r}; there is {', '.join(DESCRIPTIONS)}")
    fields: dict[str, Any] = {"draft": (Draft, ...), "question": (Question, "")}
    render: Any = verdicts_as_text if verb == "check" else as_text
    runnable: Runnable[Any, Any]
    if verb == "answer":
        fields = {"question": (AnsweredQuestion, ...)}
        runnable = answerer(method or "crag", corpus=corpus, **settings)
    else:
        own = {**settings, "check_only": True} if verb == "check" else settings
        runnable = corrector(method or "rac", corpus=corpus, **own)
    fields["documents"] = (Texts, ())

    async def acall(**request: Any) -> tuple[str, Correction | Answer]:
        try:
            result = await runnable.ainvoke(request)
        except ErrataError as error:
            raise ToolException(str(error)) from error
        return render(result), result

    def call(**request: Any) -> tuple[str, Correction | Answer]:
        return run_once(partial(acall, **request))

    return StructuredTool.from_function(
        call,
        acall,
        name=verb,
        description=DESCRIPTIONS[verb],
        args_schema=create_model(verb.capitalize(), __doc__=DESCRIPTIONS[verb], **fields),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )

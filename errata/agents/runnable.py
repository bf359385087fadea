"""The methods as LangChain Runnables and tools: settings bound once, typed results."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, create_model

from errata.agents.messages import evidence_in, question_and_answer
from errata.agents.tool_schemas import DOES, Asked, Documents, Draft, Question, Verb
from errata.api import ANSWERING, CORRECTING, Given, aanswer, acorrect, prepared, run
from errata.errors import ErrataError, InputError, SettingError
from errata.records import Answer, Correction
from errata.render.text import as_text, verdicts_as_text

T = TypeVar("T")
KEYS = {
    "question": ("question", "input", "query"),
    "draft": ("draft", "answer", "output", "response", "result"),
    "documents": ("documents", "context", "source_documents"),
}
"""What LangChain's chains call a question, an answer, and what was retrieved for it."""


def corrector(
    method: str = "rac",
    *,
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Runnable[Any, Correction]:
    """Give a Runnable that corrects what a chain or an agent wrote.

    It takes a text, a message, an agent's state, or a mapping that holds question, draft and
    documents under their names or those of LangChain's chains (KEYS); documents from the input come
    before the bound ones. `settings` are those of `errata.correct`.

    Raises SettingError at once where a setting is unknown, InputError on a call that holds no text.
    """
    prepared(method, CORRECTING, corpus, settings)

    async def acall(value: object) -> Correction:
        asked = _read(value)
        ground = [*asked.pop("documents"), *(documents or ())]
        return await acorrect(method=method, documents=ground, corpus=corpus, **asked, **settings)

    return _runnable(acall, method)


def answerer(
    method: str = "crag",
    *,
    documents: Given | None = None,
    corpus: object = None,
    **settings: Any,
) -> Runnable[Any, Answer]:
    """Give a Runnable that answers a question: a text, or a mapping with documents beside it.

    `settings` are those of `errata.answer`. Raises as `corrector` does.
    """
    prepared(method, ANSWERING, corpus, settings)

    async def acall(value: object) -> Answer:
        asked = _read({"question": value} if isinstance(value, str) else value)
        ground = [*asked["documents"], *(documents or ())]
        return await aanswer(asked["question"], method, ground, corpus, **settings)

    return _runnable(acall, method)


def _runnable(acall: Callable[[object], Coroutine[Any, Any, T]], method: str) -> Runnable[Any, T]:
    """Give what runs the same in an event loop and outside one."""

    def call(value: object) -> T:
        return run(acall(value))

    return RunnableLambda(call, acall, name=f"errata.{method}")


def _read(value: object) -> dict[str, Any]:
    """Find question, draft and documents in what a chain or an agent hands on."""
    if isinstance(value, str | BaseMessage):
        text = value if isinstance(value, str) else str(value.text)
        return {"question": "", "draft": text, "documents": ()}
    if not isinstance(value, Mapping):
        raise InputError(f"cannot read a {type(value).__name__}; give a text or a mapping")
    if "messages" in value:
        question, draft = question_and_answer(value["messages"])
        ground = evidence_in(value["messages"], "conversation")
        return {"question": question, "draft": draft, "documents": ground}
    found = {part: _first(value, names) for part, names in KEYS.items()}
    if not (found["question"] or found["draft"]):
        wanted = " or ".join((*KEYS["question"], *KEYS["draft"]))
        raise InputError(f"{', '.join(value) or 'an empty mapping'} came without text in {wanted}")
    draft = found["draft"] or ""
    return {
        "question": found["question"] or "",
        "draft": str(draft.text) if isinstance(draft, BaseMessage) else draft,
        "documents": found["documents"] or (),
    }


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if value.get(name)), None)


def tool(
    verb: Verb = "correct", method: str = "", *, corpus: object = None, **settings: Any
) -> BaseTool:
    """Give a LangChain tool for an agent: text out, and the typed result as its artifact.

    Raises SettingError where there is no such verb or setting.
    """
    if verb not in DOES:
        raise SettingError(f"no tool is called {verb!r}; there is {', '.join(DOES)}")
    if verb == "answer":
        bound: Runnable[Any, Any] = answerer(method or "crag", corpus=corpus, **settings)
    else:
        settings |= {"check_only": True} if verb == "check" else {}
        bound = corrector(method or "rac", corpus=corpus, **settings)
    tell: Any = verdicts_as_text if verb == "check" else as_text

    async def acall(**asked: Any) -> tuple[str, Correction | Answer]:
        try:
            found = await bound.ainvoke(asked)
        except ErrataError as error:
            raise ToolException(str(error)) from error
        return tell(found), found

    def call(**asked: Any) -> tuple[str, Correction | Answer]:
        return run(acall(**asked))

    return StructuredTool.from_function(
        call,
        acall,
        name=verb,
        description=DOES[verb],
        args_schema=arguments(verb),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def arguments(verb: Verb) -> type[BaseModel]:
    """Give the few arguments that a tool takes."""
    fields: dict[str, Any] = {"question": (Asked, ...), "documents": (Documents, ())}
    if verb != "answer":
        fields = {"draft": (Draft, ...), "question": (Question, ""), "documents": (Documents, ())}
    return create_model(verb.capitalize(), __doc__=DOES[verb], **fields)

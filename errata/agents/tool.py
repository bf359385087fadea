"""The methods as tools for agents: text for the model, the record as artifact."""

from typing import Any

from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, create_model

from errata.agents.runnable import answerer, corrector
from errata.agents.tool_schemas import (
    DESCRIPTIONS,
    AnsweredQuestion,
    Documents,
    Draft,
    Question,
    Verb,
)
from errata.core.errors import ErrataError, SettingError
from errata.core.records import Answer, Correction
from errata.render.text import as_text, verdicts_as_text


def tool(
    verb: Verb = "correct", method: str = "", *, corpus: object = None, **settings: Any
) -> BaseTool:
    """A LangChain tool for an agent: text out, and the typed result as its artifact.

    Raises SettingError if there is no such verb or setting.
    """
    if verb not in DESCRIPTIONS:
        raise SettingError(f"no tool is called {verb!r}; there is {', '.join(DESCRIPTIONS)}")
    runnable = _runnable(verb, method, corpus=corpus, **settings)
    render: Any = verdicts_as_text if verb == "check" else as_text

    async def acall(**request: Any) -> tuple[str, Correction | Answer]:
        try:
            result = await runnable.ainvoke(request)
        except ErrataError as error:
            raise ToolException(str(error)) from error
        return render(result), result

    def call(**request: Any) -> tuple[str, Correction | Answer]:
        try:
            result = runnable.invoke(request)
        except ErrataError as error:
            raise ToolException(str(error)) from error
        return render(result), result

    return StructuredTool.from_function(
        call,
        acall,
        name=verb,
        description=DESCRIPTIONS[verb],
        args_schema=arguments(verb),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def _runnable(verb: Verb, method: str, *, corpus: object, **settings: Any) -> Runnable[Any, Any]:
    if verb == "answer":
        return answerer(method or "crag", corpus=corpus, **settings)
    checking = {"check_only": True} if verb == "check" else {}
    return corrector(method or "rac", corpus=corpus, **settings | checking)


def arguments(verb: Verb) -> type[BaseModel]:
    """The few arguments that a tool takes."""
    fields: dict[str, Any] = {"question": (AnsweredQuestion, ...), "documents": (Documents, ())}
    if verb != "answer":
        fields = {"draft": (Draft, ...), "question": (Question, ""), "documents": (Documents, ())}
    return create_model(verb.capitalize(), __doc__=DESCRIPTIONS[verb], **fields)

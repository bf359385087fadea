"""The methods as LangChain Runnables and tools: settings bound once, typed results."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BeforeValidator, Field, create_model

from errata.core.errors import ErrataError, InputError, SettingError
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.given import Documents, as_list
from errata.langchain.messages import KEYS, annotate, as_mapping, read_request
from errata.nodes.citing import citations_of
from errata.render.findings import as_text, verdicts_as_text
from errata.running import plain
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
Texts = Annotated[
    tuple[str, ...],
    BeforeValidator(
        lambda value: (value,) if isinstance(value, str) else value,
        json_schema_input_type=str | tuple[str, ...],
    ),
    Field(description="Texts to judge by, or one text; not their paths."),
]


class _Correction(Correction, dict[str, Any]):
    """A correction whose items are what it changes in the state of a graph."""


def corrector(
    method: str = "rac",
    *,
    documents: Documents | None = None,
    question: str = "",
    draft: str = "",
    corpus: object = None,
    **settings: Any,
) -> Runnable[Any, Correction]:
    """A Runnable that corrects what a chain or an agent wrote.

    It takes a text, a message, an agent's state, or a mapping that holds question, draft and
    documents under their names or those of LangChain's chains (KEYS), or under those that
    `question`, `draft` and `documents` give. A list of `documents` is evidence itself, after the
    input's. `settings` are those of `errata.correct`.

    As a node of a graph it puts the corrected text where the state had the draft (`answer`,
    `messages`, …), or into `response` if that was `draft`; it also sets those other fields of a
    Correction that the state has, but neither question nor documents.

    Raises SettingError at once if a setting is unknown; a call raises InputError without a draft,
    or without a key that was named.
    """
    given = {"question": question, "draft": draft, "documents": documents}
    own = {part: name for part, name in given.items() if name and isinstance(name, str)}
    bound = [] if isinstance(documents, str) else as_list(documents)
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    async def acall(value: object) -> Correction:
        request = read_request(value, own)
        if not (request["draft"] or isinstance(value, str | BaseMessage)):
            raise InputError(
                f"{', '.join(as_mapping(value)) or 'an empty mapping'} came without a draft: a "
                f"text in {own.get('draft') or ', '.join(KEYS['draft'])}, an answer at the end of "
                "messages, or what corrector(question='…', draft='…', documents='…') names"
            )
        evidence = [*request["documents"], *bound]
        correction = await session.acorrect(request["question"], request["draft"], evidence)
        result = _Correction(**vars(correction))
        kept = {*KEYS, *own.values()}
        # A checkpoint keeps JSON as it is, and a reducer adds lists to lists.
        values = to_json(correction)
        result.update({name: x for name, x in values.items() if name not in kept})
        result.update(_put_back(value, request["place"], correction))
        return result

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
    bound = as_list(documents)

    async def acall(value: object) -> Answer:
        request = read_request({"question": value} if isinstance(value, str) else value, {})
        return await session.aanswer(request["question"], [*request["documents"], *bound])

    return _runnable(session, acall)


def _runnable(
    session: Session, acall: Callable[[object], Coroutine[Any, Any, T]]
) -> Runnable[Any, T]:
    """A Runnable that makes the call inside an event loop and outside one."""

    def call(value: object) -> T:
        return session.run(acall, value)

    return RunnableLambda(call, acall, name=f"errata.{session.method.name}")


def _put_back(value: object, place: str, correction: Correction) -> dict[str, Any]:
    """The corrected text under the input's name for the draft; empty for `draft`."""
    if place in ("", "draft"):
        return {}
    held = as_mapping(value)[place]
    if isinstance(held, str):
        return {place: correction.response}
    outcome = {"label": correction.label, "changed": correction.changed}
    last = held[-1] if place == "messages" else held
    message = annotate(last, correction.response, outcome, citations_of(correction))
    return {place: [*held[:-1], message] if place == "messages" else message}


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

    return StructuredTool.from_function(
        plain(acall),
        acall,
        name=verb,
        description=DESCRIPTIONS[verb],
        args_schema=create_model(verb.capitalize(), __doc__=DESCRIPTIONS[verb], **fields),
        response_format="content_and_artifact",
        handle_tool_error=True,
    )

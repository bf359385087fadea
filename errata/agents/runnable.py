"""The methods as LangChain Runnables: settings bound once, typed results."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import is_dataclass
from typing import Any, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import BaseModel

from errata.agents.messages import annotate, evidence_in, question_and_answer
from errata.core.errors import InputError
from errata.core.records import Answer, Correction
from errata.given import Documents, as_documents
from errata.session import Session

T = TypeVar("T")
KEYS = {
    "question": ("question", "input", "query"),
    "draft": ("draft", "answer", "output", "response", "result"),
    "documents": ("documents", "context", "source_documents"),
}
"""LangChain's names for a question, an answer, and what was retrieved for it."""


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

    As a node of a graph it puts the corrected text where the state had it (`answer`, `messages`,
    …), and beside a `draft` into `response`, with what else of a Correction the state has.

    Raises SettingError at once if a setting is unknown; a call raises InputError if it has no text.
    """
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    async def acall(value: object) -> Correction:
        request = read_request(value)
        evidence = [*as_documents(request["documents"]), *(documents or ())]
        correction = await session.acorrect(request["question"], request["draft"], evidence)
        # As a node's result LangGraph takes from it what is called as the graph's state is.
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
    """The same call inside an event loop and outside one."""

    def call(value: object) -> T:
        return session.run(acall, value)

    return RunnableLambda(call, acall, name=f"errata.{session.method.name}")


def read_request(value: object) -> dict[str, Any]:
    """Question, draft and documents in what a chain or an agent hands on.

    Raises InputError if there is no text.
    """
    if isinstance(value, str | BaseMessage):
        text = value if isinstance(value, str) else str(value.text)
        return {"question": "", "draft": text, "documents": ()}
    value = _as_mapping(value)
    if not isinstance(value, Mapping):
        raise InputError(f"cannot read a {type(value).__name__}; give a text or a mapping")
    if "messages" in value:
        question, draft = question_and_answer(value["messages"])
        documents = evidence_in(value["messages"], "conversation")
        return {"question": question, "draft": draft, "documents": documents}
    parts = {part: first_of(value, names) for part, names in KEYS.items()}
    if not (parts["question"] or parts["draft"]):
        names = " or ".join((*KEYS["question"], *KEYS["draft"]))
        raise InputError(f"{', '.join(value) or 'an empty mapping'} came without text in {names}")
    draft = parts["draft"] or ""
    return {
        "question": parts["question"] or "",
        "draft": str(draft.text) if isinstance(draft, BaseMessage) else draft,
        "documents": parts["documents"] or (),
    }


def _as_mapping(value: object) -> object:
    """A graph's state, which may be an object, as a mapping of its fields."""
    is_object = isinstance(value, BaseModel) or (
        is_dataclass(value) and not isinstance(value, type)
    )
    return dict(vars(value)) if is_object else value


def _state_of(value: object, correction: Correction) -> dict[str, Any]:
    """The corrected text under the name under which the input had the draft."""
    value = _as_mapping(value)
    if not isinstance(value, Mapping):
        return {}
    outcome = {"label": correction.label, "changed": correction.changed}
    if "messages" in value:
        *others, last = value["messages"]
        return {"messages": [*others, annotate(last, correction.response, outcome)]}
    name = next((name for name in KEYS["draft"] if value.get(name)), "draft")
    if name in ("draft", "response"):
        return {}
    text = correction.response
    is_message = isinstance(value[name], BaseMessage)
    return {name: annotate(value[name], text, outcome) if is_message else text}


def first_of(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the named values that is not empty; None if there is none."""
    return next((value[name] for name in names if value.get(name)), None)

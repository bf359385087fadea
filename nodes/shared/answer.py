"""End of a run that answers: the answer in its form, with what it rests on."""

from asyncio import to_thread
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict

from langchain_core.messages import AIMessage

from errata.core.errors import OutOfTimeError
from errata.core.jsonable import to_json
from errata.core.records import Document, Knowledge
from errata.nodes.answers import AnswerContext, AnswerState
from errata.nodes.ask import ask, ask_all
from errata.nodes.forms import FORMS
from errata.nodes.ledger import note, note_once
from errata.nodes.shared.receive import NAME
from errata.tools.judges.disputes import find_disputes
from errata.tools.local.generate import choose, generate_answer, judge_statement

NOTHING = "No answer found."
FROM_MEMORY = "the answer is not from the documents: the model gave it from memory"


class Answered(TypedDict):
    """The answer, and what it rests on."""

    response: str
    method: str
    documents: list[Document]
    knowledge: list[Knowledge]
    trail: dict[str, Any]
    messages: list[AIMessage]


async def hand_out(
    state: AnswerState, response: str, knowledge: Iterable[Knowledge] = (), **trail: object
) -> Answered:
    """The result of a run; what the documents disagree on of the answer is noted.

    `trail` is what the method produced on the way.
    """
    documents, strips = [*state.documents, *state.pages], [*knowledge]
    await _note_disputes(state.question, response, documents)
    record = {
        "method": state.method,
        "action": state.action,
        "knowledge": to_json(strips),
        "queries": state.queries,
    }
    return {
        "response": response,
        "method": state.method,
        "documents": documents,
        "knowledge": strips,
        "trail": {name: to_json(value) for name, value in trail.items()},
        "messages": [AIMessage(response, name=NAME, additional_kwargs={"errata": record})],
    }


async def _note_disputes(question: str, response: str, documents: list[Document]) -> None:
    """Note on what of the answer the documents disagree, if there is time left to look."""
    try:
        for dispute in await to_thread(find_disputes, question, response, documents):
            note(dispute)
    except OutOfTimeError as error:
        note(f"whether the documents disagree was not checked: {error}")


async def answer_from_memory(
    question: str, context: AnswerContext, template: str, read: Callable[[str], str]
) -> str:
    """A model's answer without any text, with a note; local code and who abstains give none.

    Raises ChatError or ReplyError if the model fails.
    """
    if context.model_for("generate") is None or context.abstain:
        note("nothing was found to answer from")
        return NOTHING
    answer = await ask_for_answer(question, context, template, read)
    if answer != NOTHING:
        note(FROM_MEMORY)
    return answer


async def ask_for_answer(
    question: str, context: AnswerContext, template: str, read: Callable[[str], str], **texts: str
) -> str:
    """A model's answer in the form of the run's task, as `read` takes it from the reply.

    There is none where a budget allows no call: what was found for it is handed out without.
    Raises ChatError or ReplyError if the model fails.
    """
    values = {"question": question, "answer_form": FORMS[context.task].words, **texts}
    reply = await ask(context, "generate", template, **values)
    if reply.unpaid:
        return NOTHING
    text = read(reply.text_or_raise())
    return in_form(question, text, context, context.template(template).tag)


async def ask_by_each(
    question: str, passages: Sequence[Sequence[Document]], context: AnswerContext, template: str
) -> list[str]:
    """A model's reply by each passage alone; empty, and noted, where it fails.

    Raises ChatError or ReplyError if it fails on every passage, unless a budget allows no call.
    """
    form = FORMS[context.task].words
    texts = ["\n".join(f"{d.title}\n{d.text}".strip() for d in each) for each in passages]
    requests = [{"question": question, "document": t, "answer_form": form} for t in texts]
    left_out = [f"passage {n} was left out" for n in range(1, len(texts) + 1)]
    replies = await ask_all(context, "generate", template, requests, left_out)
    if replies and all(reply.failure and not reply.unpaid for reply in replies):
        replies[0].text_or_raise()
    return [reply.text for reply in replies]


def in_form(question: str, text: str, context: AnswerContext, tag: str) -> str:
    """The answer in the form's own words; one in another form as it stands, with a note."""
    form = FORMS[context.task]
    answer = form.read(question, text)
    if not answer:
        note(f"the reply to {tag} has no answer in the form of {form.name}")
    return answer or text or NOTHING


async def answer_locally(question: str, strips: Sequence[Document], context: AnswerContext) -> str:
    """The answer of local code, or that nothing was found if the run's time is over."""
    if not strips:
        return NOTHING
    try:
        answer = await to_thread(fill_form, question, strips, context)
    except OutOfTimeError as error:
        note(f"no answer was put together: {error}")
        return NOTHING
    if not answer:
        note(f"local code found no answer in the form of {FORMS[context.task].name}")
    return answer or NOTHING


_HOW = {
    "pubhealth": "the statement was judged by how its words compare to the documents'",
    "arc": "the choice was made by the words that it shares with the documents",
}
"""How local code comes to an answer in a form."""


def fill_form(question: str, strips: Sequence[Document], context: AnswerContext) -> str:
    """An answer in the form of the run's task as far as local code has it, else sentences.

    Raises OutOfTimeError if no time is left.
    """
    note_once(_HOW.get(context.task, "the answer was put together from strips of the documents"))
    match context.task:
        case "pubhealth":
            return judge_statement(question, strips)
        case "arc":
            return choose(question, strips, context.strip_evaluator)
    return generate_answer(question, strips, context.strip_evaluator)


def titled(knowledge: Iterable[Knowledge], documents: Iterable[Document]) -> list[Document]:
    """Each strip as a document under the title of the one it comes from."""
    titles = {document.id: document.title for document in documents}
    return [
        Document(id=str(n), text=strip.text, title=titles[strip.document])
        for n, strip in enumerate(knowledge)
    ]

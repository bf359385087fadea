"""Answers of the methods to compare with: from memory or by documents, in a task's form."""

import re
from collections.abc import Callable
from typing import Literal

from langgraph.runtime import Runtime

from errata.nodes.answer import CLOSED, FORMS, FROM_MEMORY, NOTHING, in_form
from errata.nodes.ask import ask_role
from errata.nodes.settings import Published
from errata.nodes.state import AnswerContext, AnswerState, Task
from errata.nodes.step import note

_ANSWER = re.compile(r"^[ \t*_#]*answer[ \t*_]*:[ \t*_]*", re.IGNORECASE | re.MULTILINE)


def read_answer(reply: str) -> str:
    r"""What follows the last label `Answer:`; the whole reply where there is none.

    >>> read_answer("Riga is the capital.\nAnswer: Riga")
    'Riga'
    """
    return _ANSWER.split(reply)[-1].strip()


def closed_reader(task: Task) -> Callable[[str], str] | None:
    """A function that reads which of a fixed set of answers a text gives; None for other tasks."""
    form = FORMS[task]
    return (lambda text: form.read(text) or text) if task in CLOSED else None


async def answer_from_memory(
    question: str, context: AnswerContext, template: str, read: Callable[[str], str]
) -> str:
    """A model's answer without documents, as `read` takes it from the reply, with a note.

    It is `NOTHING` from local code, if abstaining, or where a budget allows no call. Raises
    ChatError or ReplyError if the model fails.
    """
    if not context.by_model("generate") or context.abstain:
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

    It is `NOTHING` where a budget allows no call. Raises ChatError or ReplyError if the model
    fails.
    """
    values = {"question": question, "answer_form": FORMS[context.task].words, **texts}
    reply = await ask_role(context, "generate", template, **values)
    if reply.unpaid:
        return NOTHING
    text = read(reply.text_or_raise())
    return in_form(text, context, context.template(template).tag)


def of_crag(*published: Published) -> tuple[Published, ...]:
    """The same for another paper's method: the places are named as CRAG's."""
    return tuple(each._replace(source=f"CRAG, {each.source}") for each in published)


def to_web(_: AnswerState, runtime: Runtime[AnswerContext]) -> Literal["with web", "without web"]:
    """Search the web as well, whatever was retrieved, if there is an engine (CRAG table 5)."""
    return "without web" if runtime.context.search == "none" else "with web"

"""An answer: its form, how a model or local code gives it, and the end of a run."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, cast

from errata.core.edits import apply_edits
from errata.core.jsonable import to_json
from errata.core.records import Document, Edit, Knowledge
from errata.nodes.citing import UNMARKED, as_message, find_citations, mark_answer
from errata.nodes.state import AnswerContext, AnswerState, Task
from errata.nodes.step import Update, in_thread_or, note
from errata.tools.judges.differences import find_disputes
from errata.tools.local.generate import generate_answer

Origin = Literal["knowledge", "memory", "both", "guess", ""]
"""Where a model may say that its answer is from."""
_ORIGIN = re.compile(
    r"[\s*_]*[(\[]?\b(?:from|source)\b[\s*_]*:[\W_]*(?:the |my |own )*"
    r"(knowledge|memory|both|guess)\w*[\W_]*$",
    re.IGNORECASE,
)
LAST = 100
"""How many characters at the end of a reply are searched for its origin."""
_LABEL = re.compile(r"^[\s*_#]*answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_VERDICT = re.compile(r"\b(?:(true|yes|correct)|(false|no|incorrect))\b", re.IGNORECASE)
_NOT_TRUE = re.compile(r"(?:\bnot|n['’]t)\s+(?:true|correct)\b|\buntrue\b", re.IGNORECASE)
_UNDECIDED = re.compile(
    r"\b(?:whether|if|(?:evidence|proof) that)\b[^.\n]{0,200}?\b(?:true|correct|false|incorrect)\b"
    r"(?:\s+or\s+(?:not|false|incorrect)\b)?"
    r"|\b(?:neither\s+)?(?:true|correct)\s+n?or\s+(?:false|incorrect)\b"
    r"|\bno(?=\s+(?:answer|evidence|information|doubt|proof)\b)",
    re.IGNORECASE,
)
"""Phrases that contain the words of a verdict and give none."""
_CHOICE = re.compile(
    r"^\W*(?:(?i:choice|option|the (?:best |correct )?answer is|answer)\W*)*"
    r"([A-Ha-h]|[1-8])\W*?(?:$|\n|[:.,;)\]*])"
)


@dataclass(frozen=True)
class AnswerForm:
    """One form of answer."""

    name: str
    words: str
    """What a model is told of it."""
    read: Callable[[str], str] = str
    """Takes a reply; gives the answer in the form's own words, or an empty text."""


def read_origin(reply: str) -> tuple[str, Origin]:
    r"""The answer, and where the model says it is from; empty where it does not say.

    >>> read_origin("Answer: Riga\nFrom: memory")
    ('Riga', 'memory')
    """
    body = reply.rstrip()
    match = _ORIGIN.search(body, max(0, len(body) - LAST))
    text, said = (body[: match.start()], match[1].lower()) if match else (body, "")
    return _LABEL.sub("", text).strip(), cast("Origin", said)


def read_verdict(answer: str) -> str:
    """`true` or `false`, by the first word that says so.

    >>> read_verdict("Yes, that is so.")
    'true'
    """
    match = _VERDICT.search(_UNDECIDED.sub(" ", _NOT_TRUE.sub(" false", answer)))
    return ("true" if match[1] else "false") if match else ""


def read_choice(answer: str) -> str:
    """The letter or the number of a choice with which an answer begins; empty if it has none."""
    match = _CHOICE.match(answer)
    return match[1].upper() if match else ""


FORMS: dict[Task, AnswerForm] = {
    "": AnswerForm("a few sentences", "A few sentences that begin with the answer."),
    "popqa": AnswerForm("a few words", "The answer alone, in a few words."),
    "biography": AnswerForm("a detailed text", "A detailed text, one fact a sentence."),
    "pubhealth": AnswerForm(
        "true or false", "One word: true if the statement is correct, else false.", read_verdict
    ),
    "arc": AnswerForm(
        "one choice", "The letter or the number of the best choice, alone.", read_choice
    ),
}
CLOSED: tuple[Task, ...] = ("pubhealth", "arc")
"""The tasks with a fixed set of answers."""


NOTHING = "No answer found."
FROM_MEMORY = "the answer is not from the documents: the model gave it from memory"


async def hand_out_answer(
    state: AnswerState,
    context: AnswerContext,
    response: str,
    knowledge: Iterable[Knowledge] = (),
    **trail: object,
) -> Update:
    """The result of a run; `trail` is what the method produced on the way, marks are part of it."""
    documents, strips = [*state.documents, *state.pages], [*knowledge]
    known, marks = (state.question, response, documents), list[Edit]()
    undone = "whether the documents disagree was not checked"
    note(*await in_thread_or(list[str](), undone, find_disputes, *known))
    if context.cite and response != NOTHING and context.task not in CLOSED:
        marks = await in_thread_or(marks, UNMARKED, mark_answer, *known, context.cite)
        trail["marks"] = marks
    response = apply_edits(response, marks)
    method = state.CONTEXT.method_name()
    record = {"method": method, "action": state.action, "queries": state.queries}
    record["knowledge"] = to_json(strips)
    return {
        "response": response,
        "method": method,
        "documents": documents,
        "knowledge": strips,
        "trail": {name: to_json(value) for name, value in trail.items()},
        "messages": [as_message(response, find_citations(marks, documents), record)],
    }


def in_form(text: str, context: AnswerContext, tag: str) -> str:
    """The answer in the form's own words; if the text has none, the text itself, with a note."""
    form = FORMS[context.task]
    answer = form.read(text)
    if not answer:
        note(f"the reply to {tag} has no answer in the form of {form.name}")
    return answer or text or NOTHING


async def answer_locally(question: str, strips: Sequence[Document], context: AnswerContext) -> str:
    """The answer of local code, or that nothing was found if the run's time is over."""
    if not strips:
        return NOTHING
    filling = (fill_form, question, strips, context)
    return await in_thread_or(NOTHING, "no answer was put together", *filling) or NOTHING


def fill_form(question: str, strips: Sequence[Document], context: AnswerContext) -> str:
    """Local code's answer in sentences; empty for a fixed set. May raise OutOfTimeError."""
    if context.task in CLOSED:
        form = FORMS[context.task].name
        note(f"local code gives no answer in the form of {form}: name a model for generate")
        return ""
    note("the answer was put together from strips of the documents")
    return generate_answer(question, strips, context.strip_evaluator)


def titled(knowledge: Iterable[Knowledge], documents: Iterable[Document]) -> list[Document]:
    """The strips of each document in a row, a line each, as one document under its title."""
    titles = {document.id: document.title for document in documents}
    rows = [(name, [*strips]) for name, strips in groupby(knowledge, lambda each: each.document)]
    return [
        Document(id=str(n), text="\n".join(strip.text for strip in strips), title=titles[name])
        for n, (name, strips) in enumerate(rows)
    ]

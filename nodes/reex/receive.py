"""Begin: take question and draft from the fields or from the chat."""

from asyncio import to_thread
from typing import TypedDict

from errata.errors import InputError
from errata.nodes.reex.state import Reex
from errata.nodes.shared.receive import in_chat, readable
from errata.nodes.step import opening
from errata.records import Claim, Document, Edit, Explanation, Fix, SubAnswer, Usage, Verdict
from errata.tools.local.extract import extract
from errata.tools.text.language import detect_foreign_language


class Received(TypedDict):
    """Add what is to be corrected, and clear what an earlier run left behind."""

    question: str
    draft: str
    documents: list[Document]
    claims: list[Claim]
    questions: list[str]
    answers: list[SubAnswer]
    explanations: list[Explanation]
    explained: bool
    fixes: list[Fix]
    verdicts: list[Verdict]
    edits: list[Edit]
    usage: Usage
    notes: list[str]


@opening
async def receive(state: Reex) -> Received:
    """Settle what is to be corrected, and split it into the claims that verdicts will be on.

    Raises InputError where there is no draft.
    """
    question, draft = in_chat(state.messages) or (state.question, state.draft)
    if not draft.strip():
        raise InputError("the draft is empty; RE-EX corrects a text that is there: give one")
    language = await to_thread(detect_foreign_language, draft)
    given, notes = readable(state.documents)
    return {
        "question": question,
        "draft": draft,
        "documents": given,
        "claims": await to_thread(extract, question, draft, language or "en"),
        "questions": [],
        "answers": [],
        "explanations": [],
        "explained": False,
        "fixes": [],
        "verdicts": [],
        "edits": [],
        "usage": Usage(),
        "notes": notes,
    }

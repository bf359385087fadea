"""Begin: take question and draft from the fields or from the chat."""

from typing import TypedDict

from errata.errors import InputError
from errata.nodes.rac.state import Rac
from errata.nodes.shared.receive import in_chat, readable
from errata.nodes.step import opening
from errata.records import Claim, Document, Edit, Fix, Usage, Verdict


class Received(TypedDict):
    """Add what was asked, and clear what an earlier run on the same thread left behind."""

    question: str
    draft: str
    documents: list[Document]
    claims: list[Claim]
    verdicts: list[Verdict]
    fixes: list[Fix]
    edits: list[Edit]
    usage: Usage
    notes: list[str]


@opening
async def receive(state: Rac) -> Received:
    """Settle what is to be corrected.

    Raises InputError where there is neither a question nor a draft.
    """
    question, draft = in_chat(state.messages) or (state.question, state.draft)
    if not draft.strip() and not question.strip():
        raise InputError("the draft is empty and so is the question; give at least one of them")
    given, notes = readable(state.documents)
    return {
        "question": question,
        "draft": draft if draft.strip() else "",
        "documents": given,
        "claims": [],
        "verdicts": [],
        "fixes": [],
        "edits": [],
        "usage": Usage(),
        "notes": notes,
    }

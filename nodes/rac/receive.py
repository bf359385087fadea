"""Begin: take question and draft from the fields or from the chat."""

import re
from typing import TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from errata.errors import InputError
from errata.nodes.rac.state import Rac
from errata.nodes.step import opening
from errata.records import Claim, Document, Edit, Fix, Usage, Verdict
from errata.tools.documents import numbered

_WORD = re.compile(r"\w")
NAME = "errata"
"""The author of our own messages, which are no drafts to correct."""


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
    given = numbered(d for d in state.documents if d.source == "given" and _WORD.search(d.text))
    return {
        "question": question,
        "draft": draft if draft.strip() else "",
        "documents": given,
        "claims": [],
        "verdicts": [],
        "fixes": [],
        "edits": [],
        "usage": Usage(),
        "notes": []
        if len(given) == len(state.documents)
        else ["documents without a word were left out"],
    }


def in_chat(messages: list[AnyMessage]) -> tuple[str, str] | None:
    """Read question and draft from a chat; None where its last word is ours, or there is none."""
    last = messages[-1] if messages else None
    if isinstance(last, HumanMessage):
        return str(last.text), ""
    if isinstance(last, AIMessage) and last.name != NAME:
        people = [message for message in messages if isinstance(message, HumanMessage)]
        return (str(people[-1].text) if people else ""), str(last.text)
    return None

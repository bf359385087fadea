"""Rewrite the question into keywords for a search engine (section 4.5)."""

import re
from collections.abc import Sequence
from textwrap import shorten
from typing import TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from errata.nodes.answers import AnswerState
from errata.nodes.ask import ask
from errata.nodes.crag.web import WebContext
from errata.nodes.shared.receive import whole_characters
from errata.nodes.step import step
from errata.tools.local.generate import KEYWORDS
from errata.tools.local.generate import rewrite as rewrite_locally

TURNS, TURN_LENGTH = 6, 500
"""The most earlier turns of a chat that are read, and their most characters."""
_LEAD = re.compile(r"^\W*(?:query|keywords|search(?: query)?)\W*:\s*", re.IGNORECASE)


class Rewritten(TypedDict):
    """The query."""

    queries: list[str]


@step
async def rewrite(state: AnswerState, context: WebContext) -> Rewritten:
    """One query of at most three keywords; the question itself where that fails, none unasked."""
    if context.search == "none":
        return {"queries": []}
    if not context.rewriting:
        return {"queries": [state.question]}
    chat = earlier_turns(state.messages)
    if context.model_for("rewrite") is None:
        return {"queries": [rewrite_locally(state.question, [text for _, text in chat])]}
    template = "crag/rewrite.chat" if chat else "crag/rewrite"
    turns = "\n".join(f"{who}: {text}" for who, text in chat)
    values = {"question": state.question, "chat": turns}
    consequence = "the question was searched for as it stands"
    reply = await ask(context, "rewrite", template, if_failed=consequence, **values)
    return {"queries": [read_keywords(reply.text) or state.question]}


def earlier_turns(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """Who said what before a chat's last message: the newest turns, long ones cut."""
    spoken = [m for m in messages[:-1] if isinstance(m, HumanMessage | AIMessage) and m.text]
    return [
        ("Person" if isinstance(turn, HumanMessage) else "Answer", _cut(str(turn.text)))
        for turn in spoken[-TURNS:]
    ]


def _cut(text: str) -> str:
    """The text on one line, at its beginning, cut between words."""
    return shorten(whole_characters(text), TURN_LENGTH, placeholder=" …")


def read_keywords(reply: str) -> str:
    """At most three keywords, from the reply's first line.

    >>> read_keywords("Query: Ada Lovelace, birthplace, 1815, England")
    'Ada Lovelace, birthplace, 1815'
    """
    line = _LEAD.sub("", reply.strip()).split("\n")[0]
    words = (word.strip(" \t\"'`*.;") for word in line.split(","))
    return ", ".join([word for word in words if word][:KEYWORDS])

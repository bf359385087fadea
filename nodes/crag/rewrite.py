"""Rewrite the question into keywords for a search engine (section 4.5)."""

import re
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Usage
from errata.tools.local.rewrite import KEYWORDS
from errata.tools.local.rewrite import rewrite as local

_LEAD = re.compile(r"^\W*(?:query|keywords|search(?: query)?)\W*:\s*", re.IGNORECASE)


class Rewritten(TypedDict):
    """Add the query."""

    queries: list[str]
    usage: Usage
    notes: list[str]


@step
async def rewrite(state: Crag, runtime: Runtime[CragContext]) -> Rewritten:
    """Give one query of at most three keywords; the question itself where that fails."""
    context = settings(runtime)
    if context.search == "none" or not context.rewriting:
        return {"queries": [state.question], "usage": Usage(), "notes": []}
    model = context.filler("rewrite")
    if model is None:
        return {"queries": [local(state.question)], "usage": Usage(), "notes": []}
    try:
        reply = await asked(context, model, "rewrite", "crag/rewrite.v1", question=state.question)
    except (ChatError, ReplyError) as error:
        note = f"the question was searched for as it stands: {error}"
        return {"queries": [state.question], "usage": spent(error), "notes": [note]}
    query = read_keywords(reply.text) or state.question
    return {"queries": [query], "usage": reply.usage, "notes": []}


def read_keywords(reply: str) -> str:
    """Read at most three keywords from the reply's first line.

    >>> read_keywords("Query: Ada Lovelace, birthplace, 1815, England")
    'Ada Lovelace, birthplace, 1815'
    """
    line = _LEAD.sub("", reply.strip()).split("\n")[0]
    words = (word.strip(" \t\"'`*.;") for word in line.split(","))
    return ", ".join([word for word in words if word][:KEYWORDS])

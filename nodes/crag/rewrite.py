"""Rewrite the question into keywords for a search engine (section 4.5)."""

import re
from typing import TypedDict

from errata.nodes.ask import ask
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.step import step
from errata.tools.local.rewrite import KEYWORDS
from errata.tools.local.rewrite import rewrite as rewrite_locally

_LEAD = re.compile(r"^\W*(?:query|keywords|search(?: query)?)\W*:\s*", re.IGNORECASE)


class Rewritten(TypedDict):
    """The query."""

    queries: list[str]


@step
async def rewrite(state: Crag, context: CragContext) -> Rewritten:
    """One query of at most three keywords; the question itself where that fails, none unasked."""
    if context.search == "none":
        return {"queries": []}
    if not context.rewriting:
        return {"queries": [state.question]}
    if context.model_for("rewrite") is None:
        return {"queries": [rewrite_locally(state.question)]}
    consequence = "the question was searched for as it stands"
    question = {"question": state.question}
    reply = await ask(context, "rewrite", "crag/rewrite", if_failed=consequence, **question)
    return {"queries": [read_keywords(reply.text) or state.question]}


def read_keywords(reply: str) -> str:
    """At most three keywords, from the reply's first line.

    >>> read_keywords("Query: Ada Lovelace, birthplace, 1815, England")
    'Ada Lovelace, birthplace, 1815'
    """
    line = _LEAD.sub("", reply.strip()).split("\n")[0]
    words = (word.strip(" \t\"'`*.;") for word in line.split(","))
    return ", ".join([word for word in words if word][:KEYWORDS])

"""A LangGraph app: write, correct, publish."""

import asyncio
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph

from errata.graphs.rac import graph as rac


class Article(TypedDict, total=False):
    """The state, whose keys RAC shares by their names."""

    draft: str
    documents: list[Any]
    response: str
    edits: list[dict[str, Any]]
    published: str


def write(_: Article) -> Article:
    """Write a draft, and name its evidence."""
    page = {"title": "Marie Curie", "text": "Marie Curie (born 7 November 1867) was a physicist."}
    return {"draft": "Marie Curie was born in 1865.", "documents": [page]}


def publish(state: Article) -> Article:
    """Publish the corrected draft."""
    return {"published": f"{state['response']} ({len(state['edits'])} correction)"}


app = (
    StateGraph(Article)
    .add_sequence([write, ("correct", rac), publish])
    .add_edge(START, "write")
    .compile(name="newsroom")
)

if __name__ == "__main__":
    print("published:", asyncio.run(app.ainvoke({}))["published"])

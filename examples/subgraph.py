"""A LangGraph app with RAC as one of its nodes: write, correct, publish."""

import asyncio
import json
from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from errata.graphs.rac import graph as rac

PAGES = Path(__file__).parent.parent / "demo" / "corpus" / "pages.jsonl"


class Article(TypedDict, total=False):
    """The app's state; RAC reads and writes the keys of the same name."""

    question: str
    draft: str
    documents: list[dict[str, Any]]
    response: str
    edits: list[dict[str, Any]]
    published: str


def write(state: Article) -> Article:
    """Write a draft, and collect the documents to check it by."""
    pages = [json.loads(line) for line in PAGES.read_text().splitlines()]
    documents = [page for page in pages if page["title"] in state["question"]]
    return {"draft": "Marie Curie was born in 1865.", "documents": documents}


def publish(state: Article) -> Article:
    """Publish the corrected draft."""
    return {"published": f"{state['response']} ({len(state['edits'])} correction)"}


app = (
    StateGraph(Article)
    .add_node(write)
    .add_node("correct", rac)
    .add_node(publish)
    .add_edge(START, "write")
    .add_edge("write", "correct")
    .add_edge("correct", "publish")
    .add_edge("publish", END)
    .compile(name="newsroom")
)

if __name__ == "__main__":
    article = asyncio.run(app.ainvoke({"question": "Who was Marie Curie?"}))
    print("published:", article["published"])

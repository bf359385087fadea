"""A LangGraph app whose drafts a server corrects; a person here decides on the edits.

Start a server first with `make serve`. Usage: python examples/remote.py [URL [KEY]]
"""

import sys
from typing import Any, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from errata import remote_step

URL, KEY, *_ = [*sys.argv[1:], None, None]
THREAD: Any = {"configurable": {"thread_id": "1"}}


class Article(TypedDict, total=False):
    """The app's state; the node sends and takes the keys that it knows."""

    question: str
    draft: str
    documents: list[str]
    response: str


correct = remote_step("rac", url=URL or "http://127.0.0.1:2024", api_key=KEY, review="all")
app = (
    StateGraph(Article)
    .add_node("correct", correct)
    .add_edge(START, "correct")
    .compile(checkpointer=InMemorySaver())
)

if __name__ == "__main__":
    article = {
        "question": "Who was Marie Curie?",
        "draft": "Marie Curie was born in Warsaw in 1865.",
        "documents": ["Marie Curie (born 7 November 1867 in Warsaw) was a physicist."],
    }
    [waiting] = app.invoke(article, THREAD)["__interrupt__"]
    for edit in waiting.value["edits"]:
        print(f"{edit['id']}: {edit['before']!r} to {edit['after']!r}: {edit['explanation']}")
    decisions = {edit["id"]: "accept" for edit in waiting.value["edits"]}
    print("response:", app.invoke(Command(resume=decisions), THREAD)["response"])

"""An agent whose final answer is corrected by the results of its tools."""

import json
from pathlib import Path

from canned import model
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall

from errata import FactCorrection

PAGES = Path(__file__).parent.parent / "demo" / "corpus" / "pages.jsonl"


def look_up(title: str) -> str:
    """Read the page with this title."""
    pages = map(json.loads, PAGES.read_text().splitlines())
    return next(page["text"] for page in pages if page["title"] == title)


writer = model(
    AIMessage("", tool_calls=[ToolCall(name="look_up", args={"title": "Eiffel Tower"}, id="1")]),
    AIMessage("The Eiffel Tower was opened in 1899."),
)
agent = create_agent(writer, [look_up], middleware=[FactCorrection()])

if __name__ == "__main__":
    request = {"messages": [{"role": "user", "content": "When was the Eiffel Tower opened?"}]}
    out = agent.invoke(request)
    answer = out["messages"][-1]
    print("answer:", answer.content)
    print("was:   ", answer.additional_kwargs["errata"]["draft"])
    for verdict in out["errata"]["verdicts"]:
        print("claim: ", verdict["label"], "by", verdict["evidence"][0]["text"])

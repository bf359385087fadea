"""The README's programs run as they stand, with a server on loopback in place of the models'."""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from errata.core.errors import SettingError

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
REPLIES = {"rac/verify": "1: False [1] | 1865 -> 1867\n2: True [1]"}


def run(block, **names):
    exec(block.replace("http://localhost:11434/v1", os.environ.get("OPENAI_BASE_URL", "")), names)  # noqa: S102
    return names


def test_a_model_corrects(openai_server):
    openai_server.replies = dict(REPLIES)
    correction = run(BLOCKS[0])["correction"]
    assert f"{correction.response!r}" in BLOCKS[0]
    assert correction.edits[0].evidence[0].text.startswith("Marie Curie (born 7 November 1867) was")
    assert openai_server.requests


def test_a_server_of_ones_own_checks(openai_server):
    openai_server.replies = {"rac/verify": "1: False [1] | 350 -> 330"}
    assert run(BLOCKS[1])["report"].verdicts[0].label == "refuted"


def test_a_graph_has_it_as_a_step():
    app = run(BLOCKS[2])["app"]
    state = {"draft": "Ada Lovelace was born in 1817.", "question": "Who was Ada Lovelace?"}
    documents = ["Ada Lovelace was born on 10 December 1815 in London."]
    assert app.invoke({**state, "documents": documents})["response"].endswith("1815.")
    for context in ({"hops": 1}, SimpleNamespace(hops=1)):
        assert app.invoke({**state, "documents": documents}, context=context)["response"]
    for context in ({"unsupported": "burn"}, SimpleNamespace(unsupported="burn")):
        with pytest.raises(SettingError, match="unsupported"):
            app.invoke({**state, "documents": documents}, context=context)


@pytest.mark.usefixtures("openai_server")
def test_an_agent_is_made():
    def search(query: str) -> str:
        """Search."""
        return query

    agent = run(BLOCKS[3], search=search)["agent"]
    assert "FactCorrection.after_agent" in agent.get_graph().nodes

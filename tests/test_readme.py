"""The programs of the README, of the page on decision models and the examples run as they stand."""

import gc
import json
import os
import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette

from decisions_server import DecisionsServer
from errata.core.errors import SettingError

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
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


PAGE = (ROOT / "docs" / "decisions.md").read_text("utf-8")
DECISIONS = re.findall(r"## (.+)\n(?:(?!## ).*\n)*?```python\n((?:.*\n)*?)```", PAGE)
ADDRESS = re.compile(r"http://localhost:\d+/v1")
OPENAI, VLLM = (400, 255, ("/v1/decisions",)), (64, 26, ("/v1/decisions", "/v1/systemone"))
SERVERS = {"vLLM": VLLM, "llama.cpp": (64, 26, VLLM[2][1:])}
WRONG, RIGHT = "Marie Curie was born in 1865.", "Marie Curie was born in 1867."


@pytest.mark.parametrize(("title", "block"), DECISIONS, ids=dict(DECISIONS))
def test_a_block_runs_as_it_stands(title, block, serving, monkeypatch):
    server = DecisionsServer()
    server.most_questions, server.most_options, forms = SERVERS.get(title, OPENAI)
    server.says = {WRONG: "refuted", "She was a physicist.": "supported"}
    server.says |= {"1865": "1867", RIGHT: 0.95}
    if title == "vLLM":
        server.spoils = {WRONG: lambda row: row | {"diagnostics": {"label_mass": 0.98}}}
    url = serving(Starlette(routes=[r for r in server.app.routes if r.path in forms])) + "/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    names = {}
    for each in (dict(DECISIONS)["OpenAI"].split("luna =")[0], block):
        exec(ADDRESS.sub(url, each), names)  # noqa: S102
    if "correction" in names:
        assert names["correction"].response == f"{RIGHT} She was a physicist."
        assert (names["correction"].edits[0].by, bool(server.requests)) == ("choice", True)
    else:
        assert names["response"].choices["c1"].choice == "refuted"
    names.clear()
    gc.collect()


@pytest.mark.parametrize(
    ("example", "line"),
    [
        ("rag_chain", "response: Marie Curie was born in Warsaw in 1867."),
        ("agent", "answer: The Eiffel Tower was opened in 1889."),
        ("subgraph", "published: Marie Curie was born in 1867. (1 correction)"),
    ],
)
def test_an_example_runs(root, monkeypatch, capsys, example, line):
    monkeypatch.syspath_prepend(root / "examples")
    monkeypatch.setattr(sys, "argv", [example])
    runpy.run_path(f"{root}/examples/{example}.py", run_name="__main__")
    assert line in capsys.readouterr().out


def test_the_cells_of_the_notebook_run(root, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((root / "examples" / "first_steps.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells)
    names = {}
    for cell in cells:
        exec("".join(cell["source"]), names)  # noqa: S102 - as a kernel does
    assert names["correction"].changed
    printed = capsys.readouterr().out
    assert "'1865' became '1867'" in printed
    assert "The Eiffel Tower was opened in 1889.\n1 call," in printed

"""The blocks of the page on decision models run, on servers of the forms and limits it names."""

import gc
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from decisions_server import DecisionsServer

PAGE = (Path(__file__).parent.parent / "docs" / "decisions.md").read_text("utf-8")
BLOCKS = re.findall(r"## (.+)\n(?:(?!## ).*\n)*?```python\n((?:.*\n)*?)```", PAGE)
ADDRESS = re.compile(r"http://localhost:\d+/v1")
OPENAI, VLLM = (400, 255, ("/v1/decisions",)), (64, 26, ("/v1/decisions", "/v1/systemone"))
SERVERS = {"vLLM": VLLM, "llama.cpp": (64, 26, VLLM[2][1:])}
WRONG, RIGHT = "Marie Curie was born in 1865.", "Marie Curie was born in 1867."


@pytest.mark.parametrize(("title", "block"), BLOCKS, ids=dict(BLOCKS))
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
    for each in (dict(BLOCKS)["OpenAI"].split("luna =")[0], block):
        exec(ADDRESS.sub(url, each), names)  # noqa: S102
    if "correction" in names:
        assert names["correction"].response == f"{RIGHT} She was a physicist."
        assert (names["correction"].edits[0].by, bool(server.requests)) == ("choice", True)
    else:
        assert names["response"].choices["c1"].choice == "refuted"
    names.clear()
    gc.collect()

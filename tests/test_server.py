"""The LangGraph development server: it starts, lists the graph, runs it, and draws a form."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from langgraph_sdk import get_sync_client

ROOT = Path(__file__).parent.parent
QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
REQUEST = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    cli = Path(sys.executable).with_name("langgraph")
    command = [
        cli,
        "dev",
        "--no-browser",
        "--no-reload",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    variables = {k: v for k, v in os.environ.items() if not k.startswith("LANGSMITH")}
    with log.open("w") as output:
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=output,
            stderr=output,
            env=variables | {"LANGGRAPH_CLI_NO_ANALYTICS": "1"},
        )
    try:
        _wait(port, server, log)
        with get_sync_client(url=f"http://127.0.0.1:{port}") as sdk:
            yield sdk
    finally:
        server.terminate()
        server.wait(10)


def _wait(port, server, log):
    for _ in range(300):
        try:
            if httpx.get(f"http://127.0.0.1:{port}/ok").is_success:
                return
        except httpx.TransportError:
            assert server.poll() is None, log.read_text()
        time.sleep(0.2)
    pytest.fail(log.read_text())


def test_it_lists_the_graphs(client):
    found = {each["graph_id"]: each["description"] for each in client.assistants.search()}
    assert set(found) == {"crag", "rac", "reex"}
    assert found["rac"].startswith("Correct a draft")
    assert found["crag"].startswith("Answer a question")


def test_its_schema_draws_a_form(client):
    [assistant] = client.assistants.search(graph_id="rac")
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    fields = schemas["input_schema"]["properties"]
    assert set(fields) == {"question", "draft", "documents", "messages"}
    assert fields["draft"]["description"]
    assert fields["draft"]["examples"]
    settings = schemas["context_schema"]["properties"]
    assert settings["unsupported"]["enum"] == ["flag", "drop"]
    assert settings["unsupported"]["description"]


def test_it_corrects_a_draft(client):
    out = client.runs.wait(None, "rac", input=REQUEST)
    assert out["response"] == "Marie Curie was born in 1867."
    assert out["edits"][0]["claims"] == ["c1"]


def test_it_streams_steps_and_keeps_state_on_a_thread(client):
    thread = client.threads.create()["thread_id"]
    context = {"check_only": True}
    events = list(
        client.runs.stream(thread, "rac", input=REQUEST, context=context, stream_mode="updates")
    )
    steps = [name for event in events if event.event == "updates" for name in event.data]
    assert steps == ["receive", "retrieve", "extract", "verify", "report"]
    values = client.threads.get_state(thread)["values"]
    assert values["verdicts"][0]["label"] == "refuted"


def test_it_chats(client):
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": DRAFT},
    ]
    out = client.runs.wait(None, "rac", input={"messages": messages, "documents": [{"text": PAGE}]})
    assert out["messages"][-1]["content"] == "Marie Curie was born in 1867."


def test_it_answers_a_question(client):
    request = {"question": "When was Marie Curie born?", "documents": [{"text": PAGE}]}
    out = client.runs.wait(None, "crag", input=request)
    assert (out["action"], out["response"]) == ("correct", PAGE)
    [assistant] = client.assistants.search(graph_id="crag")
    settings = client.assistants.get_schemas(assistant["assistant_id"])["context_schema"]
    assert settings["properties"]["strips"]["enum"] == ["excerption", "fixed_num", "selection"]

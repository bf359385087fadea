"""How a server starts: `make serve` in a terminal, and `langgraph dev` with a public address."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from langgraph_sdk import get_sync_client

from langgraph_server import ROOT, wait_until_ready

pytestmark = pytest.mark.slow
CLI = Path(sys.executable).with_name("langgraph")
QUESTION = {"messages": [{"role": "user", "content": "When was the Eiffel Tower opened?"}]}


@pytest.fixture
def folder(tmp_path):
    """A folder to serve from, apart from the state of other servers."""
    shutil.copy(ROOT / "langgraph.json", tmp_path)
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    return tmp_path


@pytest.fixture
def start(folder):
    """Starts a command in the folder; ends it, and all that it started, with the test."""
    started = []

    def run(*command, **variables):
        env = {name: value for name, value in os.environ.items() if name != "PORT"}
        env |= {"LANGGRAPH_CLI_NO_ANALYTICS": "1", **variables}
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=folder, env=env, stdout=log, stderr=log, start_new_session=True
            )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(10)


def make_serve(port):
    if not shutil.which("make"):
        pytest.skip("needs make, which is not here")
    makefile = ("-f", str(ROOT / "Makefile"), "-o", ".venv/dev")
    return ("make", *makefile, "serve", f"BIN={CLI.parent}", f"PORT={port}")


@pytest.fixture
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def test_make_serve_says_when_its_port_is_taken(open_url, start, folder):
    port = urlsplit(open_url).port
    assert start(*make_serve(port)).wait(20)
    log = (folder / "log").read_text()
    assert f"port {port} is taken; stop what listens there" in log
    assert "make serve PORT=" in log
    assert "langgraph dev" not in log


def test_make_serve_answers_a_question_in_a_chat_at_once(start, folder, free_port):
    process = start(*make_serve(free_port))
    url = wait_until_ready(f"http://127.0.0.1:{free_port}", process, folder / "log")
    with get_sync_client(url=url) as client:
        out = client.runs.wait(None, "crag", input=QUESTION)
    assert "31 March 1889" in out["messages"][-1]["content"]


def test_a_public_server_without_keys_does_not_start(start, folder, free_port):
    """`.env` comes before the shell, so the variables of the start do not help."""
    (folder / ".env").write_text("ERRATA_AUTH=off\n")
    command = (CLI, "dev", "--no-browser", "--no-reload", "--host", "0.0.0.0", "--port")
    assert start(*command, str(free_port), ERRATA_AUTH="on").wait(30)
    log = (folder / "log").read_text()
    assert "ERRATA_AUTH=off lets everybody in, and this server is bound to 0.0.0.0" in log

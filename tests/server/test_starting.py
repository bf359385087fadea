"""How a server starts: `make serve` in a terminal, and `langgraph dev` with a public address."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_server import OPTIONS, ROOT

pytestmark = pytest.mark.slow
CLI = Path(sys.executable).with_name("langgraph")


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


def test_make_serve_starts_a_server_as_that_of_these_tests_with_the_demo_as_its_corpus(folder):
    command = make_serve(2025)
    printed = subprocess.check_output(
        [*command, "--dry-run", "--no-print-directory"], cwd=folder, text=True
    )
    words = printed.replace("\\\n", " ").split()
    assert {"ERRATA_AUTH=off", 'ERRATA_CORPUS="demo/corpus"'} <= {*words}
    assert words[-7:] == [str(CLI), "dev", *OPTIONS, "--port", "2025"]


def test_a_public_server_without_keys_does_not_start(start, folder, free_port):
    """`.env` comes before the shell, so the variables of the start do not help."""
    (folder / ".env").write_text("ERRATA_AUTH=off\n")
    command = (CLI, "dev", "--no-browser", "--no-reload", "--host", "0.0.0.0", "--port")
    assert start(*command, str(free_port), ERRATA_AUTH="on").wait(30)
    log = (folder / "log").read_text()
    assert "ERRATA_AUTH=off lets everybody in, and this server is bound to 0.0.0.0" in log

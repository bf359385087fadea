"""A real LangGraph server that tests start in folders of their own."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from example import CLAIMS, DOCUMENTS

ROOT = Path(__file__).parent.parent
REQUEST = {"draft": CLAIMS[0], "documents": DOCUMENTS}
RUN = {"assistant_id": "rac", "input": REQUEST}
OPTIONS = ("--no-browser", "--n-jobs-per-worker", "16")


@contextlib.contextmanager
def run_server(folder, host="127.0.0.1", **variables):
    """The URL of a real server, started in a folder of its own, apart from other tests' state."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    if not (folder / "langgraph.json").exists():
        shutil.copy(ROOT / "langgraph.json", folder)
    cli = Path(sys.executable).with_name("langgraph")
    command = [cli, "dev", *OPTIONS, "--no-reload", "--host", host, "--port", port]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH", "OPENAI"))}
    env |= {"LANGGRAPH_CLI_NO_ANALYTICS": "1"} | variables
    log = folder / "log"
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, env=env)
    try:
        yield wait_until_ready(f"http://127.0.0.1:{port}", server, log)
    finally:
        server.terminate()
        server.wait(10)


def wait_until_ready(url, server, log):
    """The URL of a server, once it answers."""
    for _ in range(300):
        try:
            if httpx.get(f"{url}/ok").is_success:
                return url
        except httpx.TransportError:
            assert server.poll() is None, log.read_text()
        time.sleep(0.2)
    return pytest.fail(log.read_text())

"""Starts the simulated endpoint in a process of its own, and points our clients at it."""

import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import uvicorn
from starlette.applications import Starlette

from errata.evals.endpoint.settings import Settings

_BACKLOG = 4096
_SECONDS_TO_END = 10
_DROPPED = "ASGI callable returned without completing response"
"""What uvicorn logs of a response that is dropped on purpose."""


@contextmanager
def start(settings: Settings) -> Iterator[str]:
    """Start the endpoint on a free port; its URL. Ends it afterwards.

    Raises RuntimeError if it does not start; what it says is on standard error.
    """
    own = f"--settings={json.dumps(asdict(settings))}"
    command = [sys.executable, "-m", "errata.evals.endpoint", "--port=0", own]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  our own
    try:
        url = process.stdout.readline().strip() if process.stdout else ""
        if not url:
            raise RuntimeError("the simulated endpoint did not start")
        yield url
    finally:
        process.terminate()
        process.wait(_SECONDS_TO_END)
        if process.stdout:
            process.stdout.close()


@contextmanager
def pointed_at(url: str) -> Iterator[None]:
    """Have models named `openai:…` and the search engine `serpapi` be those of the endpoint."""
    variables = {
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "none",
        "SERPAPI_BASE_URL": url,
        "SERPAPI_API_KEY": "none",
        "ERRATA_ALLOW_PRIVATE_URLS": "1",
    }
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def serve(app: Starlette, port: int) -> None:
    """Serve an app on loopback until the process is ended; print the URL when it is reachable."""
    with socket.create_server(("127.0.0.1", port), backlog=_BACKLOG) as listener:
        sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        news = logging.getLogger("uvicorn.error")
        news.addFilter(lambda record: _DROPPED not in record.getMessage())
        config = uvicorn.Config(app, log_level="error", lifespan="off", backlog=_BACKLOG)
        uvicorn.Server(config).run(sockets=[listener])

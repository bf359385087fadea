"""Serves the simulated endpoint on loopback, and points our clients at it."""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.settings import Settings

_BACKLOG = 4096
_SECONDS_TO_END = 10
_DROPPED = "ASGI callable returned without completing response"
"""What uvicorn logs of a response that is dropped on purpose."""


@contextmanager
def start(settings: Settings) -> Iterator[str]:
    """Serve the endpoint on a free port, in a thread, until the block ends; its URL."""
    logging.getLogger("uvicorn.error").addFilter(lambda record: _DROPPED not in record.getMessage())
    app = Endpoint(settings).app
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off", backlog=_BACKLOG)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    [listener] = server.servers[0].sockets
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join(_SECONDS_TO_END)


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

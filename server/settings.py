"""The operator's settings, from the environment, and a client of this very server."""

import os
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from pydantic import Field

from errata.nodes.deployment import CommaSeparated, FromEnvironment


class ServerSettings(FromEnvironment):
    """What an operator sets of a server beside its deployment."""

    OWNER = "the server"

    auth: Literal["on", "off"] = "on"
    """`on`: all callers need a key; `off`: nobody does, for a server that only you can reach."""
    api_keys_file: Path | None = None
    """A file of API keys, one a line; read again when it changes."""
    allow_origins: CommaSeparated = ()
    """Further origins whose pages browsers let call the server, separated by commas."""
    model: str = "local"
    """The model of runs that name none; callers may choose no other."""
    corpus: str = ""
    """The corpus of runs that name none; callers may choose no other."""
    search: str = "none"
    """The search engine of runs that name none; callers may choose no other."""
    max_body_bytes: Annotated[int, Field(ge=1)] = 2_000_000
    """The most bytes of a request's body."""
    max_draft_chars: Annotated[int, Field(ge=1)] = 100_000
    """The most characters of a run's input or a state edit, without its documents."""
    max_documents: Annotated[int, Field(ge=1)] = 2_000
    """The most documents of a run's input or a state edit."""
    max_requests: Annotated[int, Field(ge=1)] = 600
    """The most requests of one caller to one process in a minute."""
    max_bytes: Annotated[int, Field(ge=1)] = 20_000_000
    """The most bytes of one caller to one process in a minute."""
    max_open: Annotated[int, Field(ge=1)] = 100
    """The most requests and streams of one caller that are open at one process."""
    max_runs: Annotated[int, Field(ge=1)] = 16
    """The most runs of one caller that are under way."""
    max_seconds: Annotated[float, Field(gt=0)] = 120.0
    """The most seconds that a caller's run may take."""
    max_judged: Annotated[int, Field(ge=1)] = 200
    """The most claims that local code judges in one step of a caller's run."""
    max_links: Annotated[int, Field(ge=0)] = 0
    """The most links that a caller's run of `cite` opens; 0: none."""
    max_cpu_seconds: Annotated[float, Field(gt=0)] = 30.0
    """How many seconds a minute one process computes for one caller; further work waits."""


@cache
def settings() -> ServerSettings:
    """The settings of this process; the environment is read once."""
    return ServerSettings()


def places() -> int:
    """How many runs this process works on at once; 0 where other processes take all runs."""
    return int(os.environ.get("N_JOBS_PER_WORKER", "10"))


def max_runs(operator: ServerSettings, at_once: int) -> int:
    """The most runs of one caller: so few that three others like him find places too."""
    return min(operator.max_runs, max(1, at_once // 4)) if at_once else operator.max_runs


@cache
def server_client() -> LangGraphClient:
    """A client of this very server."""
    return get_client()

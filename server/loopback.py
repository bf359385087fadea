"""The server as its own client, past auth: what it needs to know of threads and assistants."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import UUID

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from errata.methods import METHODS


@cache
def server_client() -> LangGraphClient:
    """A client of this very server."""
    return get_client()


async def find_assistant(name: object) -> Mapping[str, Any]:
    """An assistant by its id or a graph's name; empty if there is none."""
    if name in METHODS:
        return {"graph_id": name}
    try:
        return await server_client().assistants.get(str(UUID(str(name))))
    except (NotFoundError, ValueError):
        return {}

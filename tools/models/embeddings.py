"""Embedders by name, for the dense half of an index."""

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from errata.core.errors import InputError, SettingError
from errata.tools.models.spec import openai_proxy
from errata.tools.net.limits import VECTORS_BYTES
from errata.tools.net.redaction import redact


@cache
def embedder_for(spec: str) -> Any:
    """The LangChain embedder that `PROVIDER:MODEL` names; None for the empty string.

    Raises SettingError if it cannot be opened.
    """
    if not spec:
        return None
    from langchain.embeddings import init_embeddings

    try:
        return init_embeddings(spec, **(_openai_options() if spec.startswith("openai:") else {}))
    except Exception as error:  # providers share no base class of errors
        raise SettingError(f"cannot open the embedder {spec!r}: {redact(str(error))}") from error


@contextmanager
def asking_embedder() -> Iterator[None]:
    """Have whatever an embedder raises inside the block be an InputError."""
    try:
        yield
    except Exception as error:  # providers share no base class of errors
        fault = redact(f"{type(error).__name__}: {error}")
        raise InputError(f"the embedder gives no vectors: {fault}") from error


def _openai_options() -> dict[str, Any]:
    from httpx2 import Client

    from errata.tools.net.bounded import bounded

    client = Client(proxy=openai_proxy(), follow_redirects=True, **bounded(VECTORS_BYTES))
    atexit.register(client.close)
    # OpenAI's token counting would fetch a vocabulary; compatible servers have one of their own.
    # And LangChain takes a client or a proxy, not both.
    return {"check_embedding_ctx_length": False, "http_client": client, "openai_proxy": ""}

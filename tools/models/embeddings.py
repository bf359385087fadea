"""Embedders by name, for the dense half of an index."""

from functools import cache
from typing import Any

from errata.errors import SettingError
from errata.tools.net.redaction import redact


@cache
def embedder_for(spec: str) -> Any:
    """The LangChain embedder that `PROVIDER:MODEL` names; None for the empty string.

    Raises SettingError if it cannot be opened.
    """
    if not spec:
        return None
    from langchain.embeddings import init_embeddings

    # OpenAI's token counting would fetch a vocabulary; compatible servers have one of their own.
    options: dict[str, Any] = (
        {"check_embedding_ctx_length": False} if spec.startswith("openai:") else {}
    )
    try:
        return init_embeddings(spec, **options)
    except Exception as error:  # providers share no base class of errors
        raise SettingError(f"cannot open the embedder {spec!r}: {redact(str(error))}") from error

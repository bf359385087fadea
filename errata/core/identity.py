"""What makes two runs the same: what is asked of which method, and by which settings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel

MAY_CHANGE = frozenset(
    "at_once breaker_after breaker_seconds call_cache call_cache_hours call_cache_megabytes "
    "page_cache page_cache_hours page_timeout per_second prices record replay retries reuse "
    "search_cache timeout".split()
)
"""The settings that say how the work is done, not what comes out; they may change meanwhile."""


def identify(
    method: str, request: Mapping[str, str], documents: Sequence[Any], context: BaseModel
) -> str:
    """A digest of a method, a request with its documents, the settings and errata's version.

    `documents` are JSON values. Of the settings those count that differ from their defaults and can
    change a result.
    """
    # A document is the same whenever it was read.
    lasting = [{**d, "retrieved_at": ""} if isinstance(d, Mapping) else d for d in documents]
    values = {
        name: (getattr(context, name), field.get_default())
        for name, field in type(context).model_fields.items()
        if name not in MAY_CHANGE
    }
    settings = {name: own for name, (own, default) in values.items() if own != default}
    whole = [version("errata"), method, dict(request), lasting, settings]
    text = json.dumps(whole, sort_keys=True, default=_describe)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _describe(value: object) -> str:
    """A text for an object: the repr of a dataclass, else the class and the model it names."""
    if is_dataclass(value):
        return repr(value)
    return f"{type(value).__module__}.{type(value).__name__} {getattr(value, 'model_name', '')}"

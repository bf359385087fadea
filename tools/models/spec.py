"""How a run names what fills a role: local code, models in order, or both in a cascade."""

import re
from typing import Any

LOCAL = "local"
FORMS = (
    "'local', 'local:WEIGHTS', 'scripted:FILE', 'huggingface:ID_OR_FOLDER', 'PROVIDER:MODEL' such "
    "as 'openai:gpt-4o-mini', 'openai:MODEL@URL', several models in order, separated by commas, "
    "and any LangChain chat model given as an object"
)
"""What can be named, in words."""
_NEXT = re.compile(r",(?=\s*(?:local\s*(?:,|$)|[A-Za-z][\w-]*:))")
"""A comma before a further model; others may be part of a path."""
_NAMES = ("name", "model_name", "model", "model_id")
"""Where chat models keep what they are called."""


def is_local(spec: object) -> bool:
    """Whether code of ours fills a role, not a model."""
    return isinstance(spec, str) and spec.partition(":")[0] == LOCAL


def split_cascade(spec: Any) -> tuple[Any, Any]:
    """What fills a role first, and what it passes its unsure cases to, if anything.

    >>> split_cascade("local>openai:gpt-4o-mini")
    ('local', 'openai:gpt-4o-mini')
    """
    if isinstance(spec, list | tuple) and spec:
        first, second = split_cascade(spec[0])
        return (first, (second, *spec[1:])) if second else (spec, "")
    if not isinstance(spec, str):
        return spec, ""
    first, _, second = spec.partition(">")
    return first.strip(), second.strip()


def split_models(spec: Any) -> tuple[Any, ...]:
    """The models that a spec names, in the order in which they are asked.

    >>> split_models("openai:gpt-4o-mini, openai:qwen@http://localhost:8000/v1")
    ('openai:gpt-4o-mini', 'openai:qwen@http://localhost:8000/v1')
    """
    if isinstance(spec, list | tuple):
        return tuple(model for each in spec for model in split_models(each)) or (spec,)
    return tuple(map(str.strip, _NEXT.split(spec))) if isinstance(spec, str) else (spec,)


def name_of(model: object) -> str:
    """What a model is called in usage and notes: as the user named it, else by its own name."""
    if isinstance(model, str):
        return model
    names = (getattr(model, place, None) for place in _NAMES)
    return next((name for name in names if isinstance(name, str) and name), type(model).__name__)

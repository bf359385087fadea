"""How a run names what fills a role: local code, `PROVIDER:MODEL`, or both in a cascade."""

from typing import Any

LOCAL = "local"


def is_local(spec: object) -> bool:
    """Whether code of ours fills a role, not a model."""
    return isinstance(spec, str) and spec.partition(":")[0] == LOCAL


def split_cascade(spec: Any) -> tuple[Any, str]:
    """What fills a role first, and what it passes its unsure cases to, if anything.

    >>> split_cascade("local>openai:gpt-4o-mini")
    ('local', 'openai:gpt-4o-mini')
    """
    if not isinstance(spec, str):
        return spec, ""
    first, _, second = spec.partition(">")
    return first.strip(), second.strip()

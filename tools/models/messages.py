"""What a server's message must be before it counts as a reply, and what it says that it took."""

from typing import Any

from langchain_core.messages import AIMessage

_MOST = 2**53
"""Counts from here on are no tokens; sums of them would fit no database."""


def own_message(message: object) -> AIMessage:
    """The message, if the server gives it as the model's own; raises ValueError if it does not."""
    if isinstance(message, AIMessage):
        return message
    role = getattr(message, "role", "") or getattr(message, "type", "")
    raise ValueError(f"its role is {role!r}, not 'assistant'")


def reported_tokens(message: AIMessage) -> tuple[int, int] | None:
    """The tokens of prompt and reply that a server reports; None if these are no counts.

    >>> reported_tokens(AIMessage("yes")) is None
    True
    """
    reported: Any = message.usage_metadata or {}
    counts = reported.get("input_tokens"), reported.get("output_tokens")
    sent, received = (int(each) if _is_count(each) else -1 for each in counts)
    return (sent, received) if min(sent, received) >= 0 else None


def _is_count(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < _MOST and value == int(value)

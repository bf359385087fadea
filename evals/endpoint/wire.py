"""The bodies of the APIs that the simulated endpoint speaks."""

import json
from collections.abc import Mapping
from typing import Any

from errata.tools.text.words import count_tokens

Body = dict[str, Any]
COMPLETIONS = "/v1/chat/completions"
SEARCH = "/search.json"
ABOUT: Body = {"id": "1", "created": 1, "model": "m"}


def completion(message: Mapping[str, Any], *, reason: str = "", prompt: str = "") -> Body:
    """A chat completion with one message; with the usage if there is a prompt to count."""
    usual = "tool_calls" if message.get("tool_calls") else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason or usual}
    body = {**ABOUT, "object": "chat.completion", "choices": [choice]}
    return {**body, "usage": _usage(prompt, str(message["content"]))} if prompt else body


def chunk(text: str, *, reason: str = "") -> bytes:
    """A part of a streamed completion; the last one has a reason."""
    delta = {"role": "assistant", "content": text}
    choice = {"index": 0, "delta": delta, "finish_reason": reason or None}
    body = {**ABOUT, "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(body)}\n\n".encode() + b"data: [DONE]\n\n" * bool(reason)


def _usage(prompt: str, reply: str) -> Body:
    sent, received = count_tokens(prompt), count_tokens(reply)
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    return dict(zip(names, (sent, received, sent + received), strict=True))


def prompt_text(request: Mapping[str, Any]) -> str:
    """All that a chat request says; raises KeyError or TypeError if it is no chat request."""
    parts = [message["content"] or "" for message in request["messages"]]
    return "\n".join(part if isinstance(part, str) else _texts(part) for part in parts)


def _texts(parts: list[Mapping[str, Any]]) -> str:
    return "\n".join(part.get("text", "") for part in parts)


def error(message: str) -> Body:
    """An error as the API words it."""
    return {"error": {"message": message, "type": "simulated", "param": None, "code": None}}

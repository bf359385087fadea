"""`model="auto"`: the best judge at hand, chosen once for a session, and named in its results.

Nothing is downloaded or paid for, and nothing but loopback is asked.
"""

import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from http.client import HTTPConnection, HTTPException
from time import monotonic
from typing import Any
from urllib.request import getproxies, proxy_bypass

from errata.nodes.settings import fill
from errata.tools.models.spec import LOCAL

AUTO = "auto"
NAMING = ("model", "roles", "replay", "deployment", "max_money")
"""The settings of which any one leaves nothing to guess; a model on loopback has no price."""
KEYS = {
    "OPENAI_API_KEY": "openai:gpt-5.4-nano",
    "ANTHROPIC_API_KEY": "anthropic:claude-haiku-4-5",
    "GOOGLE_API_KEY": "google_genai:gemini-3.1-flash-lite",
}
CONNECT_SECONDS, SECONDS, MOST_BYTES = 0.2, 1.0, 1_000_000
"""How long a server on loopback may take to answer at all and, busy, to list its models; and how
much it may send."""
Choice = tuple[Mapping[str, Any], str]
"""What judges, as settings, and a line that says what it is, and why."""


def guess(settings: Mapping[str, Any], *, watched: bool | None = None) -> dict[str, Any]:
    """The settings, with `auto` where they name no judge and a person looks on, as at a prompt."""
    watched = hasattr(sys, "ps1") if watched is None else watched
    named = any(settings.get(name) for name in NAMING)
    return {**settings, **({"model": AUTO} if watched and not named else {})}


def choose(settings: Mapping[str, Any], roles: Collection[str]) -> Choice:
    """The settings with what `auto` stands for, if they name it; else as they are, and no line."""
    if settings.get("model") != AUTO:
        return settings, ""
    others = {name: value for name, value in settings.items() if name != "model"}
    judge, note = next(_candidates("verify" in roles))
    return fill(others, judge), note


def _candidates(verifies: bool) -> Iterator[Choice]:
    """What may judge, the best first; local code last, which always can."""
    from errata.tools.judges.hub_verifier import find_cached

    # A proxy would see what is meant for this machine alone.
    direct = not {"http", "all"} & getproxies().keys() or proxy_bypass("127.0.0.1")
    for name, port in (("Ollama", _ollama_port()), ("LM Studio", 1234)) if direct else ():
        if model := _first_model(port):
            spec = f"openai:{model}@http://127.0.0.1:{port}/v1"
            why = f"which {name} has on this machine; --model names another"
            yield {"model": spec}, f"judged by {model}, {why}"
    for name, folder in find_cached() if verifies else ():
        why = f"hub:{name}, a verifier in the Hugging Face cache; `errata judges` lists more"
        yield {"roles": {"verify": f"hub:{folder}"}}, f"judged by {why}"
    key = next((key for key in KEYS if os.environ.get(key)), "")
    offer = f"; {key} is set: `errata config model {KEYS[key]}` lets it spend" if key else ""
    first, model = next(iter(KEYS.items()))
    more = offer or f"; a model finds more: start Ollama, or set {first} and --model {model}"
    yield {"model": LOCAL}, f"judged by local code, as no model is named or runs here{more}"


def _ollama_port() -> int:
    """The port that OLLAMA_HOST names, or Ollama's own."""
    port = os.environ.get("OLLAMA_HOST", "").rpartition(":")[2].strip("/")
    return int(port) if port.isdigit() else 11434


@cache
def _first_model(port: int) -> str:
    """The first model of a server that writes text; empty without one, or if it takes too long."""
    connection, began, body = HTTPConnection("127.0.0.1", port, CONNECT_SECONDS), monotonic(), b""
    try:
        connection.request("GET", "/v1/models")
        connection.sock.settimeout(SECONDS)
        reply = connection.getresponse()
        while part := reply.read1(MOST_BYTES):
            body += part
            if len(body) > MOST_BYTES or monotonic() - began > SECONDS:
                return ""
        names = [str(each["id"]) for each in json.loads(body)["data"]]
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return ""
    finally:
        connection.close()
    return next((name for name in names if "embed" not in name.lower()), "")

"""OpenAI-compatible servers: which one a model is on, and the key that it gets."""

import os
import re
from typing import Any
from urllib.parse import urlsplit

from errata.core.errors import SettingError

OPENAI = "https://api.openai.com/v1"
_AT = re.compile(r"(?P<name>.+?)@(?P<url>https?:.*)", re.IGNORECASE)


def split_address(model: str) -> tuple[str, str]:
    """A model's name and the base URL of its own server; empty where it has none of its own.

    Raises SettingError if the URL names no host, or holds a user or a password.

    >>> split_address("qwen3@http://localhost:8000/v1")
    ('qwen3', 'http://localhost:8000/v1')
    """
    match = _AT.fullmatch(model)
    if not match:
        return model, ""
    parts = urlsplit(match["url"])
    if not parts.hostname or "@" in parts.netloc:
        raise SettingError(
            f"openai:{match['name']}@URL takes a base URL such as http://localhost:8000/v1, "
            "without a user or a password; keys come from the environment (ERRATA_MODEL_KEY)"
        )
    return match["name"], match["url"]


def server_options(url: str) -> dict[str, Any]:
    """The address and the key of a model's server, where they are not the provider's own.

    A server of one's own may need no key. OPENAI_API_KEY is for the host of OPENAI_BASE_URL alone;
    the server of another URL gets ERRATA_MODEL_KEY.
    """
    key, home = os.environ.get("OPENAI_API_KEY"), os.environ.get("OPENAI_BASE_URL")
    if not url:
        return {"api_key": "none"} if home and not key else {}
    if _trusts(home or OPENAI, url) and key:
        return {"base_url": url, "api_key": key}
    return {"base_url": url, "api_key": os.environ.get("ERRATA_MODEL_KEY") or "none"}


def openai_proxy() -> str | None:
    """The proxy that OPENAI_PROXY names, for a client of our own; None if it names none."""
    return os.environ.get("OPENAI_PROXY") or None


def _trusts(home: str, url: str) -> bool:
    """Whether a URL has the host of another, and does not give up its encryption."""
    ours, theirs = urlsplit(home), urlsplit(url)
    return ours.hostname == theirs.hostname and (
        theirs.scheme.lower() == "https" or ours.scheme.lower() != "https"
    )

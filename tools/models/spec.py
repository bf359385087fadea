"""How a run names what fills a role: local code, models in order, or both; their servers."""

import os
import re
from typing import Any
from urllib.parse import urlsplit

from errata.core.errors import SettingError
from errata.tools.models.decisions import DECISION_FORMS, decides

LOCAL, HUB = "local", "hub"
"""Code of ours, and a published checkpoint that code of ours asks."""
FORMS = (
    "'local', 'local:WEIGHTS', 'hub:ID_OR_FOLDER' (to verify and to evaluate), 'scripted:FILE', "
    "'huggingface:ID_OR_FOLDER', 'PROVIDER:MODEL' such as 'openai:gpt-4o-mini', "
    "'openai:MODEL@URL', 'decisions:MODEL' and 'systemone:MODEL@URL' (where something is judged), "
    "several models in order, separated by commas, and any LangChain chat or decision model given "
    "as an object"
)
_NEXT = re.compile(r",(?=\s*(?:local\s*(?:,|$)|[A-Za-z][\w-]*:))")
"""A comma before a further model; others may be part of a path."""
OPENAI = "https://api.openai.com/v1"
_AT = re.compile(r"(?P<name>.+?)@(?P<url>https?:.*)", re.IGNORECASE)
_BARE = re.compile(
    r"(?:.*@|openai:)?(?P<scheme>https?://)?"
    r"(?P<rest>(?:(?(scheme)[^/@\s]+|[\w.-]+:\d{2,5})|localhost|\d+(?:\.\d+){3})(?:/\S*)?)",
    re.IGNORECASE,
)
"""The address of a server alone, or after `@` or `openai:` without a scheme."""
_NAMES = ("name", "model_name", "model", "model_id")
"""Where chat models keep what they are called."""


def is_decider(spec: object) -> bool:
    """Whether a decision model fills a role, or several in order: it judges, and writes nothing."""
    if isinstance(spec, list | tuple):
        return bool(spec) and all(map(is_decider, spec))
    if isinstance(spec, str):
        return spec.partition(":")[0] in DECISION_FORMS
    return decides(spec)


def is_local(spec: object) -> bool:
    """Whether code of ours fills a role, not a model."""
    return isinstance(spec, str) and spec.partition(":")[0] in (LOCAL, HUB)


def split_cascade(spec: Any) -> tuple[Any, Any]:
    """What fills a role first, and what it passes its unsure cases to, if anything.

    An object of `errata.judges` stands for the code that it names.

    >>> split_cascade("local>openai:gpt-4o-mini")
    ('local', 'openai:gpt-4o-mini')
    """
    spec = spec.model if getattr(spec, "_provider", "") == "errata" else spec
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


def check_name(spec: str, name: str) -> None:
    """Refuse an address alone, a spec without a model's name, and several; raises SettingError."""
    if not _AT.fullmatch(spec) and (match := _BARE.fullmatch(spec)):
        whole = f"{match['scheme'] or 'http://'}{match['rest']}"
        raise SettingError(
            f"{match['rest']!r} is the address of a server: name the model and the whole address, "
            f"with its scheme, as in openai:MODEL@{whole}"
        )
    if not name:
        raise SettingError(f"no model is called {spec!r}; known are {FORMS}")
    if len(split_models(spec)) > 1:
        raise SettingError(f"{spec!r} names several models; this takes one")
    if "," in name:
        raise SettingError(f"{spec!r}: name each model with its provider, as in openai:a,openai:b")


def server_options(url: str) -> dict[str, Any]:
    """The address and the key of a model's server, where they are not the provider's own.

    A server of one's own may need no key. OPENAI_API_KEY is for the host of OPENAI_BASE_URL alone;
    the server of another URL gets ERRATA_MODEL_KEY. Raises SettingError if OPENAI_BASE_URL has no
    scheme.
    """
    key, home = os.environ.get("OPENAI_API_KEY"), os.environ.get("OPENAI_BASE_URL")
    if home and not urlsplit(home).hostname:
        raise SettingError("OPENAI_BASE_URL takes a whole address: http://localhost:8000/v1")
    if not url:
        return {"api_key": "none"} if home and not key else {}
    ours, theirs = urlsplit(home or OPENAI), urlsplit(url)
    is_safe = theirs.scheme.lower() == "https" or ours.scheme.lower() != "https"
    if key and is_safe and ours.hostname == theirs.hostname:
        return {"base_url": url, "api_key": key}
    return {"base_url": url, "api_key": os.environ.get("ERRATA_MODEL_KEY") or "none"}

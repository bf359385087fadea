"""The one door to language models."""

import os
import re
from asyncio import AbstractEventLoop, Semaphore, get_running_loop, to_thread
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.rate_limiters import InMemoryRateLimiter

from errata.errors import AccessError, ChatError, ErrataError, ReplyError, SettingError
from errata.records import Usage
from errata.tools.models.huggingface import open_huggingface
from errata.tools.models.replay import record_exchange
from errata.tools.models.scripted import ScriptedChat
from errata.tools.net.limits import Limits
from errata.tools.net.redaction import redact
from errata.tools.net.tls import tls_context
from errata.tools.text.words import count_tokens

LOCAL = "local"
HEADER = "X-Errata-Prompt"
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"(?:Sorry|I apologi[sz]e|As an AI|I (?:can['’]?t|cannot)"
    r"|I(?: am|['’]m) (?:sorry|(?:un|not )able))\b",
    re.IGNORECASE,
)
_NO_ACCESS = (401, 403, 404)
_ADVICE = {
    401: "check the key in the environment",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    413: "the prompt is too long for the server",
    429: "the server is over its limit: try later, or lower at_once",
}


@dataclass(frozen=True)
class ModelReply:
    """Hold what a model answered, and what it cost."""

    text: str
    usage: Usage


Models = dict[tuple[str, Limits], BaseChatModel]
# A client's connections belong to the event loop that opened them, so each loop has its own.
_MODELS: WeakKeyDictionary[AbstractEventLoop, Models] = WeakKeyDictionary()
_CLIENTS: WeakKeyDictionary[AbstractEventLoop, list[Any]] = WeakKeyDictionary()
_GATES: WeakKeyDictionary[AbstractEventLoop, dict[str, Semaphore]] = WeakKeyDictionary()


def is_local(spec: str | BaseChatModel) -> bool:
    """Tell whether code of ours fills a role, not a model."""
    return isinstance(spec, str) and spec.partition(":")[0] == LOCAL


def split_cascade(spec: Any) -> tuple[Any, str]:
    """Part a spec into what fills a role first and what it hands its doubts to, if anything.

    >>> parted("local>openai:gpt-4o-mini")
    ('local', 'openai:gpt-4o-mini')
    """
    if not isinstance(spec, str):
        return spec, ""
    first, _, second = spec.partition(">")
    return first.strip(), second.strip()


def check_model(spec: str | BaseChatModel) -> None:
    """Refuse a spec that names nothing we can open.

    Raises SettingError saying what is known, which package is missing, or which key.
    """
    if isinstance(spec, str) and not is_local(spec):
        _built(spec, Limits())


def opened(spec: str | BaseChatModel, limits: Limits) -> BaseChatModel:
    """Open a chat model for the running event loop; the same spec gives the same model."""
    if isinstance(spec, BaseChatModel):
        return spec
    loop = get_running_loop()
    models = _MODELS.setdefault(loop, {})
    if (spec, limits) not in models:
        models[spec, limits] = _built(spec, limits, _CLIENTS.setdefault(loop, []))
    return models[spec, limits]


async def close() -> None:
    """Close the connections that the running loop has open."""
    loop = get_running_loop()
    _MODELS.pop(loop, None)
    for client in _CLIENTS.pop(loop, []):
        await client.aclose()


def _built(spec: str, limits: Limits, clients: list[Any] | None = None) -> BaseChatModel:
    """Build a chat model; its own connections, if it has any, join the clients."""
    kind, _, rest = spec.partition(":")
    if kind == "scripted" and rest:
        return ScriptedChat.read(Path(rest))
    if kind == "huggingface" and rest:
        return open_huggingface(rest)
    if not rest:
        raise SettingError(
            f"no model or filler is called {spec!r}; known are {LOCAL!r}, 'local:WEIGHTS', "
            "'scripted:FILE', 'huggingface:ID_OR_FOLDER', 'PROVIDER:MODEL' such as "
            "'openai:gpt-4o-mini', and any LangChain chat model given as an object"
        )
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {"timeout": limits.timeout, "max_retries": limits.retries}
    if limits.per_second:
        options["rate_limiter"] = InMemoryRateLimiter(requests_per_second=limits.per_second)
    if kind == "openai":
        options |= _openai(clients)
    try:
        model: BaseChatModel = init_chat_model(rest, model_provider=kind, **options)
    except ImportError as error:
        raise SettingError(f"{spec!r}: {error}") from error
    except Exception as error:  # providers share no base class of errors
        raise SettingError(f"cannot open {spec!r}: {redact(str(error))}") from error
    return model


def _openai(clients: list[Any] | None) -> dict[str, Any]:
    """Give what an OpenAI-compatible server needs; one of your own needs no key."""
    options: dict[str, Any] = {"disable_streaming": True}
    if clients is not None:
        from httpx2 import AsyncClient

        clients.append(AsyncClient(verify=tls_context()))
        options["http_async_client"] = clients[-1]
    if os.environ.get("OPENAI_BASE_URL") and not os.environ.get("OPENAI_API_KEY"):
        options["api_key"] = "none"
    return options


async def send(
    model: BaseChatModel,
    role: str,
    prompt: str,
    digest: str,
    text: str,
    limits: Limits,
    keep_in: str = "",
) -> ModelReply:
    """Send one filled prompt and read the reply; keep the exchange in a folder if one is named.

    `prompt` and `digest` name the template in the run's metadata, and in a header where the server
    is OpenAI-compatible. Raises AccessError where the server turns us away, ChatError where it
    fails, ReplyError where the model says nothing, was cut off or refused.
    """
    tag = f"{prompt}@{digest[:8]}"
    metadata = {"prompt": prompt, "digest": digest, "role": role}
    config: Any = {"metadata": metadata, "run_name": tag, "tags": ["nostream"]}
    compatible = hasattr(model, "openai_api_base")
    headers: dict[str, Any] = {"extra_headers": {HEADER: prompt}} if compatible else {}
    try:
        async with _gate(model, limits.at_once):
            message = await model.ainvoke([HumanMessage(text)], config, **headers)
    except ErrataError:
        raise
    except ValueError as error:  # a body that is no JSON, or not of the expected form
        raise ReplyError(f"the reply to {tag} is broken: {_explained(error, limits)}") from error
    except Exception as error:  # providers share no base class of errors
        kind = AccessError if getattr(error, "status_code", None) in _NO_ACCESS else ChatError
        raise kind(f"asking {tag} for {role}: {_explained(error, limits)}") from error
    if keep_in:
        await to_thread(record_exchange, keep_in, prompt, text, redact(text), message)
    usage = _usage(message, role, text)
    return ModelReply(_text(message, tag, role, usage), usage)


def _gate(model: BaseChatModel, at_once: int) -> Semaphore:
    """Give the gate of a model's endpoint in the running loop."""
    endpoint = str(getattr(model, "openai_api_base", None) or type(model).__name__)
    gates = _GATES.setdefault(get_running_loop(), {})
    return gates.setdefault(f"{endpoint} {at_once}", Semaphore(at_once))


def _explained(error: Exception, limits: Limits) -> str:
    """Say what came and what to do, without any secret."""
    name, status = type(error).__name__, getattr(error, "status_code", None)
    advice = _ADVICE.get(status or 0, "")
    if "Timeout" in name:
        advice = f"no answer within {limits.timeout:g} s; raise the timeout or ask for less"
    elif "Connection" in name:
        advice = "nothing answers there: check the base URL and that the server runs"
    return redact(f"{name}: {error}" + (f"; {advice}" if advice else ""))


def _text(message: AIMessage, tag: str, role: str, usage: Usage) -> str:
    reason = message.response_metadata.get("finish_reason")
    if reason in ("length", "max_tokens"):
        fault = f"the reply to {tag} was cut off; raise the model's token limit"
        raise ReplyError(fault, usage)
    text = _THOUGHT.sub("", str(message.text)).strip()
    refused = message.additional_kwargs.get("refusal") or (
        role != "generate" and _REFUSAL.match(text)
    )
    if refused or reason == "content_filter":
        raise ReplyError(f"the model refused to answer {tag}", usage)
    if not text:
        raise ReplyError(f"the reply to {tag} is empty (finish reason {reason!r})", usage)
    return text


def _usage(message: AIMessage, role: str, sent: str) -> Usage:
    """Count tokens as the server did; estimate them, marked so, where it did not."""
    counted: Any = message.usage_metadata
    given = counted["input_tokens"] if counted else count_tokens(sent)
    taken = counted["output_tokens"] if counted else count_tokens(str(message.text))
    share: dict[str, float] = {
        "model_calls": 1,
        "prompt_tokens": given,
        "completion_tokens": taken,
    } | ({} if counted else {"estimated_calls": 1})
    return Usage(model_calls=1, prompt_tokens=given, completion_tokens=taken, by_role={role: share})

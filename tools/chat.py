"""The one door to language models."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage

from errata.errors import ChatError, ErrataError, ReplyError, SettingError
from errata.records import Usage
from errata.tools.scripted import ScriptedChat

LOCAL = "local"
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Reply:
    """Hold what a model answered, and what it cost."""

    text: str
    usage: Usage


def chat(spec: str | BaseChatModel) -> BaseChatModel | None:
    """Open what a spec names: a chat model, or None for `local` and `local:WEIGHTS`.

    Raises SettingError where no filler is called that.
    """
    if isinstance(spec, BaseChatModel):
        return spec
    if spec.partition(":")[0] == LOCAL:
        return None
    kind, _, rest = spec.partition(":")
    if kind == "scripted" and rest:
        return ScriptedChat.read(Path(rest))
    raise SettingError(
        f"no model or filler is called {spec!r}; known are {LOCAL!r}, 'local:WEIGHTS', "
        "'scripted:FILE' and any LangChain chat model given as an object"
    )


async def ask(model: BaseChatModel, role: str, prompt: str, digest: str, text: str) -> Reply:
    """Send one filled prompt and read the reply.

    `prompt` and `digest` name the template in the run's metadata. Raises ChatError where the model
    fails, ReplyError where it says nothing or was cut off.
    """
    tag = f"{prompt}@{digest[:8]}"
    metadata = {"prompt": prompt, "digest": digest, "role": role}
    config: Any = {"metadata": metadata, "run_name": tag, "tags": ["nostream"]}
    try:
        message = await model.ainvoke([HumanMessage(text)], config)
    except ErrataError:
        raise
    except Exception as error:
        raise ChatError(f"asking {tag} for {role}: {type(error).__name__}: {error}") from error
    return Reply(_text(message, tag), _usage(message, role))


def _text(message: AIMessage, tag: str) -> str:
    reason = message.response_metadata.get("finish_reason")
    if reason in ("length", "max_tokens"):
        raise ReplyError(f"the reply to {tag} was cut off; raise the model's token limit")
    text = _THOUGHT.sub("", str(message.text)).strip()
    if not text:
        raise ReplyError(f"the reply to {tag} is empty (finish reason {reason!r})")
    return text


def _usage(message: AIMessage, role: str) -> Usage:
    counted: Any = message.usage_metadata or {}
    sent, received = counted.get("input_tokens", 0), counted.get("output_tokens", 0)
    share = {"model_calls": 1, "prompt_tokens": sent, "completion_tokens": received}
    return Usage(
        model_calls=1, prompt_tokens=sent, completion_tokens=received, by_role={role: dict(share)}
    )

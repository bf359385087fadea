"""Chat models opened by name; they stay open while their owner needs them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio.lowlevel import RunVar
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable

from errata.core.errors import SettingError, require
from errata.tools.models.decisions import DECISION_FORMS, DecisionChat, DecisionServer
from errata.tools.models.huggingface import PACKAGES, HuggingFaceChat
from errata.tools.models.scripted import ScriptedChat
from errata.tools.models.spec import (
    FORMS,
    OPENAI,
    check_name,
    is_decider,
    is_local,
    name_of,
    server_options,
    split_address,
)
from errata.tools.net.endpoints import REPLY_BYTES, Limits
from errata.tools.net.redaction import redact


class Models:
    """Open chat models; their connections belong to the event loop that they are used in."""

    def __init__(self) -> None:
        """No model is open yet."""
        self._models: dict[tuple[str, float, int], BaseChatModel] = {}
        self._clients: list[Any] = []
        self._users = 0

    @asynccontextmanager
    async def used(self, *, closing: bool = False) -> AsyncIterator[None]:
        """Keep connections open inside the block; `closing` closes them after the last user."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if closing and not self._users:
                await self.aclose()

    def open(self, spec: str | Runnable[Any, Any], limits: Limits) -> BaseChatModel:
        """The chat model that a spec names; the same spec and limits share one."""
        if isinstance(spec, BaseChatModel):
            return spec
        if not isinstance(spec, str):
            return DecisionChat(decider=spec, name=name_of(spec))
        key = (spec, limits.timeout, limits.retries)
        if key not in self._models:
            model = self._models[key] = _build(spec, limits, self._clients)
            model.name = spec
        return self._models[key]

    async def aclose(self) -> None:
        """Close every connection; a model that is asked for later is opened anew."""
        self._models.clear()
        while self._clients:
            await self._clients.pop().aclose()


_OF_LOOP: RunVar[Models] = RunVar("errata.models")


def current_models() -> Models:
    """The models of the running event loop."""
    models = _OF_LOOP.get(None) or Models()
    _OF_LOOP.set(models)
    return models


async def close_loop_models() -> None:
    """Close the connections that runs opened in the running event loop."""
    await current_models().aclose()


def check_model(spec: str | Runnable[Any, Any]) -> None:
    """Raise SettingError, with known forms, a missing package or key, if a spec opens no model."""
    if is_local(spec):
        raise SettingError(f"{spec!r} is local code and stands alone, or as local>PROVIDER:MODEL")
    if not (isinstance(spec, str | BaseChatModel) or is_decider(spec)):
        raise SettingError(f"no model is called {spec!r}; known are {FORMS}")
    Models().open(spec, Limits())


def _build(spec: str, limits: Limits, clients: list[Any]) -> BaseChatModel:
    """A new chat model; a connection pool of its own, if it has one, joins `clients`."""
    kind, _, rest = spec.partition(":")
    if kind == "scripted" and rest:
        return ScriptedChat.read(Path(rest))
    if kind == "huggingface" and rest:
        require(repr(spec), "huggingface", *PACKAGES)
        return HuggingFaceChat(source=rest)
    check_name(spec, rest)
    if kind in DECISION_FORMS:
        return _build_decider(kind, rest, limits, clients)
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {"timeout": limits.timeout, "max_retries": limits.retries}
    if kind == "openai":
        rest, url = split_address(rest)
        options |= server_options(url) | {"disable_streaming": True}
        # LangChain takes a client or a proxy, not both, and reads the environment's by itself.
        options |= {"http_async_client": _add_client(clients), "openai_proxy": ""}
    try:
        model: BaseChatModel = init_chat_model(rest, model_provider=kind, **options)
    except ImportError as error:
        raise SettingError(f"{spec!r}: {error}") from error
    except Exception as error:  # providers share no base class of errors
        raise SettingError(f"cannot open {spec!r}: {redact(str(error))}") from error
    return model


def _build_decider(form: str, name: str, limits: Limits, clients: list[Any]) -> DecisionChat:
    """A decision model behind an address; raises SettingError if it has no address, or no key."""
    from openai import AsyncOpenAI

    model, url = split_address(name)
    options = {"timeout": limits.timeout, "max_retries": limits.retries} | server_options(url)
    if not url and form == "systemone":
        raise SettingError(f"{form}:{model} needs its server's address: {form}:{model}@URL")
    if not ("api_key" in options or os.environ.get("OPENAI_API_KEY")):
        raise SettingError(
            f"{form}:{model} needs a key in OPENAI_API_KEY, or its server's address: "
            f"{form}:{model}@URL"
        )
    # What is kept, and how busy a server is, goes by its address.
    options["base_url"] = url or os.environ.get("OPENAI_BASE_URL") or OPENAI
    client = AsyncOpenAI(http_client=_add_client(clients), **options)
    return DecisionChat(decider=DecisionServer(model, form, client))


def _add_client(clients: list[Any]) -> Any:
    """A new connection pool, which joins `clients`."""
    from httpx2 import AsyncClient

    from errata.tools.net.bounded import bounded

    clients.append(AsyncClient(**bounded(REPLY_BYTES)))
    return clients[-1]

"""A stand-in for a chat model, so that the examples run without a key.

To use a real model, name it: `python examples/agent.py openai:gpt-4o-mini`.
"""

import sys
from collections.abc import Iterator
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage


class Canned(GenericFakeChatModel):
    """A model that replies with fixed messages, one after the other."""

    messages: Iterator[AIMessage]

    def bind_tools(self, *_: Any, **__: Any) -> "Canned":
        """The model itself: its messages already hold the calls of tools."""
        return self


def model(*messages: AIMessage) -> BaseChatModel:
    """The model that the command line names, or a stand-in with these messages."""
    if len(sys.argv) > 1:
        return init_chat_model(sys.argv[1])
    return Canned(messages=iter(messages))

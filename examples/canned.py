"""A stand-in for a chat model, so that the examples run without a key.

Give an example a model to use instead: `python examples/agent.py openai:gpt-4o-mini`.
"""

import sys
from collections.abc import Iterator
from typing import Any

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage


class Canned(GenericFakeChatModel):
    """Say what it was told to say, one message after the other."""

    messages: Iterator[AIMessage]

    def bind_tools(self, *_: Any, **__: Any) -> "Canned":
        """Take tools, and call them where the next message says so."""
        return self


def model(*messages: AIMessage) -> BaseChatModel:
    """Give the model that the command line names, or a stand-in that says these messages."""
    if len(sys.argv) > 1:
        return init_chat_model(sys.argv[1])
    return Canned(messages=iter(messages))

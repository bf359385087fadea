"""LangChain's callbacks see every step and every call, as tracers do."""

import asyncio

from langchain_core.callbacks import BaseCallbackHandler

from errata.graphs.rac import graph
from example import DRAFT, PAGE, REPLIES

STEPS = [
    "receive",
    "retrieve",
    "extract",
    "verify",
    "correct",
    "revise",
    "propose",
    "review",
    "report",
]


class Seen(BaseCallbackHandler):
    """As those of LangSmith and Langfuse: told of every step and of every call."""

    def __init__(self):
        self.steps, self.calls = [], []

    def on_chain_start(self, _, __, *, name="", **_kwargs):
        self.steps.append(name)

    def on_chat_model_start(self, _, messages, *, metadata=None, **_kwargs):
        self.calls.append((metadata["prompt"], messages[0][0].content))


def test_a_callback_handler_sees_steps_and_calls(scripted):
    seen, context = Seen(), {"model": scripted(REPLIES)}
    request = {"draft": DRAFT, "documents": [{"text": PAGE}]}
    asyncio.run(graph.ainvoke(request, {"callbacks": [seen]}, context=context))
    assert [name for name in seen.steps if name in STEPS] == STEPS
    prompts = [prompt.partition(".")[0] for prompt, _ in seen.calls]
    assert prompts == ["rac/verify", "rac/correct", "rac/revise"]
    assert DRAFT.split(". ")[0] in seen.calls[0][1]

"""LangChain's callbacks see every step and every call, as tracers do, also inside a chain."""

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableLambda

from errata import corrector
from example import DRAFT, PAGE, REPLIES, RESPONSE

STEPS = "receive retrieve extract verify correct revise propose review report".split()


class Seen(BaseCallbackHandler):
    """As those of LangSmith and Langfuse: told of every step and of every call."""

    def __init__(self):
        self.names, self.parents, self.calls = {}, {}, []

    def on_chain_start(self, _, __, *, run_id, parent_run_id=None, name="", **_kwargs):
        self.names[run_id] = name
        self.parents[name] = self.names.get(parent_run_id)

    def on_chat_model_start(self, _, messages, *, metadata=None, **_kwargs):
        self.calls.append((metadata["prompt"], messages[0][0].content))


def test_a_callback_handler_sees_steps_and_calls(scripted):
    seen, chain = Seen(), corrector(model=scripted(REPLIES)) | RunnableLambda(lambda c: c.response)
    request = {"draft": DRAFT, "documents": [PAGE]}
    assert chain.invoke(request, {"callbacks": [seen]}) == RESPONSE
    assert seen.parents["RAC"] == "errata.rac"
    assert [name for name, parent in seen.parents.items() if parent == "RAC"][: len(STEPS)] == STEPS
    prompts = [prompt.partition(".")[0] for prompt, _ in seen.calls]
    assert prompts == ["rac/verify", "rac/correct", "rac/revise"]
    assert DRAFT.split(". ")[0] in seen.calls[0][1]

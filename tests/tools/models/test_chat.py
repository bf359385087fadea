"""One request to a model: its reply, what it cost, and replies that are no answer."""

import pytest
from langchain_core.language_models import FakeListChatModel

from cached_calls import said_by
from errata.core.errors import ChatError, ReplyError
from errata.tools.models.request import Request
from errata.tools.models.scripted import ScriptedChat
from errata.tools.net.endpoints import Limits

pytestmark = pytest.mark.anyio


def ask(model, prompt="rac/verify.v1", text="hello"):
    return said_by(model, Request("verify", prompt, "0123456789abcdef", text), Limits())


async def test_a_script_replies_by_prompt_name_in_turn_or_by_words():
    model = ScriptedChat(
        script={
            "rac/extract": ["one", "two"],
            "rac/verify.v1": [{"when": "hell", "reply": "by words"}],
        }
    )
    assert (await ask(model, "rac/extract.v1")).text == "one"
    reply = await ask(model, "rac/extract.v1")
    assert reply.text == "two"
    counts = {"model_calls": 1, "prompt_tokens": 2, "completion_tokens": 1}
    assert reply.usage.by_role == {"verify": counts}
    with pytest.raises(ChatError, match="has no"):
        await ask(model, "rac/extract.v1")
    assert (await ask(model)).text == "by words"
    with pytest.raises(ChatError, match=r"rac/verify\.v1.*rac/extract"):
        await ask(model, text="other")


async def test_any_failure_of_a_model_is_an_error_of_ours():
    with pytest.raises(ReplyError, match=r"rac/verify\.v1@01234567 is broken: IndexError"):
        await ask(FakeListChatModel(responses=[]))


class Ending(ScriptedChat):
    """A scripted model whose replies end for one reason."""

    reason: str

    def answer(self, prompt, request, sample):
        message = super().answer(prompt, request, sample)
        message.response_metadata["finish_reason"] = self.reason
        return message


@pytest.mark.parametrize(
    ("reply", "reason", "message"),
    [
        ("1: True", "length", "cut off"),
        ("  ", "stop", "is empty"),
        ("<think>1: True</think>", "stop", "is empty"),
        ("I'm sorry, but I can't help with that.", "stop", "refused"),
        ("1: True", "content_filter", "refused"),
    ],
)
async def test_a_reply_without_an_answer_is_a_reply_error(reply, reason, message):
    with pytest.raises(ReplyError, match=message):
        await ask(Ending(script={"rac/verify": reply}, reason=reason))

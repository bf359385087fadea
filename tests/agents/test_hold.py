"""An agent whose answers are held back while they are in doubt."""

import asyncio

import pytest

from errata import FactCorrection
from errata.core.errors import SettingError
from example import DRAFT, QUESTION, RESPONSE

REQUEST = {"messages": [{"role": "user", "content": QUESTION}]}
HELD = {"method": "errata", "hold": "doubtful"}


def test_an_answer_is_corrected_in_every_way_to_run(agent, way):
    out = way(agent(**HELD), REQUEST, {})
    assert out["messages"][-1].content == RESPONSE
    assert len(out["messages"]) == 4
    assert (out["errata"]["label"], out["errata"]["draft"]) == ("refuted", DRAFT)


@pytest.mark.parametrize("hold", ["doubtful", "none"])
def test_no_token_of_a_refuted_sentence_is_streamed(agent, hold):
    async def tokens():
        stream = agent(**HELD | {"hold": hold}).astream(REQUEST, stream_mode="messages")
        return [m.text async for m, _ in stream if type(m).__name__ == "AIMessageChunk"]

    shown = "".join(asyncio.run(tokens()))
    assert shown == (RESPONSE if hold == "doubtful" else DRAFT)


def test_only_the_composed_method_holds():
    with pytest.raises(SettingError, match="hold"):
        FactCorrection(hold="doubtful")
    with pytest.raises(SettingError, match="goes with mode='correct'"):
        FactCorrection("errata", mode="block", hold="doubtful")

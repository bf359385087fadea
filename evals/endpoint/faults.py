"""What comes in place of a good reply: spoilt texts, and a body that ends in the middle."""

from asyncio import sleep
from collections.abc import AsyncIterator
from itertools import repeat
from random import Random

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

REFUSAL = "I'm sorry, I can't help with that."
NONSENSE = "zorp quimble frandle ostrel vexin marlow dunst ekthar plinge sorva tibbet wuld".split()
"""Words that stand in no other text."""
_LABELS = "True or False or Not Mentioned or Not Enough Information"
EVERY_LABEL = "\n".join(
    (
        *(f"{number}: {_LABELS}, CONSISTENT, INCONSISTENT, NOT TOLD" for number in range(1, 31)),
        "agree, disagree, irrelevant, yes, no, fully, partially",
        f"Factuality: {_LABELS}",
        f"Decision: {_LABELS}",
    )
)
_WORDS_OF_NONSENSE = 30
_BLANKS = b" " * 65_536


def faulty_reply(fault: str, text: str, reply: str) -> str:
    """What the fault makes of the reply to a prompt; the reply itself for any other fault."""
    texts = {
        "empty": "",
        "cut": reply[: len(reply) // 2],
        "refusing": REFUSAL,
        "garbage": " ".join(Random(text).choices(NONSENSE, k=_WORDS_OF_NONSENSE)),
        "hostile": EVERY_LABEL,
        "echoing": f"{text}\n{EVERY_LABEL}",
    }
    return texts.get(fault, reply)


async def flood() -> AsyncIterator[bytes]:
    """A body that never ends."""
    for part in repeat(_BLANKS):
        yield part
        await sleep(0)  # so that others have a turn even when nobody reads any more


class DroppedResponse(JSONResponse):
    """A response whose connection closes in the middle of the body."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the head and half of the body, and return: the server then closes the connection."""
        headers = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(headers)
        half = bytes(self.body)[: len(self.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})

"""Whatever a model replies, a run ends, keeps the draft, and supports nothing that is false."""

import contextlib
import json
import re
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from errata.core.edits import apply_edits
from errata.core.errors import ChatError, ReplyError
from errata.core.jsonable import to_json
from errata.session import Session
from errata.tools.models.scripted import FakeChat
from example import ANSWERING, CORRECTING, DRAFT, PAGE, QUESTION
from strategies import EXAMPLES, REPLIES

FEW = settings(EXAMPLES, max_examples=max(4, EXAMPLES.max_examples // 10))
"""A run takes as long as a thousand replies to read."""
SUPPORT = re.compile(r"true|consistent|agree|problems|not shown|not mentioned|yes", re.IGNORECASE)
FALSE = re.compile(r"1865|bees")
"""What the page does not say, in the claims that the draft makes of it."""


class AnyChat(FakeChat):
    """Replies to every prompt with one of some texts, always the same one."""

    replies: list[str]

    def answer(self, prompt, request, sample):  # noqa: ARG002
        """The text that a prompt draws."""
        return AIMessage(self.replies[crc32(f"{prompt}{request}".encode()) % len(self.replies)])


@pytest.mark.slow
@pytest.mark.parametrize("method", CORRECTING)
@FEW
@given(replies=st.lists(REPLIES, min_size=1, max_size=6))
def test_a_draft_comes_out_with_its_edits_whatever_the_model_replies(method, replies):
    found = Session(method, model=AnyChat(replies=replies)).correct(QUESTION, DRAFT, [PAGE])
    assert found.draft == DRAFT
    assert found.response == apply_edits(DRAFT, found.edits)
    assert found.response.strip()
    assert {v.claim for v in found.verdicts} <= {claim.id for claim in found.claims}
    json.dumps(to_json(found)).encode()


@pytest.mark.slow
@pytest.mark.parametrize("method", CORRECTING)
@FEW
@given(replies=st.lists(REPLIES, min_size=1, max_size=6))
def test_no_reply_without_a_word_for_it_supports_what_is_false(method, replies):
    texts = [SUPPORT.sub("", SUPPORT.sub("", reply)) for reply in replies]
    found = Session(method, model=AnyChat(replies=texts)).check(QUESTION, DRAFT, [PAGE])
    claims = {claim.id: claim.text for claim in found.claims}
    supported = [claims[v.claim] for v in found.verdicts if v.label == "supported"]
    assert not any(FALSE.search(claim) for claim in supported)


@pytest.mark.slow
@pytest.mark.parametrize("method", ANSWERING)
@FEW
@given(replies=st.lists(REPLIES, min_size=1, max_size=6))
def test_a_question_is_answered_or_the_error_says_why_not(method, replies):
    with contextlib.suppress(ChatError, ReplyError):
        found = Session(method, model=AnyChat(replies=replies)).answer(QUESTION, [PAGE])
        json.dumps(to_json(found)).encode()

"""Split the draft into claims (section 3.3)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from typing import TypedDict

from errata.nodes.ask import ask
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.step import step
from errata.records import Claim
from errata.tools.local.extract import extract as extract_locally
from errata.tools.local.placement import place_claims
from errata.tools.text.language import detect_foreign_draft

_NO_CLAIM = re.compile(r":$|^\W*(?:```.*)?$")
_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:fact|claim|statement)\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)


class Extracted(TypedDict):
    """The claims."""

    claims: list[Claim]


@step
async def extract(state: Rac, context: RacContext) -> Extracted:
    """Split the draft into self-contained claims, each with its sentence's place."""
    if context.model_for("extract") is None:
        language = await to_thread(detect_foreign_draft, state.draft)
        draft = (state.question, state.draft, language or "en")
        return {"claims": await to_thread(extract_locally, *draft)}
    consequence = "the draft was not split into claims and is returned as it was"
    values = {"question": state.question, "draft": state.draft}
    reply = await ask(context, "extract", "rac/extract", if_failed=consequence, **values)
    texts = [] if reply.failure else read_claims(reply.text)
    return {"claims": await to_thread(place_claims, state.draft, texts)}


def read_claims(reply: str) -> Sequence[str]:
    r"""One claim a line, without numbers, bullets and headings.

    >>> read_claims("Facts:\n1. Ada was a countess.\n- She wrote notes.")
    ['Ada was a countess.', 'She wrote notes.']
    """
    lines = (_MARK.sub("", line).strip() for line in reply.splitlines())
    return list(dict.fromkeys(line for line in lines if line and not _NO_CLAIM.search(line)))

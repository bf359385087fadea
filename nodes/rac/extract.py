"""Split the draft into claims (section 3.3)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Claim, Usage
from errata.tools.local.extract import extract as local
from errata.tools.local.extract import place_claims
from errata.tools.text.language import detect_foreign_language

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:fact|claim|statement)\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)


class Extracted(TypedDict):
    """Add the claims."""

    claims: list[Claim]
    usage: Usage
    notes: list[str]


@step
async def extract(state: Rac, runtime: Runtime[RacContext]) -> Extracted:
    """Split the draft into self-contained claims, each with its sentence's place."""
    context = settings(runtime)
    model = context.filler("extract")
    if model is None:
        language = await to_thread(detect_foreign_language, state.draft)
        claims = await to_thread(local, state.question, state.draft, language or "en")
        return {"claims": claims, "usage": Usage(), "notes": []}
    try:
        reply = await asked(context, model, "extract", "rac/extract.v1", draft=state.draft)
    except (ChatError, ReplyError) as error:
        note = f"the draft was not split into claims and is returned as it was: {error}"
        return {"claims": [], "usage": spent(error), "notes": [note]}
    claims = await to_thread(place_claims, state.draft, read_claims(reply.text))
    return {"claims": claims, "usage": reply.usage, "notes": []}


def read_claims(reply: str) -> Sequence[str]:
    r"""Read one claim a line; numbers, bullets and headings fall away.

    >>> read_claims("Facts:\n1. Ada was a countess.\n- She wrote notes.")
    ['Ada was a countess.', 'She wrote notes.']
    """
    lines = (_MARK.sub("", line).strip() for line in reply.splitlines())
    return list(dict.fromkeys(line for line in lines if line and not line.endswith(":")))

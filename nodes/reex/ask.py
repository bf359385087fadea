"""Ask what has to be looked up to check the draft (section 2, step 1)."""

import re
from asyncio import to_thread
from typing import TypedDict

from errata.nodes.ask import ask as ask_model
from errata.nodes.ledger import note
from errata.nodes.reex.claims import with_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.step import step
from errata.records import Claim

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:sub-?)?question\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)


class Asked(TypedDict):
    """The sub-questions, and the claims they are about."""

    claims: list[Claim]
    questions: list[str]


@step
async def ask(state: Reex, context: ReexContext) -> Asked:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    state = await to_thread(with_claims, state)
    questions = [question_for(claim) for claim in state.claims]
    if context.model_for("ask") is not None:
        values = {"question": state.question, "draft": state.draft}
        consequence = "each claim was asked about instead"
        reply = await ask_model(context, "ask", "reex/ask", if_failed=consequence, **values)
        questions = questions if reply.failure else read_questions(reply.text)
    if len(questions) > context.max_questions:
        note(f"{len(questions) - context.max_questions} sub-questions were left out")
    return {"claims": state.claims, "questions": questions[: context.max_questions]}


def question_for(claim: Claim) -> str:
    """A claim as a question."""
    return f"Is it true that {claim.text.rstrip('.!? ')}?"


def read_questions(reply: str) -> list[str]:
    r"""One question a line, each once; lines that are no question fall away.

    >>> read_questions("Sub-Questions:\n1. Who was Ada?\n2) When was Ada born?\n- Who was Ada?")
    ['Who was Ada?', 'When was Ada born?']
    """
    lines = (_MARK.sub("", line).strip() for line in reply.splitlines())
    by_words = {line.casefold(): line for line in reversed([x for x in lines if x.endswith("?")])}
    return list(by_words.values())[::-1]

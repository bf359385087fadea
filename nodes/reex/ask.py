"""Ask what has to be looked up to check the draft (section 2, step 1)."""

import re
from asyncio import to_thread
from typing import TypedDict

from errata.nodes.ask import ask as ask_model
from errata.nodes.ledger import note
from errata.nodes.reex.claims import extract_claims, with_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.step import step
from errata.records import Claim

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:sub-?)?question\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)
INSTEAD = "each claim was asked about instead"


class Asked(TypedDict):
    """The sub-questions, and those that are not looked up."""

    claims: list[Claim]
    questions: list[str]
    unasked: list[str]


@step
async def ask(state: Reex, context: ReexContext) -> Asked:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    state = await to_thread(with_claims, state, context)
    questions = await _by_model(state, context)
    if not questions:
        claims = await to_thread(extract_claims, state)
        questions = [question_for(claim) for claim in claims]
    limit = context.max_questions
    asked, unasked = questions[:limit], questions[limit:]
    if unasked:
        note(f"{len(unasked)} sub-questions over max_questions={limit} were not looked up")
    return {"claims": state.claims, "questions": asked, "unasked": unasked}


async def _by_model(state: Reex, context: ReexContext) -> list[str]:
    """A model's sub-questions; none, and a note, if its reply holds none."""
    if context.model_for("ask") is None:
        return []
    values = {"question": state.question, "draft": state.draft}
    reply = await ask_model(context, "ask", "reex/ask", if_failed=INSTEAD, **values)
    questions = read_questions(reply.text)
    if not questions and not reply.failure:
        note(f"{INSTEAD}: the reply to {context.template('reex/ask').tag} holds no question")
    return questions


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

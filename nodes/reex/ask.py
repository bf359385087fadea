"""Ask what has to be looked up to check the draft (section 2, step 1)."""

from asyncio import to_thread
from typing import TypedDict

from errata.core.records import Claim
from errata.nodes.ask import ask as ask_model
from errata.nodes.ledger import note
from errata.nodes.reex.claims import extract_claims, with_claims
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.listing import INSTEAD, question_for, read_questions
from errata.nodes.step import step


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

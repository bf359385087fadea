"""Ask questions that cover all aspects of the draft (section 3.1)."""

from typing import TypedDict

from errata.core.records import Claim, SubAnswer
from errata.nodes.ledger import note
from errata.nodes.rarr.state import Rarr, RarrContext
from errata.nodes.shared.claims import split_locally
from errata.nodes.shared.listing import question_for
from errata.nodes.shared.questions import ask_questions
from errata.nodes.step import step


class Asked(TypedDict):
    """The claims that verdicts are on, and the questions, not answered yet."""

    claims: list[Claim]
    answers: list[SubAnswer]


@step
async def ask(state: Rarr, context: RarrContext) -> Asked:
    """Ask a model several times for questions; local code asks one for each claim."""
    claims, limit = await split_locally(state), context.max_questions
    questions = await ask_questions(state, context, "rarr/ask", context.question_sets)
    questions = questions or [question_for(claim) for claim in claims]
    if len(questions) > limit:
        note(f"{len(questions) - limit} questions over max_questions={limit} were not looked up")
    return {"claims": claims, "answers": [SubAnswer(question=q) for q in questions[:limit]]}

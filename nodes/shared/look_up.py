"""Find the passages that are most relevant to each question (RARR section 3.1)."""

from typing import TypedDict

from errata.core.records import Document, SubAnswer
from errata.nodes.ledger import note
from errata.nodes.shared.research import ResearchContext, ResearchState, research
from errata.nodes.step import step
from errata.tools.judges.verifier import NO_DOCUMENT


class LookedUp(TypedDict):
    """The documents, and the questions with their passages."""

    documents: list[Document]
    answers: list[SubAnswer]


@step
async def look_up(state: ResearchState, context: ResearchContext) -> LookedUp:
    """Search for every question, and keep its best passages."""
    questions = [answer.question for answer in state.answers]
    documents, answers = await research(questions, state.documents, context, "look_up")
    if not documents:
        note(f"{NO_DOCUMENT}: no claim can be checked")
    return {"documents": documents, "answers": answers}

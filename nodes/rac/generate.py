"""Write a draft where none was given: from the documents with RAG, from the question without."""

from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.draft import Drafted, write_draft
from errata.nodes.step import step


@step
async def generate(state: Rac, context: RacContext) -> Drafted:
    """Answer the question.

    Raises InputError if local code should write and no document holds anything to say.
    """
    return await write_draft(state, context, template_for(context), rag=context.rag)


def template_for(context: RacContext) -> str:
    """The prompt of table 8 for the run's form of answer."""
    if not context.rag:
        return "rac/generate.v1"
    return "rac/generate.rag.short.v1" if context.answers == "short" else "rac/generate.rag.v1"

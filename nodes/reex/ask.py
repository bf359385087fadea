"""Ask what has to be looked up to check the draft (section 2, step 1)."""

import re
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.step import step
from errata.records import Claim, Usage

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:sub-?)?question\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)


class Asked(TypedDict):
    """Add the sub-questions."""

    questions: list[str]
    usage: Usage
    notes: list[str]


@step
async def ask(state: Reex, runtime: Runtime[ReexContext]) -> Asked:
    """Ask self-contained sub-questions; local code asks one for each claim."""
    context = settings(runtime)
    model, usage, notes = context.filler("ask"), Usage(), list[str]()
    questions = [question_for(claim) for claim in state.claims]
    if model is not None:
        values = {"question": state.question, "draft": state.draft}
        try:
            reply = await asked(context, model, "ask", "reex/ask.v1", **values)
            questions, usage = read_questions(reply.text), reply.usage
        except (ChatError, ReplyError) as error:
            usage, notes = spent(error), [f"each claim was asked about instead: {error}"]
    if len(questions) > context.max_questions:
        notes.append(f"{len(questions) - context.max_questions} sub-questions were left out")
    return {"questions": questions[: context.max_questions], "usage": usage, "notes": notes}


def question_for(claim: Claim) -> str:
    """Turn a claim into a question."""
    return f"Is it true that {claim.text.rstrip('.!? ')}?"


def read_questions(reply: str) -> list[str]:
    r"""Read one question a line, each once; what is no question falls away.

    >>> read_questions("Sub-Questions:\n1. Who was Ada?\n2) When was Ada born?\n- Who was Ada?")
    ['Who was Ada?', 'When was Ada born?']
    """
    lines = (_MARK.sub("", line).strip() for line in reply.splitlines())
    by_words = {line.casefold(): line for line in reversed([x for x in lines if x.endswith("?")])}
    return list(by_words.values())[::-1]

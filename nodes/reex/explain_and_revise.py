"""Explain the errors and revise the draft in one prompt (section 2, one-step)."""

import re
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.reex.explain import explained_locally, listed, located, read_explanations
from errata.nodes.reex.revise import edited, kept, revised_locally, whole
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.step import step
from errata.records import Edit, Explanation, Fix, Usage

_HEADING = re.compile(
    r"^[^\w\n]*(?P<name>factual errors|revised (?:response|answer|draft|text))\b[^\w\n\"“]*",
    re.IGNORECASE | re.MULTILINE,
)


class Both(TypedDict):
    """Add the explanations and the edits."""

    explanations: list[Explanation]
    explained: bool
    fixes: list[Fix]
    edits: list[Edit]
    usage: Usage
    notes: list[str]


@step
async def explain_and_revise(state: Reex, runtime: Runtime[ReexContext]) -> Both:
    """Have a model do both in one reply; local code does one after the other."""
    context = settings(runtime)
    model = context.filler("explain")
    if model is None:
        return await _locally(state, context)
    plain = context.evidence == "none"
    name = "reex/explain_and_revise.plain.v1" if plain else "reex/explain_and_revise.v1"
    values = {"question": state.question, "draft": state.draft}
    if not plain:
        values["answers"] = listed(state)
    try:
        reply = await asked(context, model, "explain", name, **values)
    except (ChatError, ReplyError) as error:
        note = f"no errors were looked for: {error}"
        return _both([], [], spent(error), [note], explained=False)
    errors, revision = read_both(reply.text)
    if errors is None:
        return _both([], [], reply.usage, [f"the reply to {name} names no errors"], explained=False)
    state = state.model_copy(update={"explanations": await located(state, errors)})
    edits, notes = list[Edit](), list[str]()
    if errors and revision and not context.check_only:
        edits, notes = edited(state, [whole(state)], revision)
        edits, dropped = await kept(state, context, edits)
        notes += dropped
    elif errors and not revision:
        notes = [f"the reply to {name} holds no revision; the draft stays"]
    return _both(state.explanations, edits, reply.usage, notes, explained=True)


async def _locally(state: Reex, context: ReexContext) -> Both:
    found = await explained_locally(state, context)
    update = {"explanations": found["explanations"], "fixes": found["fixes"]}
    revised = await revised_locally(state.model_copy(update=update))
    return {**found, "edits": revised["edits"], "notes": [*found["notes"], *revised["notes"]]}


def _both(
    explanations: list[Explanation],
    edits: list[Edit],
    usage: Usage,
    notes: list[str],
    *,
    explained: bool,
) -> Both:
    return {
        "explanations": explanations,
        "explained": explained,
        "fixes": [],
        "edits": edits,
        "usage": usage,
        "notes": notes,
    }


def read_both(reply: str) -> tuple[list[str] | None, str]:
    r"""Read explanations and revision, in whatever order; None where no errors are spoken of.

    >>> read_both('Factual Errors: None\nRevised Response:\nAll is well.')
    ([], 'All is well.')
    """
    found = list(_HEADING.finditer(reply))
    if not found:
        return (None if read_explanations(reply) else []), ""
    ends = [*(match.start() for match in found[1:]), len(reply)]
    parts = {
        match["name"].split()[0].lower(): reply[match.end() : end].strip()
        for match, end in zip(found, ends, strict=True)
    }
    before = reply[: found[0].start()].strip()
    errors = parts.get("factual", before)
    return (read_explanations(errors) if errors else None), parts.get("revised", "")

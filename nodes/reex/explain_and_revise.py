"""Explain the errors and revise the draft in one prompt (section 2, one-step)."""

import re
from asyncio import to_thread

from errata.core.records import Edit
from errata.nodes.ask import ask
from errata.nodes.ledger import note
from errata.nodes.reex.claims import with_claims
from errata.nodes.reex.explain import (
    NOT_EXPLAINED,
    Explained,
    errors_read,
    explain_locally,
    explain_values,
    no_errors_sought,
    read_explanations,
    read_not_shown,
)
from errata.nodes.reex.revise import REREAD, edits_from, revise_locally, tidied, whole
from errata.nodes.reex.state import Reex, ReexContext
from errata.nodes.shared.report import holds_text, read_revision
from errata.nodes.shared.reread import reread_text
from errata.nodes.step import step

_HEADING = re.compile(
    r"^[^\w\n]*(?P<name>factual errors|revised (?:response|answer|draft|text)|not shown(?=\W*:))"
    r"\b[^\w\n\"“]*",
    re.IGNORECASE | re.MULTILINE,
)


class ExplainedAndRevised(Explained):
    """The explanations and the edits."""

    edits: list[Edit]


@step
async def explain_and_revise(state: Reex, context: ReexContext) -> ExplainedAndRevised:
    """Have a model do both in one reply; local code does one after the other."""
    state = await to_thread(with_claims, state, context)
    if context.model_for("explain") is None:
        return await _locally(state, context)
    plain = context.evidence == "none"
    template = "reex/explain_and_revise.plain" if plain else "reex/explain_and_revise"
    values = explain_values(state, context)
    reply = await ask(context, "explain", template, if_failed=NOT_EXPLAINED, **values)
    if reply.failure:
        return {**no_errors_sought(state), "edits": []}
    errors, revision = read_both(reply.text)
    if errors is None:
        note(f"the reply to {context.template(template).tag} names no errors")
        return {**no_errors_sought(state), "edits": []}
    not_shown = read_parts(reply.text).get("not")
    shown = None if not_shown is None else read_not_shown(f"Not shown: {not_shown}")
    update = await errors_read(state, context, errors, shown)
    if errors and not revision:
        note(f"the reply to {context.template(template).tag} holds no revision; the draft stays")
    if not errors or not revision or context.check_only:
        return {**update, "edits": []}
    found = {"explanations": update["explanations"], "claims": update["claims"]}
    explained_state = state.model_copy(update=found)
    places = [whole(explained_state)]
    edits = await to_thread(edits_from, explained_state, places, revision)
    return {**update, "edits": await tidied(explained_state, context, edits)}


async def _locally(state: Reex, context: ReexContext) -> ExplainedAndRevised:
    update = await explain_locally(state, context)
    errors = {"explanations": update["explanations"], "fixes": update["fixes"]}
    explained_state = state.model_copy(update=errors)
    edits = await revise_locally(explained_state)
    return {**update, "edits": await reread_text(explained_state, context, edits, REREAD)}


def read_both(reply: str) -> tuple[list[str] | None, str]:
    r"""Explanations and revision, in whatever order; None where the reply speaks of no errors.

    >>> read_both('Factual Errors: None\nRevised Response:\nAll is well.')
    ([], 'All is well.')
    """
    parts = read_parts(reply)
    if not parts.keys() - {"", "not"}:
        return (None if read_explanations(reply) else []), ""
    errors = parts.get("factual", parts[""])
    revision = read_revision(parts.get("revised", ""))
    errors_found = read_explanations(errors) if errors else None
    return errors_found, revision if holds_text(revision) else ""


def read_parts(reply: str) -> dict[str, str]:
    """What stands below each heading, by the heading's first word; before the first one, by ""."""
    headings = list(_HEADING.finditer(reply))
    starts = [0, *(match.end() for match in headings)]
    ends = [*(match.start() for match in headings), len(reply)]
    names = ["", *(match["name"].split()[0].lower() for match in headings)]
    return {n: reply[a:b].strip() for n, a, b in zip(names, starts, ends, strict=True)}

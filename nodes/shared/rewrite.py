"""A model's rewriting of a draft, turned into edits that rest on claims."""

from asyncio import to_thread
from typing import TypedDict

from errata.edits import diff, in_form_of
from errata.nodes.ask import ask
from errata.nodes.context import Context
from errata.nodes.shared.report import read_revision
from errata.records import Edit


class Revised(TypedDict):
    """The edits."""

    edits: list[Edit]


async def rewrite_draft(
    context: Context, role: str, template: str, draft: str, **values: str
) -> list[Edit]:
    """The edits that a model's rewriting comes to; none if it fails."""
    consequence = "the draft was not revised"
    reply = await ask(context, role, template, if_failed=consequence, draft=draft, **values)
    if reply.failure:
        return []
    return await to_thread(diff, draft, in_form_of(draft, read_revision(reply.text)))

"""Rectify sentences: mend what is false, write anew what has no evidence, validate it again."""

from errata.core.records import Edit, VerdictLabel
from errata.nodes.ever.state import Ever, EverContext
from errata.nodes.ever.verify import verify
from errata.nodes.shared.mend import correct_locally, put_in_place, rewrite_failed
from errata.nodes.shared.passes import Mended, mend_in_rounds
from errata.nodes.step import step


@step
async def revise(state: Ever, context: EverContext) -> Mended:
    """Rectify the sentences that failed, and validate again what was rewritten."""
    return await mend_in_rounds(state, context, verify, rectify)


async def rectify(state: Ever, context: EverContext) -> list[Edit]:
    """The edits of sentences that the evidence contradicts, or where it is silent (extrinsic)."""
    if context.model_for("revise") is None:
        return await put_in_place(state, await correct_locally(state, context, "revise"))
    templates: dict[VerdictLabel, str] = {"refuted": "ever/revise"}
    if context.extrinsic == "rewrite":
        templates["not_mentioned"] = "ever/revise.extrinsic"
    return await rewrite_failed(state, context, templates, context.passage_tokens)

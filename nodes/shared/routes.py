"""Ways that several methods share: the words on the drawings' edges."""

from typing import Literal

from errata.nodes.shared.review import edits_to_review
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import route


@route
def after_retrieve(state: CorrectionState) -> Literal["draft given", "no draft"]:
    """Write a draft only where none was given."""
    return "draft given" if state.draft else "no draft"


@route
def after_revise(
    state: CorrectionState, context: CorrectionContext
) -> Literal["review", "no review"]:
    """Stop for a person only where the run says so and there is an edit to decide on."""
    under_review = not context.check_only and edits_to_review(state.edits, state.verdicts, context)
    return "review" if under_review else "no review"

"""Which way a run goes: the words on the drawing's edges.

Settings are looked up, not taken as a parameter: a state that is edited in its past has none.
"""

from typing import Literal

from langgraph.runtime import get_runtime

from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.shared.review import edits_to_review


def after_retrieve(state: Rac) -> Literal["draft given", "no draft"]:
    """Write a draft only where none was given."""
    return "draft given" if state.draft else "no draft"


def after_extract(state: Rac) -> Literal["with RAG", "without RAG"]:  # noqa: ARG001  LangGraph passes it
    """Verify first with RAG and for a check; correct everything without (section 3.1)."""
    context = settings(get_runtime(RacContext))
    return "with RAG" if context.rag or context.check_only else "without RAG"


def after_verify(state: Rac) -> Literal["correct", "check only"]:  # noqa: ARG001  LangGraph passes it
    """Stop at the verdicts for a check."""
    return "check only" if settings(get_runtime(RacContext)).check_only else "correct"


def after_correct(state: Rac) -> Literal["revise", "nothing to revise"]:
    """Revise a draft that has something to mend.

    The paper rewrites a draft that is all true as well, unless KAT is set (section 4.4); so do we
    where whole drafts are rewritten, but what failed is no reason to rewrite.
    """
    context = settings(get_runtime(RacContext))
    if state.fixes or context.revision == "sentences":
        return "revise" if state.fixes else "nothing to revise"
    bad = {"refuted", "unreadable", "unchecked"} if context.rag else {"unreadable"}
    failed = any(verdict.label in bad for verdict in state.verdicts) or not state.claims
    kept = context.rag and context.keep_all_true
    return "nothing to revise" if failed or kept else "revise"


def after_revise(state: Rac) -> Literal["review", "no review"]:
    """Stop for a person only where the run says so and there is an edit to decide on."""
    shown = edits_to_review(state.edits, state.verdicts, settings(get_runtime(RacContext)))
    return "review" if shown else "no review"

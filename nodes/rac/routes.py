"""Which way a run goes: the words on the drawing's edges."""

from typing import Literal

from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.step import route

Onward = Literal["with RAG", "without RAG"]


@route
def after_extract(state: Rac, context: RacContext) -> Literal["look_up"] | Onward:
    """Look claims up where the run says so; the paper goes on with what it has."""
    return "look_up" if state.claims and context.looks_up else _onward(context)


@route
def after_look_up(state: Rac, context: RacContext) -> Onward:  # noqa: ARG001  a route takes the state
    """Verify first with RAG and for a check; correct everything without (section 3.1)."""
    return _onward(context)


def _onward(context: RacContext) -> Onward:
    return "with RAG" if context.rag or context.check_only else "without RAG"


@route
def after_verify(state: Rac, context: RacContext) -> Literal["correct", "check only"]:  # noqa: ARG001  a route takes the state
    """Stop at the verdicts for a check."""
    return "check only" if context.check_only else "correct"


@route
def after_correct(state: Rac, context: RacContext) -> Literal["revise", "nothing to revise"]:
    """Revise a draft that has something to mend.

    The paper rewrites a draft that is all true as well, unless KAT is set (section 4.4); so do we
    where whole drafts are rewritten, but what failed is no reason to rewrite. With KAT a draft
    without a refuted claim stays, also where claims without support would go.
    """
    if context.keep_all_true and all(verdict.label != "refuted" for verdict in state.verdicts):
        return "nothing to revise"
    if state.fixes or context.revision == "sentences":
        return "revise" if state.fixes else "nothing to revise"
    bad = {"refuted", "unreadable", "unchecked"} if context.rag else {"unreadable"}
    failed = any(verdict.label in bad for verdict in state.verdicts) or not state.claims
    return "nothing to revise" if failed else "revise"

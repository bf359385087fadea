"""Which way a run goes: the words on the drawing's edges."""

from typing import Literal

from langgraph.runtime import Runtime

from errata.nodes.rac.state import Rac, RacContext, settings


def after_retrieve(state: Rac) -> Literal["draft given", "no draft"]:
    """Write a draft only where none was given."""
    return "draft given" if state.draft else "no draft"


def after_extract(
    state: Rac,  # noqa: ARG001  LangGraph passes it
    runtime: Runtime[RacContext],
) -> Literal["with RAG", "without RAG"]:
    """Verify first with RAG and for a check; correct everything without (section 3.1)."""
    context = settings(runtime)
    return "with RAG" if context.rag or context.check_only else "without RAG"


def after_verify(
    state: Rac,  # noqa: ARG001  LangGraph passes it
    runtime: Runtime[RacContext],
) -> Literal["correct", "check only"]:
    """Stop at the verdicts for a check."""
    return "check only" if settings(runtime).check_only else "correct"


def after_correct(state: Rac, runtime: Runtime[RacContext]) -> Literal["revise", "all true"]:
    """Keep a draft with no refuted claim as it is where KAT is set (section 4.4)."""
    context = settings(runtime)
    refuted = any(verdict.label == "refuted" for verdict in state.verdicts)
    return "all true" if context.rag and context.keep_all_true and not refuted else "revise"

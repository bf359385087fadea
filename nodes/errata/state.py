"""Read this first: what the composed method takes, carries, gives and lets a run set."""

from typing import Any, ClassVar, Literal

from langgraph.runtime import Runtime

from errata.core.edits import Span
from errata.core.records import Action
from errata.nodes.crag.state import ACTIONS, Crag, KnowledgeContext, Way
from errata.nodes.crag.state import after_evaluate as after_crag_evaluate
from errata.nodes.rac.state import Rac, VerifyingContext
from errata.tools.models.spec import LOCAL, is_local


class ErrataContext(VerifyingContext, KnowledgeContext):
    """The settings of the composed method: CRAG's up to the knowledge, then RAC's."""

    ROLES = ("evaluate", "rewrite", "generate", "verify", "correct", "revise")
    PROMPTS = ("rac", "crag")
    # CRAG's ablations are CRAG's alone.
    strip_top_k: ClassVar[int] = 5  # type: ignore[misc]
    strip_threshold: ClassVar[float | None] = None  # type: ignore[misc]
    rewriting: ClassVar[bool] = True  # type: ignore[misc]
    selection: ClassVar[bool] = True  # type: ignore[misc]
    evaluation: ClassVar[Literal["direct"]] = "direct"  # type: ignore[misc]
    actions: ClassVar[tuple[Action, ...]] = ACTIONS  # type: ignore[misc]
    refinement: ClassVar[bool] = True  # type: ignore[misc]
    strips: ClassVar[Literal["excerption"]] = "excerption"  # type: ignore[misc]

    hold: Literal["none", "doubtful"] = "none"
    """What a stream holds back until it is judged in the end: nothing, or the sentences in doubt,
    so that of a refuted one only its patched form is shown."""

    def _specs(self, role: str) -> tuple[Any, Any]:
        """As elsewhere, but local code judges first where the run's model fills all roles."""
        first, second = super()._specs(role)
        shared = role == "verify" and role not in self.roles and not is_local(first)
        return (LOCAL, first) if shared else (first, second)


class Errata(Rac, Crag):
    """What a run carries from step to step."""

    CONTEXT = ErrataContext
    TRAIL = ("action", "scores", "queries", "knowledge", "fixes")

    action: Action | Literal[""] = ""
    asked: bool = False
    """Whether a model judged, while it was written, what local code is unsure of."""
    held: list[Span] = []
    """The sentences that the stream holds back."""


def after_receive(state: Errata) -> Literal["question", "draft alone"]:
    """Retrieve for a question; a draft alone is judged by what is looked up for its claims."""
    return "question" if state.question else "draft alone"


def after_retrieve(
    state: Errata, runtime: Runtime[ErrataContext]
) -> Literal["knowledge", "generate"]:
    """Evaluate what was retrieved if that decides anything: what to write by, or a search."""
    return "knowledge" if not state.draft or runtime.context.search != "none" else "generate"


def after_evaluate(
    state: Errata, runtime: Runtime[KnowledgeContext]
) -> list[Way | Literal["enough"]]:
    """As CRAG does; but a given draft needs no strips."""
    wanted = {"documents": not state.draft, "web": runtime.context.search != "none"}
    ways = [way for way in after_crag_evaluate(state, runtime) if wanted[way]]
    return [*ways] or ["enough"]

"""Compare each answer with its fact (section 3.3, factor+revise; table 9)."""

from errata.core.records import VerdictLabel
from errata.nodes.cove.state import Cove, CoveContext
from errata.nodes.shared.verdicts import (
    Judged,
    Values,
    judge_claims,
    read_label,
    repeats,
    unchecked,
)
from errata.nodes.step import step

LABELS: dict[str, VerdictLabel] = {"consistent": "supported", "not told": "not_mentioned"}
LABELS |= dict.fromkeys(("inconsistent", "partially consistent", "not consistent"), "refuted")


@step
async def cross_check(state: Cove, context: CoveContext) -> Judged:
    """Judge each fact by the answer to its question; the factored variant judges none."""
    if context.deciding_role == "revise":
        return {"verdicts": unchecked(state.claims)}
    rows = zip(state.claims, state.questions, state.answers, strict=False)
    asked = {c.id: {"claim": c.text, "question": q, "answers": a} for c, q, a in rows if a}
    return {"verdicts": await judge_claims(state, context, "cove/cross_check", asked, read_check)}


def read_check(reply: str, values: Values) -> tuple[VerdictLabel, str]:
    """The label of a reply on a fact, explained by its question, its answer and the reply."""
    label = "unreadable" if repeats(reply, values.get("claim", "")) else read_label(reply, LABELS)
    return label, f"{values['question']} {values['answers']} {reply}"

"""A scorer for inspect_ai: how much of a model's output the evidence bears; needs `inspect`.

from errata.evals.inspect_scorer import factuality
task = Task(dataset=…, solver=generate(), scorer=factuality(corpus="texts/"))
"""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from errata.core.errors import count
from errata.core.jsonable import to_json
from errata.core.records import Correction, Document
from errata.given import Documents, as_documents
from errata.render.text import verdicts_as_text
from errata.session import Session

JUDGED = ("supported", "refuted", "conflicting", "not_mentioned")
"""The labels of claims that were judged."""


def rate(correction: Correction) -> tuple[float | None, str]:
    """The share of judged claims that are supported, in [0, 1]; or None, and why it is unscored.

    It is unscored if a verdict was unreadable, or nothing was judged. Claims that nothing could
    judge do not count, neither for the text nor against it.
    """
    counts, total = correction.counts, len(correction.claims)
    if unreadable := counts.get("unreadable", 0):
        return None, f"unscored: {unreadable} of {count(total, 'verdict')} unreadable"
    judged = sum(counts.get(label, 0) for label in JUDGED)
    if not (judged and correction.checked):
        return None, f"unscored: none of {count(total, 'claim')} was judged"
    return counts.get("supported", 0) / judged, ""


def describe(correction: Correction) -> dict[str, Any]:
    """What a score rests on, as JSON: label, counts, verdicts, edits, notes and usage."""
    return {
        "label": correction.label,
        "counts": correction.counts,
        "verdicts": to_json(correction.verdicts),
        "edits": to_json(correction.edits),
        "notes": list(correction.notes),
        "usage": to_json(correction.usage),
    }


def _factuality(
    method: str = "rac", *, documents: Documents = (), corpus: object = None, **settings: Any
) -> Scorer:
    """A scorer: the share of the output's claims that the evidence supports, in [0, 1].

    Evidence is the sample's target and the `documents` of its metadata, then the bound `documents`
    and `corpus`. A sample is unscored, so that no metric counts it, if the output is empty, a
    verdict was unreadable, or nothing could be judged. `settings` are those of `errata.check`.
    Raises SettingError at once if one is unknown.
    """
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    async def judge(state: TaskState, target: Target) -> Score:
        draft, own = state.output.completion, state.metadata.get("documents", ())
        if not draft.strip():
            return Score.unscored(reason="no_response", explanation="unscored: no output")
        told = [Document(text=text, title="reference") for text in target if text.strip()]
        evidence = [*as_documents(own), *told, *documents]
        correction = await session.acheck(state.input_text, draft, evidence)
        (score, reason), metadata = rate(correction), describe(correction)
        if score is None:
            return Score.unscored(
                reason="grader_failed", answer=draft, explanation=reason, metadata=metadata
            )
        comment = verdicts_as_text(correction)
        return Score(value=score, answer=draft, explanation=comment, metadata=metadata)

    return judge


factuality = scorer(metrics=[mean(), stderr()], name="factuality")(_factuality)

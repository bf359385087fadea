"""A scorer for inspect_ai: how much of a model's output the evidence bears; needs `inspect`.

from errata.evals.inspect_scorer import factuality
task = Task(dataset=…, solver=generate(), scorer=factuality(corpus="texts/"))
"""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from errata.given import Documents
from errata.langchain.evaluator import KEY, describe, rate, read_run
from errata.render.text import verdicts_as_text
from errata.session import Session


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
        inputs = {"question": state.input_text, "documents": own}
        request = read_run(inputs, draft, list(target))
        evidence = [*request["documents"], *documents]
        correction = await session.acheck(request["question"], draft, evidence)
        (score, reason), metadata = rate(correction), describe(correction)
        if score is None:
            return Score.unscored(
                reason="grader_failed", answer=draft, explanation=reason, metadata=metadata
            )
        comment = verdicts_as_text(correction)
        return Score(value=score, answer=draft, explanation=comment, metadata=metadata)

    return judge


factuality = scorer(metrics=[mean(), stderr()], name=KEY)(_factuality)

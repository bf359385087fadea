"""The scorer for inspect_ai, in an evaluation of inspect_ai's own."""

import math

import pytest

from errata.core.errors import SettingError
from example import DRAFT, PAGE, QUESTION, REPLIES

inspect_ai = pytest.importorskip("inspect_ai", reason="needs the extra inspect")
# inspect_ai leaves streams of its own to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def evaluate(tmp_path, outputs, samples, **settings):
    """The log of a run with one output for each sample; no model is asked."""
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    from errata.evals.inspect_scorer import factuality

    rest = iter(outputs)

    @solver
    def answer():
        async def solve(state, generate):  # noqa: ARG001  a solver takes both
            state.output = ModelOutput.from_content("none", next(rest))
            return state

        return solve

    task = inspect_ai.Task(dataset=samples, solver=answer(), scorer=factuality(**settings))
    [log] = inspect_ai.eval(
        task, model="mockllm/model", log_dir=str(tmp_path), display="none", max_samples=1
    )
    assert log.status == "success", log.error
    return log


def sample(target="", **metadata):
    from inspect_ai.dataset import Sample

    return Sample(input=QUESTION, target=target, metadata=metadata)


def test_the_score_is_the_share_of_supported_claims(tmp_path):
    samples = [sample(PAGE), sample(documents=[PAGE])]
    log = evaluate(tmp_path, [DRAFT, "Marie Curie was a physicist."], samples)
    [first, second] = [each.scores["factuality"] for each in log.samples]
    assert (first.value, second.value) == (pytest.approx(1 / 3), 1.0)
    assert first.answer == DRAFT
    assert "refuted" in first.explanation
    assert first.metadata["label"] == "refuted"
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(2 / 3)


def test_what_could_not_be_judged_is_unscored_and_in_no_metric(tmp_path):
    samples = [sample(PAGE), sample(), sample(PAGE)]
    outputs = ["Marie Curie was a physicist.", DRAFT, ""]
    log = evaluate(tmp_path, outputs, samples)
    scores = [each.scores["factuality"] for each in log.samples]
    assert scores[0].value == 1.0
    assert all(math.isnan(score.value) for score in scores[1:])
    assert [score.reason for score in scores[1:]] == ["grader_failed", "no_response"]
    assert "none of 3 claims was judged" in scores[1].explanation
    assert log.results.scores[0].metrics["mean"].value == 1.0
    assert log.results.scores[0].unscored_samples == 2


def test_an_unreadable_verdict_leaves_the_sample_unscored(tmp_path, scripted):
    model = scripted(REPLIES | {"rac/verify": "1: perhaps\n2: True\n3: True"})
    log = evaluate(tmp_path, [DRAFT], [sample(PAGE)], model=model)
    score = log.samples[0].scores["factuality"]
    assert math.isnan(score.value)
    assert "1 of 3 verdicts unreadable" in score.explanation


def test_settings_are_checked_when_the_scorer_is_made():
    from errata.evals.inspect_scorer import factuality

    with pytest.raises(SettingError):
        factuality(no_such_setting=1)
    with pytest.raises(SettingError, match="choose another method"):
        factuality("crag")

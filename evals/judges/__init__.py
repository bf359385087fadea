"""Judges of metrics: local code, a chat model, or an entailment checkpoint."""

from errata.core.errors import SettingError
from errata.evals.judges.checkpoint import CheckpointJudge
from errata.evals.judges.judge import (
    Judge,
    LocalJudge,
    Relation,
    Relations,
    relate,
    relate_to_text,
)
from errata.evals.judges.model import ModelJudge
from errata.tools.models.spec import LOCAL

__all__ = ["Judge", "Relation", "Relations", "judge_named", "relate", "relate_to_text"]
CHECKPOINT = "entailment"


def judge_named(spec: str | Judge, *, replay: str = "", record: str = "") -> Judge:
    """The judge that a spec names; an object is returned as it is.

    `local` or `local:WEIGHTS` is the local verifier, `entailment:FOLDER_OR_ID` a checkpoint,
    `PROVIDER:MODEL` a chat model, whose exchanges are played back from the folder `replay` or kept
    in `record`. Raises SettingError if a spec names none.
    """
    if not isinstance(spec, str):
        return spec
    kind, _, source = spec.partition(":")
    if kind == LOCAL:
        return LocalJudge(source)
    if kind == CHECKPOINT and source:
        return CheckpointJudge(source)
    if kind == CHECKPOINT or not source:
        raise SettingError(
            f"no judge is called {spec!r}; say local, {CHECKPOINT}:FOLDER_OR_ID or PROVIDER:MODEL"
        )
    return ModelJudge(spec, replay=replay, record=record)

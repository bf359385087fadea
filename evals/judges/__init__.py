"""Judges of metrics: local code, a chat model, or a published checkpoint."""

from errata.core.errors import SettingError
from errata.evals.judges.judge import (
    HubJudge,
    Judge,
    LocalJudge,
    Relation,
    Relations,
    relate,
    relate_to_text,
)
from errata.evals.judges.model import ModelJudge
from errata.tools.models.spec import HUB, LOCAL

__all__ = ["Judge", "Relation", "Relations", "judge_named", "relate", "relate_to_text"]


def judge_named(spec: str | Judge, *, replay: str = "", record: str = "") -> Judge:
    """The judge that a spec names; an object is returned as it is.

    `local` or `local:WEIGHTS` is the local verifier, `hub:ID_OR_FOLDER` a checkpoint,
    `PROVIDER:MODEL` a chat model, whose exchanges are played back from the folder `replay` or kept
    in `record`. Raises SettingError if a spec names none.
    """
    if not isinstance(spec, str):
        return spec
    kind, _, source = spec.partition(":")
    if kind == LOCAL:
        return LocalJudge(source)
    if kind == HUB and source:
        return HubJudge(source)
    if not source:
        raise SettingError(
            f"no judge is called {spec!r}; say local, {HUB}:ID_OR_FOLDER or PROVIDER:MODEL"
        )
    return ModelJudge(spec, replay=replay, record=record)

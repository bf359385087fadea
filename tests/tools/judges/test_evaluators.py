"""What may evaluate: local weights, tiny untrained checkpoints, objects; and what may not."""

import json
from dataclasses import asdict

import pytest

from errata.core.errors import AccessError, InputError, SettingError
from errata.tools.judges.evaluator import evaluator_for, is_evaluator, load_local_evaluator
from tiny_checkpoints import tiny

TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


@pytest.mark.parametrize(
    ("spec", "evaluates"),
    [
        ("local", True),
        ("local:x.json", True),
        ("t5:x", True),
        ("hub:x", True),
        ("openai:gpt-4o", False),
        (load_local_evaluator(), True),
        (None, False),
    ],
)
def test_chat_models_are_no_evaluators(spec, evaluates):
    assert is_evaluator(spec) is evaluates


@pytest.mark.parametrize("part", ["weights", "strips"])
def test_weights_for_other_features_are_an_error(tmp_path, part):
    weights = asdict(load_local_evaluator("lexical")) | {part: {}}
    (tmp_path / "w.json").write_text(json.dumps(weights))
    with pytest.raises(InputError, match="fitted on other features"):
        evaluator_for(f"local:{tmp_path / 'w.json'}")


@pytest.mark.parametrize("kind", ["t5", "hub"])
def test_checkpoints_are_evaluators(kind, tmp_path):
    pytest.importorskip("torch", reason="needs errata[huggingface]")
    evaluator = evaluator_for(tiny(kind, tmp_path))
    scores = evaluator.score("tower", [TOWER, BEES] * 10)
    assert len(scores) == 20
    assert all(-1 <= score <= 1 for score in scores)
    assert evaluator.score("tower", []) == []


@pytest.mark.parametrize("kind", ["t5", "hub"])
def test_a_missing_checkpoint_is_an_error(kind, tmp_path):
    pytest.importorskip("torch", reason="needs errata[huggingface]")
    with pytest.raises(AccessError, match="no checkpoint can be read"):
        evaluator_for(f"{kind}:{tmp_path / 'gone'}").score("x", [TOWER])


def test_a_checkpoint_must_be_named():
    with pytest.raises(SettingError, match="'t5:'"):
        evaluator_for("t5:")

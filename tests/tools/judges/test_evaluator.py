"""The evaluator of relevance: its features, real questions, and what may fill the role."""

import json
from dataclasses import asdict, replace

import pytest

from errata.core.errors import AccessError, InputError, SettingError
from errata.evals.datasets.relevance import read_squad_pairs
from errata.tools.judges.checkpoints import evaluator_for, is_evaluator
from errata.tools.judges.evaluator import (
    Evaluator,
    Question,
    load_local_evaluator,
    relevance_features,
)
from tiny_checkpoints import tiny

QUESTION = "When was the Eiffel Tower opened?"
TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


def test_relevant_texts_score_higher():
    local = load_local_evaluator()
    assert isinstance(local, Evaluator)
    tower, bees, nothing = local.score(QUESTION, [TOWER, BEES, ("", "")])
    assert tower > local.upper > local.lower > bees
    assert nothing == -1


def test_strips_and_passages_have_weights_of_their_own():
    before = load_local_evaluator("lexical")
    after = replace(before, strips=dict.fromkeys(before.strips, 0.0))
    passage = ("Eiffel Tower", TOWER[1] * 8)
    assert before.score(QUESTION, [TOWER])[0] > after.score(QUESTION, [TOWER])[0] == 0
    assert before.score(QUESTION, [passage]) == after.score(QUESTION, [passage])


@pytest.mark.slow
def test_the_right_paragraph_scores_above_its_neighbours(squad_folder):
    """SQuAD dev, own paragraph beside two of the same article; accuracy at score 0."""
    files = squad_folder / "dev_questions.jsonl.gz", squad_folder / "dev_paragraphs.jsonl.gz"
    pairs = list(read_squad_pairs(*files, others=0))[:450]
    local = load_local_evaluator()
    right = sum((local.score(p.question, [(p.title, p.text)])[0] > 0) == p.relevant for p in pairs)
    assert right / len(pairs) > 0.8


@pytest.mark.parametrize(
    ("question", "title", "text", "feature", "value"),
    [
        ("Who is Ada?", "Ada", "Ada wrote notes.", "names_title", 1),
        ("Who is Ada?", "", "Ada wrote notes.", "names", 1),
        ("When was Ada born?", "", "Ada was born in 1815.", "answer", 1),
        ("When was Ada born?", "", "Ada was born.", "answer", 0),
        ("Where did Ada die?", "", "Ada died.", "answer", 0),
        ("what is it", "", "Bees.", "named", 0),
        ("who wrote notes", "", "notes wrote", "cover", 1),
        ("Who was Ada?", "Ada (writer)", "Ada (born 1815) was a writer.", "introduces", 1),
        ("Who was Ada?", "Ada", "Later Ada moved to Bath.", "introduces", 0),
        ("Who was Ada?", "Bath", "Bath is a city where Ada lived.", "introduces", 0),
        ("what is a bee", "Bee", "A bee is an insect.", "introduces", 0),
    ],
)
def test_relevance_features(question, title, text, feature, value):
    assert relevance_features(Question(question, {}), title, text)[feature] == value


@pytest.mark.parametrize(
    ("spec", "evaluates"),
    [
        ("local", True),
        ("local:x.json", True),
        ("t5:x", True),
        ("cross-encoder:x", True),
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


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_checkpoints_are_evaluators(kind, tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    evaluator = evaluator_for(tiny(kind, tmp_path))
    scores = evaluator.score("tower", [TOWER, BEES] * 10)
    assert len(scores) == 20
    assert all(-1 <= score <= 1 for score in scores)
    assert evaluator.score("tower", []) == []


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_a_missing_checkpoint_is_an_error(kind, tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    with pytest.raises(AccessError, match="no evaluator can be read"):
        evaluator_for(f"{kind}:{tmp_path / 'gone'}").score("x", [TOWER])


def test_a_checkpoint_must_be_named():
    with pytest.raises(SettingError, match="'t5:'"):
        evaluator_for("t5:")

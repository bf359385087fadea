"""The paper's evaluator, trained on a tiny checkpoint."""

import gzip
import json

import pytest

from errata.core.errors import InputError
from errata.tools.judges.evaluator import evaluator_for
from tiny_checkpoints import tiny

TOWER = {"title": "tower", "text": "tower tower tower"}
BEES = {"title": "bees", "text": "bees bees"}
ROWS = [
    {"question": "tower", "subj_wiki_title": "Tower", "searches": [{"docs": [TOWER, BEES, BEES]}]},
    {"question": "what is a tower", "entity": "tower", "passages": [TOWER, BEES]},
]


@pytest.fixture
def t5():
    return pytest.importorskip("errata.training.t5", reason="needs errata[train-neural]")


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in ROWS)
    return path


def test_passages_under_the_subjects_title_are_positive(t5, rows):
    pairs = t5.read_labelled(rows)
    assert {(pair.text.split()[0], pair.label) for pair in pairs} == {("tower", 1), ("bees", -1)}
    assert [pair.label for pair in pairs].count(1) == [pair.label for pair in pairs].count(-1) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 1"), ('{"question": "x"}', "searches"), ("[]", "line 1"), ("", "0 passages")],
)
def test_rows_that_cannot_be_trained_on_are_an_error(t5, tmp_path, line, message):
    (tmp_path / "rows.jsonl").write_text(line)
    with pytest.raises(InputError, match=message):
        t5.read_labelled(tmp_path / "rows.jsonl")


def test_training_tells_subjects_from_others(t5, rows, tmp_path):
    base, target = tiny("t5", tmp_path / "base").partition(":")[2], tmp_path / "trained"
    pairs = t5.read_labelled(rows)
    options = t5.parse([base, str(rows), str(target), "--epochs=40", "--rate=0.01", "--batch=2"])
    losses = t5.train(base, pairs, target, options)
    assert losses[-1] < 0.5 * losses[0]
    evaluator = evaluator_for(f"t5:{target}")
    scores = [evaluator.score(pair.question, [("", pair.text)])[0] for pair in pairs]
    assert t5.measure(scores, pairs) == 1
    assert (evaluator.upper, evaluator.lower) == (0.59, -0.99)


def test_the_command_writes_an_evaluator(t5, rows, tmp_path, capsys):
    base, target = tiny("t5", tmp_path / "base").partition(":")[2], tmp_path / "trained"
    t5.main(base, str(rows), str(target), "--epochs=1")
    assert json.loads(capsys.readouterr().out)["pairs"] == 4
    assert (target / "config.json").is_file()

"""`errata calibrate`: thresholds from labelled rows, kept in a form that a role can name."""

import json
from math import inf

import pytest

from errata.cli.verify import JudgedRow, choose_threshold

LABELS = ("supported", "refuted", "not_mentioned")
CLAIMS = {"Bees make honey": "supported", "Bees make glass": "not_mentioned"}


def rows(path, count):
    """So many rows about bees, of two kinds in turn."""
    kinds = list(CLAIMS.items())
    texts = [kinds[n % 2] for n in range(count)]
    path.write_text(
        "\n".join(
            json.dumps(
                {
                    "claim": f"{claim} in {1900 + n}.",
                    "evidence": [f"In {1900 + n} bees make honey."],
                    "label": label,
                }
            )
            for n, (claim, label) in enumerate(texts)
        )
    )


@pytest.mark.parametrize(
    ("scores", "right", "threshold"),
    [
        ([(0.9, "supported")] * 25 + [(0.4, "refuted")] * 25, 0.9, 0.9),
        ([(0.9, "supported")] * 25 + [(0.4, "refuted")] * 2, 0.9, 0.4),
        ([(0.9, "supported")] * 10, 0.9, None),
        ([(0.9, "refuted")] * 30, 0.5, None),
        ([(-inf, "supported")] * 30, 0.5, None),
    ],
)
def test_the_lowest_score_that_is_right_often_enough_is_chosen(scores, right, threshold):
    judged = [JudgedRow(label, "not_mentioned", score) for score, label in scores]
    assert choose_threshold(judged, right) == threshold


def test_a_calibrated_filler_is_written_and_can_be_named(run, tmp_path):
    rows(tmp_path / "rows.jsonl", 60)
    result = run("calibrate", "rows.jsonl", "--out", "mine.json", "--json")
    found = json.loads(result.stdout)
    assert found["rows"] == 60
    assert found["use"] == "--role verify=local:mine.json"
    assert json.loads((tmp_path / "mine.json").read_text())["sure"] == found["threshold"]
    assert run("verify", "rows.jsonl", *found["use"].split()).exit_code == 0


def test_it_is_printed_as_a_table(run, tmp_path):
    rows(tmp_path / "rows.jsonl", 60)
    result = run("calibrate", "rows.jsonl")
    assert "60 rows judged" in result.stdout
    assert "on rows it was not chosen by" in result.stdout
    assert "--out" in result.stdout


def test_a_model_has_no_scores_to_choose_from(run, scripted, tmp_path):
    rows(tmp_path / "rows.jsonl", 2)
    model = scripted({"rac/verify": "1: True"})
    result = run("calibrate", "rows.jsonl", "--role", f"verify={model}")
    assert "no score, if the judge gives any" in result.stdout


def test_a_cascade_is_told_from_which_score_on_it_is_sure(run, scripted, tmp_path):
    rows(tmp_path / "rows.jsonl", 60)
    model = scripted({"rac/verify": "1: Not mentioned"})
    result = run("calibrate", "rows.jsonl", "--role", f"verify=local>{model}", "--json")
    assert json.loads(result.stdout)["use"].startswith("--set sure_above=")


def test_a_decision_model_is_asked_once_a_row_and_has_a_threshold(run, deciders, tmp_path):
    rows(tmp_path / "rows.jsonl", 60)
    deciders.says = {
        f"{claim} in {1900 + n}.": {label: 0.8} | dict.fromkeys({*LABELS} - {label}, 0.1)
        for n in range(60)
        for claim, label in CLAIMS.items()
    }
    asked = ("calibrate", "rows.jsonl", "--role", f"verify=decisions:m@{deciders.url}")
    found = json.loads(run(*asked, "--json").stdout)
    assert found["threshold"] == 0.8
    assert "sure_above=0.8" in found["use"]
    assert len(deciders.requests) == 60
    assert "has no file to keep" in run(*asked, "--out", "mine.json").stderr


@pytest.mark.parametrize("row", ["{}", '{"claim": "x", "evidence": [], "label": "true"}'])
def test_a_row_without_a_known_label_is_told(run, tmp_path, row):
    (tmp_path / "rows.jsonl").write_text(row)
    result = run("calibrate", "rows.jsonl")
    assert result.exit_code == 2
    assert "label" in result.stderr

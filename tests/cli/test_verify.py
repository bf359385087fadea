"""`errata verify`: rows in, rows out; `errata calibrate`: a threshold from labelled rows."""

import json
from math import inf

import pytest

from errata.cli.verify import JudgedRow, choose_threshold
from example import CLAIMS, PAGE, QUESTION

LABELS = ("supported", "refuted", "not_mentioned")
BEES = {"Bees make honey": "supported", "Bees make glass": "not_mentioned"}


@pytest.fixture
def write_rows(write):
    """Writes rows.jsonl."""
    return lambda *rows: write("rows.jsonl", "\n".join(map(json.dumps, rows)) + "\n\n")


def test_verify_judges_each_claim(run, write_rows, tmp_path):
    born, physicist, _ = CLAIMS
    write_rows(
        {"id": "a", "claim": born, "evidence": [PAGE], "question": QUESTION},
        {"claim": physicist, "evidence": [PAGE]},
        {"id": 3, "claim": physicist, "evidence": []},
    )
    result = run("verify", "rows.jsonl")
    refuted, supported, unchecked = map(json.loads, result.stdout.splitlines())
    assert (refuted["id"], refuted["label"]) == ("a", "refuted")
    assert (supported["id"], supported["label"]) == ("2", "supported")
    assert (unchecked["id"], unchecked["label"], unchecked["score"]) == ("3", "unchecked", None)
    assert refuted["explanation"] == "the claim says 1865; the evidence says 7 November 1867"
    assert unchecked["explanation"] == "there is no document to judge by"
    assert refuted["quotes"][0]["text"] == PAGE
    assert run("verify", "rows.jsonl", "--out", "out.jsonl").stdout == ""
    assert (tmp_path / "out.jsonl").read_text() == result.stdout
    assert run("verify", "-", stdin=(tmp_path / "rows.jsonl").read_text()).stdout == result.stdout


def test_a_models_failure_is_in_its_row(run, scripted, write_rows):
    write_rows({"claim": "x y", "evidence": [PAGE]})
    result = run("verify", "rows.jsonl", "--model", scripted({}))
    row = json.loads(result.stdout)
    assert (result.exit_code, row["label"], row["score"]) == (3, "unchecked", None)
    assert "rac/verify.v6" in row["notes"][0]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ('{"id": "1", "claim": "x", "evidence": []}', "its id '1' is that of an earlier row"),
        ('{"id": "a", "claim": "x", "evidence": "y"}', "evidence must be a list; got one str"),
        ('{"id": "a", "claim": 3, "evidence": []}', "claim is an int: expected a text"),
        ("no row", "not JSON"),
    ],
)
def test_a_bad_row_is_named_before_anything_is_judged(run, write, bad, fault):
    good = {"claim": "x y", "evidence": [PAGE]}
    write("rows.jsonl", f"{json.dumps(good)}\n{bad}\n")
    result = run("verify", "rows.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'rows.jsonl', line 2: " in result.stderr
    assert fault in result.stderr


def test_a_file_without_rows_is_said_to_have_none(run, write):
    write("rows.jsonl", "\n \n")
    result = run("verify", "rows.jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "note: 'rows.jsonl' has no rows" in result.stderr


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


@pytest.fixture
def calibrate(run, write_rows):
    """Runs `errata calibrate` on 60 rows about bees, of two kinds in turn."""
    rows = []
    for year, (claim, label) in enumerate([*BEES.items()] * 30, 1900):
        evidence = [f"In {year} bees make honey."]
        rows.append({"claim": f"{claim} in {year}.", "evidence": evidence, "label": label})
    write_rows(*rows)
    return lambda *options: run("calibrate", "rows.jsonl", *options)


def test_a_calibrated_judge_is_written_and_can_be_named(run, calibrate, tmp_path):
    found = json.loads(calibrate("--out", "mine.json", "--json").stdout)
    assert (found["rows"], found["use"]) == (60, "--role verify=local:mine.json")
    assert json.loads((tmp_path / "mine.json").read_text())["sure"] == found["threshold"]
    assert run("verify", "rows.jsonl", *found["use"].split()).exit_code == 0
    table = calibrate().stdout
    for words in ("60 rows judged", "on rows it was not chosen by", "--out"):
        assert words in table


def test_a_model_has_no_scores_and_a_cascade_is_told_from_which_on_it_is_sure(calibrate, scripted):
    model = scripted({"rac/verify": "1: Not mentioned"})
    assert "no score, if the judge gives any" in calibrate("--role", f"verify={model}").stdout
    found = json.loads(calibrate("--role", f"verify=local>{model}", "--json").stdout)
    assert found["use"].startswith("--set sure_above=")


def test_a_decision_model_is_asked_once_a_row_and_has_a_threshold(calibrate, deciders):
    deciders.says = {
        f"{claim} in {1900 + n}.": {label: 0.8} | dict.fromkeys({*LABELS} - {label}, 0.1)
        for n in range(60)
        for claim, label in BEES.items()
    }
    asked = ("--role", f"verify=decisions:m@{deciders.url}")
    found = json.loads(calibrate(*asked, "--json").stdout)
    assert (found["threshold"], "sure_above=0.8" in found["use"]) == (0.8, True)
    assert len(deciders.requests) == 60
    assert "has no file to keep" in calibrate(*asked, "--out", "mine.json").stderr


@pytest.mark.parametrize("row", [{}, {"claim": "x", "evidence": [], "label": "true"}])
def test_a_row_without_a_known_label_is_told(run, write_rows, row):
    write_rows(row)
    result = run("calibrate", "rows.jsonl")
    assert (result.exit_code, "label" in result.stderr) == (2, True)

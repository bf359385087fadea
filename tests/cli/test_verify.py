"""`errata verify`: rows in, rows out."""

import json

import pytest

from example import CLAIMS, PAGE, QUESTION


def write_rows(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")


def read_rows(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_verify_judges_each_claim(run, tmp_path):
    born, physicist, _ = CLAIMS
    rows = [
        {"id": "a", "claim": born, "evidence": [PAGE], "question": QUESTION},
        {"claim": physicist, "evidence": [PAGE]},
        {"id": 3, "claim": physicist, "evidence": []},
    ]
    write_rows(tmp_path / "rows.jsonl", rows)
    result = run("verify", "rows.jsonl")
    refuted, supported, unchecked = read_rows(result)
    assert (refuted["id"], refuted["label"]) == ("a", "refuted")
    assert (supported["id"], supported["label"]) == ("2", "supported")
    assert (unchecked["id"], unchecked["label"], unchecked["score"]) == ("3", "unchecked", None)
    assert refuted["explanation"] == "the claim says 1865; the evidence says 7 November 1867"
    assert unchecked["explanation"] == "there is no document to judge by"
    assert refuted["quotes"][0]["text"] == PAGE
    assert run("verify", "rows.jsonl", "--out", "out.jsonl").stdout == ""
    assert (tmp_path / "out.jsonl").read_text() == result.stdout


def test_a_models_failure_is_in_its_row(run, scripted, tmp_path):
    write_rows(tmp_path / "rows.jsonl", [{"claim": "x y", "evidence": [PAGE]}])
    result = run("verify", "rows.jsonl", "--model", scripted({}))
    assert result.exit_code == 3
    [row] = read_rows(result)
    assert (row["label"], row["score"]) == ("unchecked", None)
    assert "rac/verify.v5" in row["notes"][0]


@pytest.mark.parametrize(
    ("ids", "fault"),
    [
        (("a", 7, "7"), "line 3: its id '7' is that of an earlier row"),
        (("2", None), "line 2: its id '2' is that of an earlier row"),
    ],
)
def test_two_rows_of_one_id_are_an_error_that_names_the_line(run, tmp_path, ids, fault):
    fields = {"claim": "x y", "evidence": [PAGE]}
    rows = [fields | ({"id": each} if each else {}) for each in ids]
    write_rows(tmp_path / "rows.jsonl", rows)
    result = run("verify", "rows.jsonl")
    assert (result.exit_code, result.stdout, fault in result.stderr) == (2, "", True)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (
            '{"id": "a", "claim": "x", "evidence": "y"}',
            "evidence must be a list; got one str",
        ),
        ('{"id": "a", "claim": "x"}', "evidence is missing; a row is {id, claim, "),
        ('{"id": "a", "claim": 3, "evidence": []}', "claim is an int: expected a text"),
        ("no row", "not JSON"),
        ("[]", "expected a JSON object, got list"),
    ],
)
def test_a_bad_row_is_named_before_anything_is_judged(run, tmp_path, bad, fault):
    good = {"claim": "x y", "evidence": [PAGE]}
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(good)}\n{bad}\n")
    result = run("verify", "rows.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'rows.jsonl', line 2: " in result.stderr
    assert fault in result.stderr


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_rows_is_said_to_have_none(run, tmp_path, content):
    (tmp_path / "rows.jsonl").write_text(content)
    result = run("verify", "rows.jsonl")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "note: 'rows.jsonl' has no rows" in result.stderr

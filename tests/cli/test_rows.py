"""`errata verify` and `errata score`: rows in, rows out."""

import json

from example import BIRTH_QUESTION, CLAIMS, PAGE, QUESTION


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
    refuted, supported, not_mentioned = read_rows(result)
    assert (refuted["id"], refuted["label"]) == ("a", "refuted")
    assert (supported["id"], supported["label"]) == ("2", "supported")
    assert (not_mentioned["id"], not_mentioned["label"]) == ("3", "not_mentioned")
    assert not_mentioned["score"] == 0
    assert refuted["explanation"] == "the claim says 1865; the evidence says 7 November 1867"
    assert not_mentioned["explanation"] == "there is no document to judge by"
    assert refuted["quotes"][0]["text"] == PAGE
    assert run("verify", "rows.jsonl", "--out", "out.jsonl").stdout == ""
    assert (tmp_path / "out.jsonl").read_text() == result.stdout


def test_a_models_failure_is_in_its_row(run, scripted, tmp_path):
    write_rows(tmp_path / "rows.jsonl", [{"claim": "x y", "evidence": [PAGE]}])
    result = run("verify", "rows.jsonl", "--model", scripted({}))
    assert result.exit_code == 3
    [row] = read_rows(result)
    assert (row["label"], row["score"]) == ("unchecked", None)
    assert "rac/verify.v1" in row["notes"][0]


def test_score_scores_each_text(run, tmp_path):
    rows = [
        {"id": "a", "question": BIRTH_QUESTION, "text": PAGE},
        {"question": BIRTH_QUESTION, "text": "Bees make honey.", "title": "Bees"},
    ]
    write_rows(tmp_path / "rows.jsonl", rows)
    curie, bees = read_rows(run("score", "rows.jsonl"))
    assert (curie["id"], bees["id"]) == ("a", "2")
    assert 1 >= curie["score"] > 0 > bees["score"] >= -1

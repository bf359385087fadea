"""`errata batch`: options, exit codes, and what is said."""

import json

import pytest

from example import BIRTH_QUESTION, DRAFT, PAGE, QUESTION, RESPONSE

ROW = {"id": "curie", "question": QUESTION, "draft": DRAFT, "documents": [PAGE]}
FAILING = ("--model", "scripted:none.json")


@pytest.fixture
def batch(run, write, tmp_path):
    """Runs `errata batch` on rows, and gives its result and the rows of the output."""

    def errata(rows, *options, source="in.jsonl"):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        write("in.jsonl", lines)
        write("none.json", "{}")
        result = run("batch", source, "--out", "out.jsonl", *options, stdin=lines)
        out = tmp_path / "out.jsonl"
        done = out.read_text().splitlines() if out.exists() else []
        return result, [json.loads(line) for line in done]

    return errata


def test_drafts_are_corrected(batch):
    result, [row] = batch([ROW])
    assert result.exit_code == 0
    assert (row["id"], row["response"], row["label"]) == ("curie", RESPONSE, "refuted")
    assert (row["changed"], row["counts"]["refuted"], row["checked"]) == (True, 1, True)
    assert result.stdout == ""
    assert result.stderr.startswith("rows: 1, done: 1, failed: 0, problems: 0, model calls: 0")


def test_drafts_are_checked_and_questions_answered(batch):
    _, [row] = batch([ROW], "--check", "--fields", "response,label")
    assert row == {"id": "curie", "response": DRAFT, "label": "refuted"}
    rows = [{"question": BIRTH_QUESTION, "documents": [PAGE]}]
    _, [row] = batch(rows, "--method", "crag", "--anew")
    assert (row["id"], row["action"]) == ("line 1", "correct")
    assert "1867" in row["response"]


def test_rows_come_from_standard_input_and_the_totals_are_json_if_asked_for(batch):
    result, [row] = batch([ROW, {"id": 7}], "--json", source="-")
    assert (result.exit_code, row["response"]) == (2, RESPONSE)
    assert "lines that are no rows: 1; see out.jsonl.problems.jsonl" in result.stderr
    totals = json.loads(result.stdout)
    assert (totals["rows"], totals["done"], totals["problems"], totals["calls"]) == (1, 1, 1, 0)
    assert {"seconds", "rate", "stopped"} < totals.keys()
    assert "began" not in totals


@pytest.mark.parametrize(
    ("options", "code", "responses", "said"),
    [
        (FAILING, 3, [DRAFT], "rows that failed: 1; --retry-failed runs them again; the first: "),
        ((*FAILING, "--max-calls", "0"), 0, [DRAFT], "done in which no claim was judged: 1;"),
        (("--batch-max-seconds", "0"), 0, [], "allows no more time; the same command goes on"),
    ],
)
def test_what_was_not_done_is_said_and_has_a_code(batch, options, code, responses, said):
    result, done = batch([ROW], *options)
    assert (result.exit_code, said in result.stderr) == (code, True)
    assert [row["response"] for row in done] == responses


def test_failed_rows_are_retried(batch):
    batch([ROW], *FAILING)
    result, [row] = batch([ROW], *FAILING, "--retry-failed")
    assert (result.exit_code, row["response"]) == (3, DRAFT)
    assert batch([ROW])[0].exit_code == 2  # another model

"""What the batches that are killed are checked for."""

import json

import pytest

from errata.evals.benches.machine import Process, run_and_kill
from errata.evals.benches.nothing_lost import Plan, describe, read_outcome, write_drafts
from errata.evals.endpoint.settings import Settings

GOOD = {"draft": "Ada sang.", "response": "Ada sang.", "usage": {"money": 0.5}}
DRAFTS = {"a": "Ada sang.", "b": "Ada sang."}


@pytest.mark.parametrize(
    ("lines", "broken"),
    [
        ([GOOD | {"id": "a"}, GOOD | {"id": "b"}], []),
        ([GOOD | {"id": "a"}, GOOD | {"id": "b", "error": "x"}], []),
        ([GOOD | {"id": "a"}], ["model: 1 missing"]),
        ([GOOD | {"id": "a"}, GOOD | {"id": "b"}, GOOD | {"id": "b"}], ["model: 1 twice"]),
        ([GOOD | {"id": "a"}, {"id": "b", "error": "x"}], ["model: 1 lost"]),
        ([GOOD | {"id": "a"}, GOOD | {"id": "b", "response": ""}], ["model: 1 lost"]),
    ],
)
def test_what_is_missing_twice_or_lost_is_named(tmp_path, lines, broken):
    out = tmp_path / "out.jsonl"
    out.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    outcome = read_outcome(Plan("model", Settings()), out, DRAFTS, Process(2.0, 90.0), {"calls": 8})
    assert outcome.broken_promises == broken
    out.write_text(f'{out.read_text()}{{"id"')
    outcome = read_outcome(Plan("model"), out, DRAFTS, Process(1.0), {})
    assert outcome.broken_promises == sorted([*broken, "model: 1 broken"], key=_order)


def _order(promise):
    return ("missing", "twice", "broken", "lost").index(promise.split()[-1])


def test_every_draft_has_an_id_and_a_question_of_its_own(tmp_path):
    drafts = write_drafts(tmp_path / "in.jsonl", 90)
    rows = [json.loads(line) for line in (tmp_path / "in.jsonl").read_text().splitlines()]
    assert len(drafts) == len({row["question"] for row in rows}) == 90


@pytest.mark.slow
def test_a_command_is_killed_after_a_pause_and_then_ends():
    process = run_and_kill(["prompts"], [0.1])
    assert process.seconds > 0.1
    assert process.megabytes > 1


def test_the_page_says_what_faults_and_kills_cost(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text("".join(f"{json.dumps(GOOD | {'id': name})}\n" for name in DRAFTS))
    outcomes = [
        read_outcome(Plan(name), out, DRAFTS, Process(2.0, 90.0), {"calls": calls})
        for name, calls in (("model", 10), ("faults", 12), ("faults killed", 15))
    ]
    page = describe(outcomes, 2, 3, "rac")
    assert "| model | 0 | 2 | 0 | 0 | 0 | 1.0 | 90 | 10 | 0 | 0 | 1.00 |" in page
    assert "Cost of the faults: +20.0% requests" in page
    assert "with faults: +25.0% requests" in page

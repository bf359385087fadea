"""Killed runs go on: a small part of the bench, and that it would find what is lost."""

import re
import subprocess
import sys

import pytest

from errata.evals.benches.crashes.attempts import Kill
from errata.evals.benches.crashes.matrix import Outcome, count_repeated

pytestmark = pytest.mark.slow


def test_killed_runs_are_whole_and_repeat_no_finished_call(root, tmp_path):
    out = tmp_path / "crash.md"
    options = ["rac", "--most", "1", "--out", str(out)]
    command = [sys.executable, "-m", "errata.evals.benches", "crashes", *options]
    process = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=120
    )
    assert process.returncode == 0, process.stderr
    kept, alone = out.read_text().split("## Checkpoints alone")
    rows = re.findall(r"\| `(\w+)` \|.*\| (\d+) of (\d+) \| (\d+) \|", kept)
    assert {method for method, *_ in rows} == {"rac"}
    assert all(whole == kills == "3" and repeated == "0" for _, whole, kills, repeated in rows)
    assert "`rac`" in alone


@pytest.mark.parametrize(
    ("fault", "sound"),
    [
        ({}, True),
        ({"repeated": 1}, True),
        ({"repeated": 2}, False),
        ({"same": False}, False),
        ({"killed": False}, False),
        ({"left_out": 1}, False),
    ],
)
def test_what_is_lost_or_repeated_is_not_sound(fault, sound):
    fine = {"same": True, "killed": True, "unfinished": 1, "repeated": 0, "left_out": 0}
    assert Outcome(Kill("at call", 1), **{**fine, **fault}).sound is sound


@pytest.mark.parametrize(
    ("before", "after", "repeated"),
    [
        ("ab", "cd", 0),
        ("ab", "bcd", 1),
        ("", "abcd", 0),
        ("axy", "bcd", 0),  # a page failed before the kill: its prompts are other calls
        ("axy", "ybcd", 1),
        ("ab", "ccd", 0),  # a call of the other process failed, and was made again
        ("ab", "abcd", 2),
    ],
)
def test_only_a_call_that_both_processes_asked_is_repeated(before, after, repeated):
    assert count_repeated(before, after, "abcd") == repeated


def test_a_call_that_a_run_makes_twice_is_not_repeated():
    assert count_repeated("ab", "ac", "abac") == 0

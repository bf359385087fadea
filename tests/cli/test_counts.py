"""How far long work is, on standard error."""

import json

import pytest

from errata.cli.progress import Progress
from example import PAGE


def test_a_step_that_does_many_things_is_counted(capsys):
    counts = Progress(every=0)
    with counts.shown("checking …"):
        counts.tell_step("verify", 0, 1)
        counts.tell_step("verify", 120, 900)
        counts.tell_step("read", 2, 3)
    assert capsys.readouterr() == ("", "judged 120 of 900 claims\nread: 2 of 3 done\n")


def test_short_work_is_not_counted_where_nobody_watches(capsys):
    counts = Progress()
    with counts.shown("checking …"):
        counts.tell_step("verify", 120, 900)
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["check", "-d", "draft.txt", "--documents", "page.txt"], b"judged 3 of 3 claims"),
        (["verify", "rows.jsonl"], b"judged 2 of 2 rows"),
    ],
)
def test_a_terminal_sees_the_counts(tmp_path, on_terminal, command, words):
    row = json.dumps({"claim": "Marie Curie was a physicist.", "evidence": [PAGE]})
    (tmp_path / "rows.jsonl").write_text(f"{row}\n{row}\n")
    result, shown = on_terminal("stderr", *command, TERM="xterm")
    assert words in shown
    assert b"supported" in result

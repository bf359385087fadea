"""How far long work is, on standard error."""

import json
import os
import pty
import subprocess
import sys

import pytest

from errata.cli.progress import Counts, EvalProgress
from errata.evals.items import Item
from errata.evals.scoring import Row
from example import PAGE


def test_a_step_that_does_many_things_is_counted(capsys):
    counts = Counts(every=0)
    with counts.shown("checking …"):
        counts.tell_step("verify", 0, 1)
        counts.tell_step("verify", 120, 900)
        counts.tell_step("read", 2, 3)
    assert capsys.readouterr() == ("", "judged 120 of 900 claims\nread: 2 of 3 done\n")


def test_short_work_is_not_counted_where_nobody_watches(capsys):
    counts = Counts()
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
def test_a_terminal_sees_the_counts(tmp_path, command, words):
    row = json.dumps({"claim": "Marie Curie was a physicist.", "evidence": [PAGE]})
    (tmp_path / "rows.jsonl").write_text(f"{row}\n{row}\n")
    code = "from errata.cli import main; main()"
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *command],
        stdout=subprocess.PIPE,
        stderr=writer,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(writer)
    shown = b""
    while part := read_terminal(reader):
        shown += part
    result, _ = process.communicate()
    assert process.returncode == 0
    assert words in shown
    assert b"supported" in result


def test_all_rows_of_a_run_share_a_bar(monkeypatch):
    reader, writer = pty.openpty()
    bars, row = EvalProgress(), Row(item=Item(id="1", question="Who was she?"))
    with os.fdopen(writer, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with bars.shown():
            for done in range(3):
                bars.tell("rac on demo", done, 3, row, known=False)
            assert len(bars._progress.tasks) == 1
    os.close(reader)


def read_terminal(reader):
    try:
        return os.read(reader, 65536)
    except OSError:
        os.close(reader)
        return b""

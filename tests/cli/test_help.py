"""The command line itself: its words, its help, how it is installed, and its progress."""

import json
import re

import pytest

from errata.cli import COMMANDS
from example import PAGE

NAMES = [*(command.__name__ for command in COMMANDS), "eval"]
HELP = """
import sys
from errata.cli import main
sys.argv = ["errata", *sys.argv[1:], "--help"]
try:
    main()
finally:
    heavy = ("langgraph", "langchain_core", "langchain", "numpy", "onnxruntime")
    print("imported:", [name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(("words", "shown"), [([], NAMES), (["correct"], ["--draft"])])
def test_help_imports_nothing_heavy(run_python, words, shown):
    output = run_python(HELP, *words)
    assert all(word in output for word in shown)
    assert output.endswith("imported: []\n")


@pytest.mark.parametrize("command", NAMES)
def test_every_command_has_help_of_one_screen_and_no_option_is_cut(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    result = run(command, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) <= 80
    assert "--help" in re.findall(r"--[a-z-]+", result.stdout)
    assert "…" not in re.sub("(FILE|[|])…", "", result.stdout)


def test_without_a_command_help_is_printed_and_on_request_the_version(run):
    assert all(name in run().output for name in ("correct", "check", "--version"))
    result = run("--version")
    assert result.exit_code == 0
    assert re.fullmatch(r"errata \d\S*\n", result.stdout)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["check", "-d", "draft.txt", "--documents", "page.txt"], b"verify: 3 of 3"),
        (["verify", "rows.jsonl"], b"judged 2 of 2 rows"),
    ],
)
def test_a_terminal_sees_the_counts(write, on_terminal, command, words):
    row = json.dumps({"claim": "Marie Curie was a physicist.", "evidence": [PAGE]})
    write("rows.jsonl", f"{row}\n{row}\n")
    result, shown = on_terminal("stderr", *command, TERM="xterm")
    assert words in shown
    assert b"supported" in result

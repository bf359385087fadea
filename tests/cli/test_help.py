"""The command line itself: its words, its help, how it is installed, and its progress."""

import json
import re

import pytest

from errata.cli import COMMANDS, load_command
from example import PAGE

WITHOUT_SETTINGS = ("index", "prompts", "review")
HELP = """
import sys
from errata.cli import main
sys.argv = ["errata", *sys.argv[1:], "--help"]
try:
    main()
finally:
    heavy = ("langgraph", "langchain_core", "langchain", "pydantic", "numpy", "onnxruntime")
    print("imported:", [name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("words", "shown", "imported"),
    [([], [*COMMANDS], "[]"), (["correct"], ["--draft"], "['pydantic']")],
)
def test_help_imports_nothing_heavy(run_python, words, shown, imported):
    output = run_python(HELP, *words)
    assert all(word in output for word in shown)
    assert output.endswith(f"imported: {imported}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_no_option_is_cut_on_a_narrow_screen(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    every = "--help" if command in WITHOUT_SETTINGS else "--help-all"
    params = load_command(command, [every]).params
    names = [name for each in params for name in (*each.opts, *each.secondary_opts)]
    options = {name for name in names if name.startswith("--")}
    result = run(command, every)
    assert result.exit_code == 0
    assert COMMANDS[command].partition(";")[0] in " ".join(result.stdout.split())
    assert options
    assert options <= set(re.findall(r"--[a-z-]+", result.stdout))


@pytest.mark.parametrize("command", ["correct", "check", "answer", "batch"])
def test_help_is_one_screen_of_options_that_there_are(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "100")
    few, every = run(command, "--help").stdout, run(command, "--help-all").stdout
    assert len(few.splitlines()) <= 55
    assert set(re.findall(r"--[a-z-]+", few)) <= set(re.findall(r"--[a-z-]+", every))


def test_the_version_is_printed(run):
    result = run("--version")
    assert (result.exit_code, result.stdout.split()[0]) == (0, "errata")
    assert result.stdout.split()[1][0].isdigit()


def test_without_a_command_help_is_printed(run):
    result = run()
    assert all(name in result.output for name in ("correct", "check", "--version"))


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

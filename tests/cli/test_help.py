"""The command line itself: its help, and how it is installed."""

import re
import tomllib

import pytest
from typer.main import get_command

from errata.cli import COMMANDS, app

HELP = """
import sys
from errata.cli import main
sys.argv = ["errata", "--help"]
try:
    main()
finally:
    heavy = ("langgraph", "langchain_core", "langchain", "pydantic", "numpy", "onnxruntime")
    print("imported:", [name for name in heavy if name in sys.modules])
"""


def test_help_lists_the_commands_and_imports_nothing_heavy(run_python):
    output = run_python(HELP)
    assert all(command in output for command in COMMANDS)
    assert output.endswith("imported: []\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert COMMANDS[command].partition(";")[0] in " ".join(result.stdout.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_is_cut_on_a_narrow_screen(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    with get_command(app).make_context("errata", [command]) as context:
        _, command_found, _ = context.command.resolve_command(context, [command])
    names = [n for each in command_found.params for n in (*each.opts, *each.secondary_opts)]
    options = {name for name in names if name.startswith("--")}
    shown = set(re.findall(r"--[a-z-]+", run(command, "--help").stdout))
    assert options
    assert options <= shown


def test_the_command_is_declared(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"errata": "errata.cli:main"}

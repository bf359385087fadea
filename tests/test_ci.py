"""What runs in continuous integration: the action's own lines, the hooks, the page's commands.

Where the lines themselves are tried, what they run is written down by a program in the place of
`errata`, and then run here.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from errata.cli import app
from example import DRAFT, PAGE

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
COMMAND = f"#!{sys.executable}\nfrom errata.cli import main\nmain()\n"
NOTED, CODE = "an output\n", 7
NOTING = f"#!/bin/sh\nprintf '%s\\0' \"$@\" > \"$0.asked\"\nprintf '{NOTED}'\nexit {CODE}\n"
"""Writes its arguments down, prints a line, and exits with a code of its own."""


class Shell:
    """Runs lines as a step of GitHub's does, in a folder with a draft and its evidence."""

    def __init__(self, folder, program):
        self.folder, self.program = folder / "repository", folder / "bin" / "errata"
        for path in (self.folder / "docs", self.folder / "facts", self.program.parent):
            path.mkdir(parents=True)
        self.program.write_text(program)
        self.program.chmod(0o755)
        (self.folder / "docs" / "curie.md").write_text(DRAFT + "\n")
        (self.folder / "docs" / "of two words.md").write_text("Marie Curie was born in 1867.\n")
        (self.folder / "-strict.md").write_text("Marie Curie was a physicist.\n")
        (self.folder / "facts" / "page.txt").write_text(PAGE)

    def __call__(self, lines, stdin="", **environment):
        folders = (self.program.parent, Path(sys.executable).parent, os.environ["PATH"])
        path = os.pathsep.join(map(str, folders))
        own = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **environment}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lines]
        told = {"capture_output": True, "text": True, "input": stdin}
        return subprocess.run(command, cwd=self.folder, env=own, check=False, **told)

    def run_noted(self):
        """Run here what the program was asked last."""
        noted = self.program.with_name("errata.asked")
        return CliRunner().invoke(app, noted.read_text("utf-8").split("\0")[:-1])


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A shell whose `errata` only notes what it is asked."""
    made = Shell(tmp_path, NOTING)
    monkeypatch.chdir(made.folder)
    return made


def step_with(inputs):
    """The action's last step: its lines and its environment, with inputs and their defaults."""
    action = yaml.safe_load(open_text("action.yml"))
    given = {name: each.get("default", "") for name, each in action["inputs"].items()} | inputs
    assert given.keys() == action["inputs"].keys()
    step = action["runs"]["steps"][-1]
    return step["run"], {k: INPUT.sub(lambda m: given[m[1]], v) for k, v in step["env"].items()}


def open_text(name):
    return (ROOT / name).read_text("utf-8")


def page_blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", open_text("docs/ci.md"), re.DOTALL)


def test_the_action_takes_inputs_from_the_environment_alone():
    action = yaml.safe_load(open_text("action.yml"))
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in steps)
    used = {name for each in steps[-1]["env"].values() for name in INPUT.findall(each)}
    assert used == action["inputs"].keys()


@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        ({"files": "docs/*.md", "fail-on": "refuted"}, 1, '"refuted"'),
        ({"files": "docs/of two words.md\n-*.md", "fail-on": "supported"}, 0, '"results": []'),
        (
            {"files": "docs/c*.md", "format": "json", "corpus": "facts", "documents": ""},
            0,
            '"verdicts"',
        ),
        ({"files": "docs/*.md", "command": "cite", "format": "markdown"}, 0, "**errata**"),
    ],
)
def test_the_action_finds_errors_in_a_repository(shell, inputs, code, said):
    lines, environment = step_with({"documents": "facts", "report": "found"} | inputs)
    done = shell(lines, **environment)
    assert (done.returncode, (shell.folder / "found").read_text()) == (CODE, NOTED), done.stderr
    result = shell.run_noted()
    assert (result.exit_code, said in result.stdout) == (code, True), result.output


@pytest.mark.parametrize(
    ("inputs", "fault"),
    [
        ({"files": "none/*.md"}, "no file matches"),
        ({"files": "docs/*.md", "fail-on": "fault"}, "check has no fail-on fault"),
        ({"files": "docs/*.md", "command": "$(touch x)"}, "has no fail-on"),
    ],
)
def test_the_action_refuses_what_it_cannot_do(shell, inputs, fault):
    lines, environment = step_with(inputs)
    done = shell(lines, **environment)
    assert (done.returncode, fault in done.stderr) == (2, True)
    assert not (shell.folder / "x").exists()


@pytest.mark.parametrize(
    ("hook", "told"),
    [
        ("errata-check", "docs/curie.md: refuted; 3 claims: 1 supported, 1 refuted"),
        ("errata-cite", "docs/curie.md: 1 contradicted"),
    ],
)
def test_pre_commit_runs_the_hooks_on_files(shell, tmp_path, hook, told):
    own = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("pre-commit", path=own)
    if not program:
        pytest.skip("needs pre-commit, which is not here")
    [config] = [yaml.safe_load(b) for b in page_blocks("yaml") if b.startswith("repos:")]
    args = {each["id"]: each["args"] for each in config["repos"][0]["hooks"]}
    hooks = {each["id"]: each for each in yaml.safe_load(open_text(".pre-commit-hooks.yaml"))}
    own = hooks[hook] | {"args": args[hook], "language": "system"}
    own.pop("additional_dependencies", None)  # an environment of its own would have them
    local = {"repo": "local", "hooks": [own]}
    (shell.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [local]}))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run([*git, *words], cwd=shell.folder, check=True)
    manifest = shlex.join([program, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")])
    files = shlex.join([program, "run", "--files", "docs/curie.md", "docs/of two words.md"])
    done = shell(f"{manifest} && {files}", PRE_COMMIT_HOME=str(tmp_path / "cache"))
    assert (done.returncode, f"exit code: {CODE}" in done.stdout) == (1, True), done.stdout
    result = shell.run_noted()
    assert (result.exit_code, told in result.stderr) == (1, True), result.output


def test_the_workflow_of_the_page_gives_the_action_inputs_that_it_has(tmp_path):
    """By the program itself."""
    shell = Shell(tmp_path, COMMAND)
    [workflow] = [yaml.safe_load(b) for b in page_blocks("yaml") if "jobs:" in b]
    [job] = workflow["jobs"].values()
    [step] = [each for each in job["steps"] if "errata" in each.get("uses", "")]
    lines, environment = step_with(step["with"])
    done = shell(lines, **environment)
    assert done.returncode == 0, done.stderr
    [found] = json.loads((shell.folder / step["with"]["report"]).read_text())["runs"]
    assert "refuted" in [each["ruleId"] for each in found["results"]]


def test_every_command_of_the_page_runs(shell):
    blocks = [block for block in page_blocks("sh") if "tool_input" not in block]
    commands = [line for block in blocks for line in block.strip().splitlines()]
    assert len(commands) > 2
    for line in commands:
        done = shell(line.partition("   #")[0])
        assert done.returncode == CODE, done.stderr
        result = shell.run_noted()
        assert result.exit_code in (0, 1), result.output
        assert result.stdout


@pytest.mark.parametrize(
    ("text", "code"),
    [(DRAFT, 2), ("Ada Lovelace wrote programs. Is it so?\n\n- **refuted**, line 1: x", 0)],
)
def test_the_hook_of_the_page_sends_back_what_the_evidence_contradicts(tmp_path, text, code):
    shell = Shell(tmp_path, COMMAND)
    [hook] = [block for block in page_blocks("sh") if "tool_input" in block]
    path = shell.folder / "docs" / "an $(answer).md"
    path.write_text(text)
    told = json.dumps({"tool_name": "Write", "tool_input": {"file_path": str(path)}})
    done = shell(f"set +e\n{hook}", stdin=told)
    assert (done.returncode, done.stdout) == (code, "")
    assert ("the evidence says 7 November 1867" in done.stderr) is bool(code)


@pytest.mark.parametrize(
    "told",
    [
        *("", "{", "[]", '{"tool_input": {}}', '{"tool_input": {"file_path": "a.py"}}'),
        '{"tool_input": {"file_path": "docs/curie.md"}}',
    ],
)
def test_the_hook_of_the_page_stops_nothing_else(shell, told):
    """What is no text, and any text where errata cannot run."""
    [hook] = [block for block in page_blocks("sh") if "tool_input" in block]
    done = shell(f"set +e\n{hook}", stdin=told, PATH=os.environ["PATH"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

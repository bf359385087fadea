"""What runs in continuous integration: the action's own lines, the hooks, the page's commands."""

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

from example import DRAFT, PAGE

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
BY_CORPUS = {"corpus": "facts", "documents": ""}
COMMAND = f"#!{sys.executable}\nfrom errata.cli import main\nmain()\n"


class Shell:
    """Runs lines as a step of GitHub's does, in a folder with a draft and its evidence."""

    def __init__(self, folder):
        self.folder, self.program = folder / "repository", folder / "bin" / "errata"
        for path in (self.folder / "docs", self.folder / "facts", self.program.parent):
            path.mkdir(parents=True)
        self.program.write_text(COMMAND)
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


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


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
        ({"files": "docs/c*.md", "format": "json", **BY_CORPUS}, 0, '"verdicts"'),
        ({"files": "docs/*.md", "command": "cite", "format": "markdown"}, 0, "**errata**"),
    ],
)
def test_the_action_finds_errors_in_a_repository(shell, inputs, code, said):
    lines, environment = step_with({"documents": "facts", "report": "found"} | inputs)
    done = shell(lines, **environment)
    found = (shell.folder / "found").read_text()
    assert (done.returncode, said in found) == (code, True), done.stderr


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
    assert (done.returncode, told in done.stdout) == (1, True), done.stdout


def test_the_workflow_of_the_page_gives_the_action_inputs_that_it_has(shell):
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
        done = shell(re.split("   #| > ", line)[0])
        assert done.returncode in (0, 1), done.stderr
        assert done.stdout


@pytest.mark.parametrize(
    ("text", "code"),
    [(DRAFT, 2), ("Ada Lovelace wrote programs. Is it so?\n\n- **refuted**, line 1: x", 0)],
)
def test_the_hook_of_the_page_sends_back_what_the_evidence_contradicts(shell, text, code):
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

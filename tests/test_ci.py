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
COMMAND = f"#!{sys.executable}\nfrom errata.cli import main\nmain()\n"


@pytest.fixture
def shell(tmp_path):
    """Runs lines as a step of GitHub's does, in a repository with a draft and its evidence."""
    folder, tools = tmp_path / "repository", tmp_path / "bin"
    (folder / "docs").mkdir(parents=True)
    (folder / "facts").mkdir()
    tools.mkdir()
    (tools / "errata").write_text(COMMAND)
    (tools / "errata").chmod(0o755)
    (folder / "docs" / "curie.md").write_text(DRAFT + "\n")
    (folder / "docs" / "of two words.md").write_text("Marie Curie was born in 1867.\n")
    (folder / "-strict.md").write_text("Marie Curie was a physicist.\n")
    (folder / "facts" / "page.txt").write_text(PAGE)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Add texts"]):
        subprocess.run([*git, *words], cwd=folder, check=True)

    def run(lines, stdin="", **environment):
        path = f"{tools}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        own = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path, **environment}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lines]
        return subprocess.run(
            command, cwd=folder, env=own, capture_output=True, text=True, check=False, input=stdin
        )

    run.folder = folder
    return run


def step_with(inputs):
    """The action's last step: its lines and its environment, with inputs and their defaults."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    given = {name: each.get("default", "") for name, each in action["inputs"].items()} | inputs
    assert given.keys() == action["inputs"].keys()
    step = action["runs"]["steps"][-1]
    return step["run"], {k: INPUT.sub(lambda m: given[m[1]], v) for k, v in step["env"].items()}


def test_the_action_takes_inputs_from_the_environment_alone():
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in steps)
    used = {name for each in steps[-1]["env"].values() for name in INPUT.findall(each)}
    assert used == action["inputs"].keys()


@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        ({"files": "docs/*.md", "fail-on": "refuted", "format": "rdjson"}, 1, '"ERROR"'),
        ({"files": "docs/of two words.md\n-*.md", "fail-on": "supported"}, 0, '"results": []'),
        (
            {"files": "docs/c*.md", "format": "junit", "corpus": "facts", "documents": ""},
            0,
            "<fail",
        ),
        ({"files": "docs/*.md", "command": "cite", "format": "markdown"}, 0, "**errata**"),
    ],
)
def test_the_action_finds_errors_in_a_repository(shell, inputs, code, said):
    lines, environment = step_with({"documents": "facts", "report": "found"} | inputs)
    done = shell(lines, **environment)
    assert done.returncode == code, done.stderr
    assert said in (shell.folder / "found").read_text()


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


def hooks():
    return {each["id"]: each for each in yaml.safe_load(open_text(".pre-commit-hooks.yaml"))}


def open_text(name):
    return (ROOT / name).read_text("utf-8")


def page_blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", open_text("docs/ci.md"), re.DOTALL)


@pytest.mark.parametrize(
    ("hook", "file", "fault"),
    [
        ("errata-check", "docs/curie.md", "1 of 3 claims refuted"),
        ("errata-check", "docs/of two words.md", ""),
        ("errata-cite", "docs/curie.md", "docs/curie.md: 1 contradicted"),
    ],
)
def test_pre_commit_runs_the_hooks_on_files(shell, hook, file, fault, tmp_path):
    own = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("pre-commit", path=own)
    if not program:
        pytest.skip("needs pre-commit, which is not here")
    checked = shell(f"{program} validate-manifest {ROOT / '.pre-commit-hooks.yaml'}")
    assert checked.returncode == 0, checked.stdout
    [config] = [yaml.safe_load(b) for b in page_blocks("yaml") if b.startswith("repos:")]
    args = {each["id"]: each["args"] for each in config["repos"][0]["hooks"]}
    own = hooks()[hook] | {"args": args[hook], "language": "system"}
    own.pop("additional_dependencies", None)  # an environment of its own would have them
    local = {"repos": [{"repo": "local", "hooks": [own]}]}
    (shell.folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(local))
    words = shlex.join([program, "run", "--files", file])
    done = shell(words, PRE_COMMIT_HOME=str(tmp_path / "cache"))
    assert done.returncode == bool(fault), done.stdout + done.stderr
    assert fault in done.stdout


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
        words = line.partition(" | reviewdog")[0].partition("   #")[0]
        done = shell(words)
        assert done.returncode in (0, 1), done.stderr
        assert done.stdout or ">" in words


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (DRAFT, 2),
        ("Marie Curie was a physicist.", 0),
        ("Ada Lovelace wrote programs. Is it so?\n\n- **refuted**, line 1: x", 0),
        ("# Nothing is claimed", 0),
        (None, 0),
    ],
)
def test_the_hook_of_the_page_sends_back_what_the_evidence_contradicts(shell, text, code):
    [hook] = [block for block in page_blocks("sh") if "tool_input" in block]
    path = shell.folder / "docs" / "an $(answer).md"
    if text:
        path.write_text(text)
    told = json.dumps({"tool_name": "Write", "tool_input": {"file_path": str(path)}})
    done = shell(f"set +e\n{hook}", stdin=told)
    assert (done.returncode, done.stdout) == (code, "")
    assert ("the evidence says 7 November 1867" in done.stderr) is bool(code)


@pytest.mark.parametrize(
    "told", ["", "{", "[]", '{"tool_input": {}}', '{"tool_input": {"file_path": "a.py"}}']
)
def test_the_hook_of_the_page_stops_nothing_else(shell, told):
    [hook] = [block for block in page_blocks("sh") if "tool_input" in block]
    done = shell(f"set +e\n{hook}", stdin=told, PATH=os.environ["PATH"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

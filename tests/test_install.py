"""Both kinds of installation, from a clone with symbolic links and from one without."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from errata import correct
from errata.cli import CLONE, codes
from example import REQUEST, RESPONSE

ROOT = Path(__file__).parent.parent
PROBE = """
import asyncio, json
from importlib.resources import files
import errata
from errata.graphs.rac import graph
from errata.render.html import page
from errata.tools.judges import verifier

request = json.loads(input())
state = asyncio.run(graph.ainvoke(request))
result = errata.correct(**request)
prompts = files("errata.prompts").joinpath("rac").iterdir()
print(json.dumps({
    "response": state["response"],
    "scores": [verdict.score for verdict in result.verdicts],
    "report": "<ins>1867</ins>" in page(result, {}, ""),
    "prompts": sorted(path.name for path in prompts if path.name.endswith(".md")),
    "modules": [errata.__file__, verifier.__file__],
}))
"""

OFFLINE = {
    "PIP_NO_DEPS": "1",
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # turns it off, in spite of the value
    "PIP_NO_COMPILE": "1",
    "PIP_QUIET": "1",
    "PIP_CONFIG_SETTINGS": "--build-option=--compression=stored",  # packing takes most of the time
}


IN_CLONES = {"evals", "training"}
"""Folders that no wheel has."""


def packages_at_the_top():
    return sorted({path.parent.name for path in ROOT.glob("*/__init__.py")} - {"errata"})


def files_of(folder):
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


def copy_clone(clone, *, links):
    """Copy what an installation needs; without links, each is a text file, as git writes it."""
    ignore = shutil.ignore_patterns("__pycache__")
    for name in (*packages_at_the_top(), "errata"):
        shutil.copytree(ROOT / name, clone / name, symlinks=True, ignore=ignore)
    for name in packages_at_the_top():
        link = clone / "errata" / name
        link.unlink()
        if links:
            link.symlink_to(f"../{name}")
        else:
            link.write_text(f"../{name}")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, clone)


def install(clone, folder, editable):
    """Install into a fresh environment that sees our dependencies, but not our own errata.

    The line of a plain installation is the action's.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    # The paths of a .pth file are searched for modules; .pth files in them, such as the one of an
    # editable errata, are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    python = folder / "bin" / "python"
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    line = action["runs"]["steps"][0]["run"]
    if editable:
        line = line.replace("install", "install --editable")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"GITHUB_ACTION_PATH": str(clone), "PIP_PYTHON": str(python), "PATH": path}
    subprocess.run(["bash", "-ec", line], env={**os.environ, **OFFLINE, **own}, check=True)
    return SimpleNamespace(clone=clone, editable=editable, python=python, packages=packages)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "editable"])
def installation(request, tmp_path_factory):
    """From a clone without links; all other tests run in an editable one with links."""
    clone = tmp_path_factory.mktemp("clone")
    copy_clone(clone, links=False)
    return install(clone, tmp_path_factory.mktemp("environment"), request.param)


def shipped():
    """Every file of ours but those for clones."""
    names = packages_at_the_top()
    files = {name for name in files_of(ROOT / "errata") if name.split("/")[0] not in names}
    for name in {*names} - IN_CLONES:
        files |= {f"{name}/{file}" for file in files_of(ROOT / name)}
    return files


def run(folder, *command, told=""):
    """Run a command of an installation in a folder outside the clone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    own = {"input": told, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=folder, env=environment, check=False, **own)


def test_every_top_level_package_has_its_link():
    for name in packages_at_the_top():
        link = ROOT / "errata" / name
        target = str(link.readlink()) if link.is_symlink() else link.read_text()
        assert target == f"../{name}"


@pytest.mark.slow
def test_an_installation_corrects_as_the_sources_do(installation, tmp_path):
    done = run(tmp_path, installation.python, "-c", PROBE, told=json.dumps(REQUEST))
    assert not done.returncode, done.stderr
    probe, here = json.loads(done.stdout), correct(**REQUEST)
    assert probe["response"] == here.response == RESPONSE
    assert probe["scores"] == [verdict.score for verdict in here.verdicts]
    assert probe["report"]
    assert probe["prompts"] == sorted(p.name for p in (ROOT / "prompts/rac").glob("*.md"))
    home = installation.clone if installation.editable else installation.packages
    assert all(Path(file).is_relative_to(home) for file in probe["modules"])


def test_a_clone_with_links_ships_the_same_files(tmp_path):
    copy_clone(tmp_path / "clone", links=True)
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", tmp_path / "built"]
    subprocess.run(build, cwd=tmp_path / "clone", check=True)
    assert files_of(tmp_path / "built" / "errata") == shipped()


@pytest.mark.slow
def test_a_plain_installation_ships_every_file_but_those_for_clones(installation, tmp_path):
    if installation.editable:
        return
    assert files_of(installation.packages / "errata") == shipped()
    assert installation.python.with_name("errata").is_file()
    told = run(tmp_path, installation.python.with_name("errata"), "eval", "factscore")
    assert (told.returncode, told.stdout) == (codes.BAD_INPUT, "")
    assert told.stderr == f"errata: {CLONE}\n"
    [points] = installation.packages.glob("errata-*.dist-info/entry_points.txt")
    assert "errata.testing = errata.testing" in points.read_text()

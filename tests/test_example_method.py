"""A method in a package of its own is found by registry, command line and conformance tests."""

import os
import subprocess
import sys
import tomllib

import pytest

PLACE = "examples/errata-example-method"


@pytest.fixture
def installed(root, tmp_path):
    """Runs Python where the package is on the path, with the metadata that pip would write."""
    project = tomllib.loads((root / PLACE / "pyproject.toml").read_text())["project"]
    metadata = tmp_path / f"errata_example_method-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    [(group, announced)] = project["entry-points"].items()
    lines = [f"{name} = {value}" for name, value in announced.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    path = os.pathsep.join(map(str, [tmp_path, root / PLACE, root]))

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=root,
            env=os.environ | {"PYTHONPATH": path},
        )

    return run


def test_the_command_line_runs_it(installed, tmp_path):
    draft, page = tmp_path / "draft.txt", tmp_path / "page.txt"
    draft.write_text("Marie Curie was born in 1865.")
    page.write_text("Marie Curie (born 7 November 1867) was a physicist.")
    words = ["check", "--method", "selfcheck", "--draft", str(draft), "--documents", str(page)]
    done = installed("-c", "from errata.cli import main; main()", *words, "--json")
    assert '"method": "selfcheck"' in done.stdout
    assert '"label": "refuted"' in done.stdout


def test_it_passes_our_tests_of_methods_and_its_own(installed):
    tests = "tests/conformance", f"{PLACE}/test_selfcheck.py"
    done = installed("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "selfcheck", *tests)
    assert not done.returncode, done.stdout


def test_a_package_that_does_not_load_is_named(installed, tmp_path):
    [entry] = tmp_path.glob("*.dist-info/entry_points.txt")
    entry.write_text("[errata.methods]\nbroken = errata_nowhere:method\n")
    code = "from errata import Session; Session('broken')"
    assert "'broken' at errata_nowhere:method does not load" in installed("-c", code).stderr

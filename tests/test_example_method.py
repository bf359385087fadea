"""A method in a package of its own is found by registry, command line and conformance tests."""

import os
import subprocess
import sys
import tomllib

import pytest

from errata.core.errors import SettingError
from errata.methods import _load

PLACE = "examples/errata-example-method"
RUN = """
import sys
import pytest

claim, page, *tests = sys.argv[1:]
code = pytest.main(["-q", "-p", "no:cacheprovider", "-k", "selfcheck", *tests])
from typer.testing import CliRunner
from errata.cli import app

words = ["check", "--method", "selfcheck", "-d", "-", "--documents", page, "--json"]
print(CliRunner().invoke(app, words, input=claim).stdout)
sys.exit(code)
"""


@pytest.fixture
def path(root, tmp_path):
    """Where the package is found, with the metadata that pip would write."""
    project = tomllib.loads((root / PLACE / "pyproject.toml").read_text())["project"]
    metadata = tmp_path / f"errata_example_method-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    [(group, announced)] = project["entry-points"].items()
    lines = [f"{name} = {value}" for name, value in announced.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    return os.pathsep.join(map(str, [tmp_path, root / PLACE, root]))


def test_the_command_line_runs_it_and_it_passes_our_tests_of_methods_and_its_own(
    path, root, tmp_path
):
    (tmp_path / "page.txt").write_text("Marie Curie (born 7 November 1867) was a physicist.")
    texts = ("Marie Curie was born in 1865.", tmp_path / "page.txt")
    done = subprocess.run(
        [sys.executable, "-c", RUN, *texts, "tests/conformance", f"{PLACE}/test_selfcheck.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert '"method": "selfcheck"' in done.stdout
    assert '"label": "refuted"' in done.stdout
    assert not done.returncode, done.stdout


def test_a_package_that_does_not_load_is_named():
    with pytest.raises(SettingError, match="'broken' at errata_nowhere:method does not load"):
        _load("broken", "errata_nowhere:method")

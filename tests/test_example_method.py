"""A method in a package of its own is found by registry, command line and conformance tests."""

import os
import sys
import tomllib

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.core.errors import SettingError
from errata.methods import METHODS, _load, _places
from example import CLAIMS, REPLIES
from forks import Fork

PLACE = "examples/errata-example-method"
OUR_TESTS = ("-k", "selfcheck", "tests/conformance", f"{PLACE}/test_selfcheck.py")


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
    return [str(tmp_path), str(root / PLACE)]


def test_the_command_line_runs_it_and_it_passes_our_tests(path, root, tmp_path, capfd):
    (tmp_path / "page.txt").write_text("Marie Curie (born 7 November 1867) was a physicist.")

    def work():
        """As in a process of its own that finds the package, without loading all else anew."""
        sys.path[:0] = path
        _places.cache_clear()
        REPLIES.update(METHODS["selfcheck"].replies)
        os.chdir(root)
        page = str(tmp_path / "page.txt")
        words = ["check", "--method", "selfcheck", "-d", "-", "--documents", page, "--json"]
        sys.stdout.write(CliRunner().invoke(app, words, input=CLAIMS[0]).stdout)
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *OUR_TESTS]))

    code = Fork(work).wait()
    told = capfd.readouterr().out
    assert '"method": "selfcheck"' in told
    assert '"label": "refuted"' in told
    assert (code, " passed" in told) == (0, True), told


def test_a_package_that_does_not_load_is_named():
    with pytest.raises(SettingError, match="'broken' at errata_nowhere:method does not load"):
        _load("broken", "errata_nowhere:method")

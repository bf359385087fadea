"""The pytest plugin, in runs of pytest of its own."""

import sys

import pytest

from errata import check
from example import PAGE

pytest_plugins = ["pytester"]
SUITE = f"""
from pathlib import Path

PAGE = {PAGE!r}

def test_supported(assert_supported):
    assert_supported("Marie Curie was a physicist.", by=PAGE)

def test_refuted(assert_corrected):
    assert_corrected("Marie Curie was born in 1865. She kept bees.", by=[Path("page.txt")])

def test_corrected(assert_corrected):
    assert_corrected("Marie Curie was born in 1867. She kept bees.", [Path("page.txt")])

def test_not_mentioned(assert_supported):
    assert_supported("Marie Curie was a physicist. She kept bees.", PAGE)

def test_nothing_checked(assert_corrected):
    assert_corrected("Paris est la capitale de la France.", by=PAGE)

def test_with_a_corpus(assert_supported):
    assert_supported("Marie Curie was a physicist.", corpus="texts")
"""
IMPORT = """
import sys, pytest
before = set(sys.modules)
import errata.testing
print(*{name.partition(".")[0] for name in sys.modules.keys() - before})
"""


@pytest.fixture(scope="module", autouse=True)
def _judges():
    """Load them first: a test forgets what it imports, which numpy cannot be a second time."""
    check("", "Bees fly.", documents=["Bees fly."])


@pytest.fixture
def suite(pytester):
    """Runs the suite above by a pytest of its own, in this process, which has loaded the judges."""
    pytester.makepyfile(SUITE)
    (pytester.path / "page.txt").write_text(PAGE)
    (pytester.path / "texts").mkdir()
    (pytester.path / "texts" / "page.txt").write_text(PAGE)

    def run(*options):
        own = ("--disable-plugin-autoload", "-p", "errata.testing", "-W", "error")
        return pytester.runpytest_inprocess(*own, *options)

    run.folder = pytester.path
    return run


@pytest.mark.slow
def test_failures_show_what_would_change_and_by_which_evidence(suite):
    result = suite()
    result.assert_outcomes(passed=3, failed=3)
    shown = result.stdout.str()
    assert "AssertionError: 2 claims: 1 refuted, 1 not mentioned" in shown
    assert "born in [-1865-]{+1867+}. She kept bees." in shown
    assert "refuted: Marie Curie was born in 1865." in shown
    assert f"“{PAGE}”" in shown
    assert "not mentioned: Marie Curie kept bees." in shown
    assert "nothing could be checked: 1 claim unchecked" in shown
    assert "testing.py" not in shown


@pytest.mark.slow
def test_the_example_of_the_page_passes(suite, root):
    page = (root / "docs" / "ci.md").read_text("utf-8")
    (suite.folder / "test_page.py").write_text(page.partition("```python\n")[2].partition("```")[0])
    (suite.folder / "texts").rename(suite.folder / "facts")
    suite("test_page.py").assert_outcomes(passed=1)


def test_importing_the_plugin_imports_nothing_heavy(run_python):
    assert set(run_python(IMPORT).split()) - sys.stdlib_module_names == {"errata"}

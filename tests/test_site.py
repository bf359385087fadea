"""The site: every page is in its navigation, and it builds without a warning."""

import re
import runpy
import subprocess
import sys
from fnmatch import fnmatch

import pytest

LOADED = re.compile(r'<(?:script|link|img|object|iframe)[^>]+(?:src|href|data)="(https?:[^"]*)"')


def test_every_page_is_in_the_navigation_once(root):
    navigation = runpy.run_path(str(root / "docs" / "site" / "conf.py"))["NAVIGATION"]
    entries = [re.sub(r".*<(.+)>", r"\1", page) for pages in navigation.values() for page in pages]
    found = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    pages = {path.relative_to(root).with_suffix("").as_posix() for path in found} - {"README"}
    pages |= {"recordings/README", "tests/README"}
    listed = [page for entry in entries for page in pages if fnmatch(page, entry)]
    assert sorted(listed) == sorted(pages)


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(root, tmp_path):
    pytest.importorskip("sphinx", reason="pip install 'errata[docs]' brings what builds the site")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs/site"]
    command += ["-d", tmp_path / "doctrees", ".", site]
    built = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    pages = {
        path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")
    }
    assert {name: LOADED.findall(text) for name, text in pages.items() if LOADED.search(text)} == {}
    assert "mermaid-" in pages["docs/architecture.html"]
    assert "<svg" in next(site.glob("_images/mermaid-*.svg")).read_text("utf-8")
    assert 'id="errata.Correction.response"' in pages["docs/site/reference.html"]
    assert 'href="docs/settings.html"' in pages["README.html"]

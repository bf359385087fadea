"""The documentation: its generated parts, what the pages must hold, and the site of them."""

import re
import runpy
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

import errata
from errata import correct
from errata.cli import codes
from errata.methods import METHODS
from errata.nodes.deployment import Deployment

ROOT = Path(__file__).parent.parent
PLACES = ("*.md", "docs/**/*.md", "*/README.md", "packages/*/README.md")
FOUND = [path for place in PLACES for path in ROOT.glob(place)]
PAGES = [path for path in FOUND if path.parent.name != "demo"]
GENERATOR = runpy.run_path(str(ROOT / "docs" / "generate.py"))
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PAGE = "# Settings\n\n<!-- settings server -->\n{}\n<!-- /settings -->\n"


def test_check_names_what_is_out_of_date_and_draws_it_anew(tmp_path, capsys):
    old, current = tmp_path / "old.md", tmp_path / "current.md"
    old.write_text(PAGE.format("| setting |"))
    current.write_text(PAGE.format(GENERATOR["tabulate_settings"]("server")))
    assert GENERATOR["main"]("--check", str(old), str(current)) == 1
    assert capsys.readouterr().err == f"{old} is out of date: run `make draw`\n"
    assert old.read_text() == PAGE.format("| setting |")
    assert GENERATOR["main"](str(old)) == 0
    assert old.read_text() == current.read_text()
    assert '| `ERRATA_AUTH` | `"on"` |' in old.read_text()


def test_every_setting_stands_in_one_row_of_the_page_of_settings():
    page = (ROOT / "docs" / "settings.md").read_text()
    row = r"^\| `(\w+)`[^|]*\| ([^|]+) \| (?:free|capped|operator) "
    rows = re.findall(row, page, re.MULTILINE)
    kinds = {"all": GENERATOR["OWN"], "correcting": GENERATOR["CORRECTING"]}
    kinds["answering"] = GENERATOR["ANSWERING"]
    stated = [(m, name) for name, group in rows for m in kinds.get(group, group.split(", "))]
    known = {name: GENERATOR["list_settings"](METHODS[name].context) for name in GENERATOR["OWN"]}
    assert sorted(stated) == sorted((name, each.name) for name in known for each in known[name])
    operators = page[page.index("<!-- settings operator") :]
    rows = re.findall(r"^\| `(\w+)`", operators, re.MULTILINE)
    assert rows[: len(Deployment.model_fields)] == [*Deployment.model_fields]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page):
    for target, anchor in LINK.findall(page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            titles = [re.sub(r"[^\w -]", "", each) for each in HEADING.findall(linked.read_text())]
            assert anchor in {title.lower().replace(" ", "-") for title in titles}, anchor


def test_the_documents_and_make_run_the_same_demo():
    makefile = (ROOT / "Makefile").read_text()
    for word in " --".join(GENERATOR["COMMANDS"].values()).split("--"):
        assert word.strip().removeprefix("correct ") in makefile


def test_the_recorded_run_of_the_demo_replays(root):
    draft = (root / "demo" / "drafts" / "marie-curie.txt").read_text("utf-8").strip()
    own = {"model": "openai:reader", "replay": str(root / "recordings" / "demo.jsonl.gz")}
    result = correct("Who was Marie Curie?", draft, corpus=str(root / "demo" / "corpus"), **own)
    assert [edit.after for edit in result.edits] == ["1867", "1895"]


def test_the_page_on_commands_lists_every_exit_code():
    page = (ROOT / "docs" / "commands.md").read_text()
    listed = {int(code) for code in re.findall(r"^\| (\d) \|", page, re.MULTILINE)}
    assert listed == {0, codes.STRICT, codes.BAD_INPUT, codes.OUTSIDE, codes.UNSUPPORTED}


def test_the_map_of_the_tests_names_files_that_are_there(root):
    rows = (root / "tests" / "README.md").read_text("utf-8").splitlines()
    cells = [row.split("|")[2] for row in rows if row.startswith("| ") and "`" in row]
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert names
    assert [name for name in names if not (root / "tests" / name).exists()] == []


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
    found = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    pages = {name: path.read_text("utf-8") for name, path in found.items()}
    assert {name: LOADED.findall(text) for name, text in pages.items() if LOADED.search(text)} == {}
    assert "mermaid-" in pages["docs/architecture.html"]
    assert "<svg" in next(site.glob("_images/mermaid-*.svg")).read_text("utf-8")
    assert 'id="errata.Correction.response"' in pages["docs/site/reference.html"]
    assert 'href="docs/settings.html"' in pages["README.html"]


def test_the_changelog_and_the_package_have_the_version(root):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    headings = re.findall(r"^## ([\w.]+)", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert version in headings
    assert errata.__version__ == version

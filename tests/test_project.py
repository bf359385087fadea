"""The project's own files agree with each other."""

import re
import tomllib


def test_the_changelog_has_the_version(root):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(
        rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text(), re.MULTILINE
    )


def test_constraints_are_names_and_versions(root):
    for line in (root / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.+]*", line), line

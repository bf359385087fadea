"""Whence the leaderboard's page may be written."""

import subprocess

import pytest

from errata.evals.benches.leaderboard import check_commit


def git(*arguments):
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *author, *arguments], check=True, capture_output=True)


def test_a_page_that_git_keeps_is_written_from_a_commit_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page, draft, code = (tmp_path / name for name in ("page.md", "draft.md", "code.py"))
    page.write_text("old")
    code.write_text("1")
    git("init")
    git("add", "page.md", "code.py")
    git("commit", "--message", "Begin")
    check_commit(page)
    code.write_text("2")
    check_commit(draft)
    with pytest.raises(SystemExit, match=r"page.md is written from a commit alone, and 1 files"):
        check_commit(page)

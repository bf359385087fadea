"""Every bench can be named, and says what it takes; a page is written from a commit."""

import subprocess
import sys

import pytest

from errata.evals.benches import BENCHES
from errata.evals.benches.__main__ import main
from errata.evals.benches.leaderboard import check_commit


@pytest.mark.parametrize("name", [name for name in BENCHES if name != "crashes"])
def test_a_bench_says_what_it_takes(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main(name, "--help")
    assert ended.value.code == 0
    assert "--data" in capsys.readouterr().out


def test_an_unknown_bench_gets_the_list():
    command = [sys.executable, "-m", "errata.evals.benches", "cost"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no bench 'cost'; name one of" in done.stderr
    assert all(name in done.stderr for name in BENCHES)


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

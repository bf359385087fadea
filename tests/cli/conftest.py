import pytest
from typer.testing import CliRunner

from errata.cli import app
from example import DRAFT, PAGE


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a command in a folder that holds the draft and the page."""
    (tmp_path / "draft.txt").write_text(DRAFT + "\n")
    (tmp_path / "page.txt").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def errata(*arguments, stdin="", **environment):
        result = CliRunner().invoke(app, arguments, input=stdin, env=environment)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return errata

import os
import pty

import pytest
from typer.testing import CliRunner

from errata.cli import app
from example import DRAFT, PAGE
from forks import Fork, command


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


@pytest.fixture
def on_terminal():
    """Runs a command with one stream on a terminal: what the other got, and what was shown."""

    def errata(stream, *arguments, **environment):
        (reader, writer), (end, other) = pty.openpty(), os.pipe()
        streams = {"stdout": other, "stderr": other, stream: writer}
        # A developer's own Ollama is not asked.
        environment = {"ERRATA_MODEL": "local"} | environment
        process = Fork(command(*arguments, environment=environment, **streams))
        os.close(writer)
        os.close(other)
        shown = b"".join(iter(lambda: read_terminal(reader), b""))
        with os.fdopen(end, "rb") as output:
            told = output.read()
        assert process.wait() == 0
        return told, shown

    return errata


def read_terminal(reader):
    try:
        return os.read(reader, 65536)
    except OSError:
        os.close(reader)
        return b""

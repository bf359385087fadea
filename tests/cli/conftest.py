import os
import pty
import subprocess
import sys

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


@pytest.fixture
def on_terminal():
    """Runs a command with one stream on a terminal: what the other got, and what was shown."""

    def errata(stream, *arguments, **environment):
        reader, writer = pty.openpty()
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
        process = subprocess.Popen(
            [sys.executable, "-c", "from errata.cli import main; main()", *arguments],
            env={**os.environ, **environment},
            **streams,
        )
        os.close(writer)
        shown = b"".join(iter(lambda: read_terminal(reader), b""))
        output, _ = process.communicate()
        assert process.returncode == 0
        return output, shown

    return errata


def read_terminal(reader):
    try:
        return os.read(reader, 65536)
    except OSError:
        os.close(reader)
        return b""

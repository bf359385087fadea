import os
import pty
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout

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
def on_terminal(monkeypatch, capsys):
    """Runs a command with one stream on a terminal: what the other got, and what was shown."""
    redirect = {"stdout": redirect_stdout, "stderr": redirect_stderr}

    def errata(stream, *arguments, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        reader, writer = pty.openpty()
        with ThreadPoolExecutor(1) as pool:
            shown = pool.submit(lambda: b"".join(iter(lambda: read_terminal(reader), b"")))
            with os.fdopen(writer, "w") as terminal, redirect[stream](terminal):
                app(arguments, standalone_mode=False)
            return "".join(capsys.readouterr()), shown.result()

    return errata


def read_terminal(reader):
    try:
        return os.read(reader, 65536)
    except OSError:
        os.close(reader)
        return b""

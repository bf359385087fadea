import os
import pty
import sys
import warnings

import pytest
from typer.testing import CliRunner

from errata.cli import app, main
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
        (reader, writer), (end, other) = pty.openpty(), os.pipe()
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            child = os.fork()  # it has what a process of its own would take seconds to load
        if not child:
            streams = {"stdout": other, "stderr": other, stream: writer}
            os._exit(run_forked(streams, ["errata", *arguments], environment))
        os.close(writer)
        os.close(other)
        shown = b"".join(iter(lambda: read_terminal(reader), b""))
        with os.fdopen(end, "rb") as output:
            told = output.read()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        return told, shown

    return errata


def run_forked(streams, arguments, environment):
    """Run a command on these streams, in a process that ends afterwards; its exit code."""
    for number, name in enumerate(("stdout", "stderr"), start=1):
        os.dup2(streams[name], number)
        setattr(sys, name, os.fdopen(number, "w"))
    for inherited in set(streams.values()):
        os.close(inherited)
    os.environ.update(environment)
    sys.argv = arguments
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def read_terminal(reader):
    try:
        return os.read(reader, 65536)
    except OSError:
        os.close(reader)
        return b""

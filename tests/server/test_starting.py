"""How a server starts: `make serve` in a terminal, and `langgraph dev` with a public address."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from langgraph_server import OPTIONS, ROOT

pytestmark = pytest.mark.slow
CLI = Path(sys.executable).with_name("langgraph")


def test_make_serve_starts_a_server_as_that_of_these_tests_with_the_demo_as_its_corpus():
    if not shutil.which("make"):
        pytest.skip("needs make, which is not here")
    options = ("-o", ".venv/dev", f"BIN={CLI.parent}", "--dry-run", "--no-print-directory")
    printed = subprocess.check_output(("make", *options, "serve", "PORT=2025"), cwd=ROOT, text=True)
    words = printed.replace("\\\n", " ").split()
    assert {"ERRATA_AUTH=off", 'ERRATA_CORPUS="demo/corpus"'} <= {*words}
    assert words[-7:] == [str(CLI), "dev", *OPTIONS, "--port", "2025"]


def test_a_public_server_without_keys_does_not_start(tmp_path):
    """`.env` comes before the shell, so the variables of the start do not help."""
    shutil.copy(ROOT / "langgraph.json", tmp_path)
    (tmp_path / ".env").write_text("ERRATA_AUTH=off\n")
    command = (CLI, "dev", "--no-browser", "--no-reload", "--host", "0.0.0.0", "--port", "0")
    env = os.environ | {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "ERRATA_AUTH": "on"}
    options = {"cwd": tmp_path, "env": env, "timeout": 60, "text": True}
    ended = subprocess.run(
        command, **options, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert ended.returncode
    told = "ERRATA_AUTH=off lets everybody in, and this server is bound to 0.0.0.0"
    assert told in ended.stdout

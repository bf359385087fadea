"""The examples run as they are, offline."""

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "line"),
    [
        ("rag_chain", "response: Marie Curie was born in Warsaw in 1867."),
        ("agent", "answer: The Eiffel Tower was opened in 1889."),
        ("subgraph", "published: Marie Curie was born in 1867. (1 correction)"),
    ],
)
def test_an_example_runs(root, example, line):
    command = [sys.executable, "-W", "error", f"examples/{example}.py"]
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert not process.returncode, process.stderr
    assert line in process.stdout

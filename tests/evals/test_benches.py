"""Every bench can be named, and says what it takes."""

import subprocess
import sys

import pytest

from errata.evals.benches import BENCHES
from errata.evals.benches.__main__ import main


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

"""What a batch's processes hold before their first row."""

import platform

import pytest

OPENED = """
import sys
from errata.batch.work import Work
Work("rac").open_session()
print([name for name in ("numpy", "scipy", "onnxruntime") if name in sys.modules])
"""


def test_the_process_that_hands_rows_out_loads_nothing_of_the_judges(run_python):
    assert run_python(OPENED) == "[]\n"


FREED = """
import ctypes
import errata.preloaded
from pathlib import Path

def held():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:"))

before = held()
ctypes.CDLL(None).malloc_trim(0)
print(before - held() < 4_000)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone is asked")
def test_what_loading_frees_is_given_back_before_workers_are_forked(run_python):
    assert run_python(FREED) == "True\n"


THREADS = "import errata.preloaded, threading; print(threading.active_count())"


def test_workers_are_forked_from_a_process_without_threads_of_python(run_python):
    assert run_python(THREADS) == "1\n"

"""What a fork finds of the locks that threads of its parent held."""

import os

import pytest

FORKED = """
import os, sys, time
from importlib import import_module
from threading import Event, Thread

module, name = sys.argv[1].split(":")
lock, held = getattr(import_module(module), name), Event()

def hold():
    with lock:
        held.set()
        time.sleep(0.3)

Thread(target=hold).start()
held.wait()
child = os.fork()
if not child:
    os._exit(not lock.acquire(timeout=5))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")
@pytest.mark.parametrize(
    "lock",
    [
        "errata.core.budgets:_LOCK",
        "errata.durable.runs:_LOCK",
        "errata.tools.models.call_cache:_LOCK",
        "errata.tools.models.fake:_LOCK",
        "errata.tools.models.folder_calls:_WRITING",
        "errata.tools.models.request:_LOCK",
    ],
)
def test_a_fork_takes_what_a_thread_of_its_parent_held(run_python, lock):
    assert run_python(FORKED, lock) == "0\n"

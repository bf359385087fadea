"""What is made once, however many threads ask for it, and what a fork finds of its locks."""

import os

import pytest

from errata.core.once import MadeOnce


def test_what_could_not_be_made_is_made_the_next_time():
    faults = [OSError("gone")]

    @MadeOnce
    def make(name):
        if faults:
            raise faults.pop()
        return name

    with pytest.raises(OSError, match="gone"):
        make("a")
    assert (make("a"), make("b")) == ("a", "b")


FORKED = """
import os, signal
from threading import Event, Thread
from errata.core.once import MadeOnce

begun, ready = Event(), Event()

@MadeOnce
def make():
    begun.set()
    ready.wait()
    return "made"

Thread(target=make, daemon=True).start()
begun.wait()
child = os.fork()
if not child:
    signal.alarm(20)
    ready.set()
    print(make(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_fork_does_not_wait_for_its_parents_thread(run_python):
    assert run_python(FORKED) == "made\n"


LOCKED_AND_FORKED = """
import os, sys, time
from contextlib import ExitStack
from importlib import import_module
from threading import Event, Thread

places = [name.split(":") for name in sys.argv[1:]]
locks = [getattr(import_module(module), name) for module, name in places]
held = Event()

def hold():
    with ExitStack() as stack:
        for lock in locks:
            stack.enter_context(lock)
        held.set()
        time.sleep(0.3)

Thread(target=hold).start()
held.wait()
child = os.fork()
if not child:
    print(*(lock.acquire(timeout=5) for lock in locks), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")
def test_a_fork_takes_what_a_thread_of_its_parent_held(run_python):
    locks = [
        "errata.core.budgets:_LOCK",
        "errata.tools.models.scripted:_LOCK",
        "errata.tools.models.replies:_LOCK",
        "errata.tools.models.request:_LOCK",
    ]
    assert run_python(LOCKED_AND_FORKED, *locks).split() == ["True"] * len(locks)

"""What is made once, however many threads ask for it, and what a fork finds of its locks."""

import signal
import time
from contextlib import ExitStack
from threading import Event, Thread

import pytest

from errata.core import budgets
from errata.core.once import MadeOnce
from errata.tools.models import replies, request, scripted
from forks import Fork


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


def test_a_fork_does_not_wait_for_its_parents_thread():
    begun, ready = Event(), Event()

    @MadeOnce
    def make():
        begun.set()
        ready.wait()
        return "made"

    def work():
        signal.alarm(20)
        ready.set()
        assert make() == "made"

    thread = Thread(target=make, daemon=True)
    thread.start()
    begun.wait()
    assert Fork(work).wait() == 0
    ready.set()
    thread.join()


def test_a_fork_takes_what_a_thread_of_its_parent_held():
    locks = [module._LOCK for module in (budgets, scripted, replies, request)]
    held = Event()

    def hold():
        with ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            held.set()
            time.sleep(0.1)

    def work():
        assert all(lock.acquire(timeout=5) for lock in locks)

    thread = Thread(target=hold, daemon=True)
    thread.start()
    held.wait()
    assert Fork(work).wait() == 0
    thread.join()

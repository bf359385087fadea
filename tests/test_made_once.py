"""What is made once, however many threads ask for it."""

import signal
from threading import Event, Thread

import pytest

from errata.core.once import MadeOnce
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

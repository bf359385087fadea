"""What was found in short texts is remembered, and what is large is made once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.text.remembered import LONGEST, MadeOnce, remember_short


def counting():
    """A function that finds a text's letters, and the texts that it has looked into."""
    asked = []

    @remember_short(2)
    def letters(text):
        asked.append(text)
        return iter(text)

    return letters, asked


def test_a_short_text_is_looked_into_once_and_each_caller_has_a_list_of_its_own():
    letters, asked = counting()
    letters("ab").append("c")
    assert letters("ab") == ["a", "b"]
    assert asked == ["ab"]


def test_the_texts_asked_for_last_are_remembered():
    letters, asked = counting()
    for text in ("a", "b", "c", "c", "b", "a"):
        assert letters(text) == [text]
    assert asked == ["a", "b", "c", "a"]


def test_a_long_text_is_looked_into_every_time():
    letters, asked = counting()
    text = "a" * (LONGEST + 1)
    assert letters(text) == letters(text) == list(text)
    assert len(asked) == 2


def test_threads_that_ask_at_once_get_the_one_thing_that_is_made():
    load_cross_encoder.cache_clear()
    asking = Barrier(4)

    def ask(_):
        asking.wait()
        return load_cross_encoder("")

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(ask, range(4)))) == 1


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
from errata.tools.text.remembered import MadeOnce

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

"""Locks that are free in a fork, which has not the threads that held them."""

import os
from threading import Lock


def free_in_forks() -> Lock:
    """A lock for work of a moment: whoever forks the process waits until nobody holds it."""
    lock = Lock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock

"""Processes that are forked from the tests': they have what others take seconds to load."""

import os
import signal
import sys
import traceback
import warnings
from threading import RLock

from tqdm import tqdm

from errata.cli import main


class Fork:
    """Some work in a process of its own, which ends with it; `subprocess.Popen` has such methods.

    No database that the work opens may be open here.
    """

    def __init__(self, work):
        self.returncode = None
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            self.pid = os.fork()
        if not self.pid:
            os._exit(exit_code(work))

    def poll(self, how=os.WNOHANG):
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, how)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self):
        return self.poll(0)

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)


def exit_code(work):
    """The code with which a process ends after the work."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Processes share tqdm's lock, which bm25s takes: one that is killed would keep it.
    tqdm.set_lock(RLock())
    try:
        work()
    except SystemExit as ended:
        return ended.code or 0
    except BaseException:  # noqa: BLE001  the process ends here
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def command(*words, environment=(), **streams):
    """The work of a command of ours, with `stdout` and `stderr` on open files, by their numbers."""

    def work():
        for number, name in enumerate(("stdout", "stderr"), start=1):
            os.dup2(streams[name] if name in streams else os.open(os.devnull, os.O_WRONLY), number)
            setattr(sys, name, os.fdopen(number, "w", buffering=1))
        for number in set(streams.values()):
            os.close(number)
        os.environ.update(environment)
        sys.argv = ["errata", *words]
        main()

    return work

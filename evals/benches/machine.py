"""Memory of processes, and commands that are killed on the way; Linux only."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_POLL = 0.25
_KILOBYTE, _MEGABYTE = 1e-3, 1e6
_COMMAND = (sys.executable, "-c", "from errata.cli import main; main()")


@dataclass(frozen=True)
class Process:
    """How long a command ran, over all its starts, and the most memory that it took."""

    seconds: float = 0.0
    megabytes: float = 0.0
    """The proportional set size of all its processes: shared pages count once."""

    def __add__(self, other: "Process") -> "Process":
        """Both, one after the other."""
        most = max(self.megabytes, other.megabytes)
        return Process(self.seconds + other.seconds, most)


def run_and_kill(arguments: Sequence[str], pauses: Sequence[float]) -> Process:
    """Run an `errata` command to its end, killed with all its children after each pause first."""
    total = Process()
    for pause in (*pauses, None):
        total += _run(arguments, pause)
    return total


def _run(arguments: Sequence[str], pause: float | None) -> Process:
    """Run a command until it ends or, if there is a pause, at most so many seconds."""
    began, most = time.perf_counter(), 0.0
    process = subprocess.Popen(  # noqa: S603  our own command
        [*_COMMAND, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while process.poll() is None:
        spent = time.perf_counter() - began
        if pause is not None and spent >= pause:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            break
        most = max(most, _megabytes(process.pid))
        time.sleep(_POLL if pause is None else min(_POLL, max(pause - spent, 0)))
    return Process(time.perf_counter() - began, most)


def _megabytes(session: int) -> float:
    return sum(map(shared_megabytes, _members(session)))


def _members(session: int) -> Iterator[int]:
    """The processes of a session."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getsid(int(entry.name)) == session:
                    yield int(entry.name)
            except ProcessLookupError:
                continue


def megabytes(process: int | str = "self") -> float:
    """The memory that a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def shared_megabytes(process: int) -> float:
    """The memory of a process, of pages that it shares only its part; 0 of one that has ended."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    lines = text.splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * _KILOBYTE

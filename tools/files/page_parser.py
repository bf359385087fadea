"""Pages parsed in processes of their own, with limits on time and memory.

At most two processes: one for small pages, and one for large pages, PDF files and other documents,
so that these never hold up small ones. Each starts on its first page (0.4 s) and ends with this
process. They are plain subprocesses: those of `multiprocessing` would run the caller's main module
again.
"""

import asyncio
import atexit
import json
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock
from typing import Any, NamedTuple

from errata.core.errors import PageError
from errata.core.once import MadeOnce
from errata.tools.files.main_text import MAX_PDF_PAGES, check_parser

PAGES = ("text/html", "application/xhtml+xml", "text/plain")
"""Media types of pages that are parsed in a moment, if they are small."""
SMALL = 200_000
"""Largest small page, in bytes."""
INHERITED = ("LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMPDIR")
"""Environment variables that a parsing process gets: no keys."""


@dataclass(frozen=True)
class ParseLimits:
    """Limits on parsing one page."""

    seconds: float
    """Time, without the wait for another page."""
    memory: int = 115_000_000
    """Address space in bytes, beside that of the libraries."""
    text_size: int = 5_000_000
    """Largest text in bytes."""
    pages: int = MAX_PDF_PAGES
    """The most pages of a PDF; further ones are not read."""


@dataclass(frozen=True, eq=False)
class Page:
    """One page to parse."""

    kind: str
    """Its media type."""
    content: bytes
    url: str

    @property
    def is_small(self) -> bool:
        """Whether it is parsed in a moment."""
        return self.kind in PAGES and len(self.content) <= SMALL


class Parsed(NamedTuple):
    """What was read of a page."""

    text: str
    """Its main text."""
    dated: str
    """The day that its metadata says, as 2024-03-01; else empty."""


def parse_page(page: Page, limits: ParseLimits) -> Parsed:
    """The main text of a page, and its date.

    Raises PageError if it cannot be read, or not within the limits.
    """
    with _parsing(page, limits) as future:
        return future.result()


async def aparse_page(page: Page, limits: ParseLimits) -> Parsed:
    """The main text of a page, and its date; a cancelled call ends its parsing.

    Raises PageError if it cannot be read, or not within the limits.
    """
    with _parsing(page, limits) as future:
        return await asyncio.wrap_future(future)


@contextmanager
def _parsing(page: Page, limits: ParseLimits) -> "Iterator[Future[Parsed]]":
    """The text of a page to come, which is given up if the caller is."""
    check_parser(page.kind, page.url)
    lane = _lane(page.is_small, os.getpid())
    future = lane.submit(page, limits)
    try:
        yield future
    except BaseException:
        if not future.cancel():
            lane.abandon(page)
        raise


class _Lane:
    """A process that parses one page at a time, and the thread that waits for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="errata-parser")
        self._process: Popen[bytes] | None = None
        self._page: Page | None = None
        self._lock, self._owner = Lock(), os.getpid()
        atexit.register(self.close)

    def submit(self, page: Page, limits: ParseLimits) -> Future[Parsed]:
        """Parse a page after those before it."""
        return self._thread.submit(self._run, page, limits)

    def abandon(self, page: Page) -> None:
        """Kill the process if it parses this page."""
        with self._lock:
            if self._page is page and self._process:
                self._process.kill()
                self._process.wait()  # no further page may go to it

    def close(self) -> None:
        """Kill the process, unless this is a fork of its owner; a later page starts another."""
        if self._owner != os.getpid():
            return
        with self._lock:
            if self._process:
                self._process.kill()
                self._process.wait()
                _close_pipes(self._process)
                self._process = None

    def _run(self, page: Page, limits: ParseLimits) -> Parsed:
        if self._process and self._process.poll() is not None:
            self.close()
        try:
            with self._lock:
                self._process = self._process or _start()
                self._page = page
            return _exchange(self._process, page, limits)
        except (OSError, EOFError) as error:
            fault = "was not parsed: no process could be started"
            if self._process:
                code = self._process.wait()
                fault = f"was not parsed: the process ended with {code}"
                if code == -getattr(signal, "SIGALRM", 0):
                    fault = f"took longer than {limits.seconds:g} s to parse"
            raise PageError(f"{page.url!r} {fault}") from error
        finally:
            with self._lock:
                self._page = None


def _start() -> Popen[bytes]:
    variables = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return Popen(
        [sys.executable, "-P", "-m", "errata.tools.files.parser_process"],
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env={**variables, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _exchange(process: Popen[bytes], page: Page, limits: ParseLimits) -> Parsed:
    """The reply to one request.

    Raises PageError if the page cannot be read, OSError or EOFError if the process has ended.
    """
    requests: Any = process.stdin
    replies: Any = process.stdout
    header = {"kind": page.kind, "url": page.url, "size": len(page.content), **asdict(limits)}
    requests.write(json.dumps(header).encode() + b"\n")
    requests.write(page.content)
    requests.flush()
    line = replies.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    reply = json.loads(line)
    if reply["last"]:
        process.wait()
    if reply["error"]:
        raise PageError(reply["error"])
    return Parsed(str(reply["text"]), str(reply["dated"]))


def _close_pipes(process: Popen[bytes]) -> None:
    """Close the pipes without writing what is still in a buffer."""
    pipes: Any = (process.stdin, process.stdout)
    for pipe in pipes:
        pipe.raw.close()


@MadeOnce
def _lane(small: bool, owner: int) -> _Lane:  # noqa: ARG001  a fork has its own
    """The lane of small pages, or of others, in a process."""
    return _Lane()

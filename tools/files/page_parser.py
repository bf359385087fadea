"""Pages parsed in processes of their own, with limits on time and memory.

At most two processes: one for small pages, and one for large pages, PDF files and other documents,
so that these never hold up small ones. Each starts on its first page (0.4 s), and ends once this
process closes its input. They are plain subprocesses: those of `multiprocessing` would run the
caller's main module again.
"""

import asyncio
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
from errata.core.once import made_once
from errata.tools.files.main_text import MAX_PDF_PAGES, check_parser

PAGES = ("text/html", "application/xhtml+xml", "text/plain")
"""Media types of pages that are parsed in a moment, if they are small."""
SMALL = 200_000
"""Largest small page, in bytes."""
INHERITED = ("LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMPDIR")
"""Environment variables that a parsing process gets: no keys."""


@dataclass(frozen=True)
class PageLimits:
    """Limits on reading one page."""

    seconds: float = 10.0
    """Time for fetching it, redirects included, and for parsing it, without waiting for others."""
    size: int = 5_000_000
    """Bytes of a fetched body, and of the text in it."""
    memory: int = 115_000_000
    """Address space in bytes to parse it, beside that of the libraries."""
    pages: int = MAX_PDF_PAGES
    """The most pages of a PDF; further ones are not read."""


class RawPage(NamedTuple):
    """One page to parse, with its media type."""

    kind: str
    content: bytes
    url: str


class Parsed(NamedTuple):
    """The main text of a page, and the day that its metadata says, as 2024-03-01, or none."""

    text: str
    dated: str


def parse_page(page: RawPage, limits: PageLimits) -> Parsed:
    """What was read of a page; raises PageError if it is not within the limits."""
    with _parsing(page, limits) as future:
        return future.result()


async def aparse_page(page: RawPage, limits: PageLimits) -> Parsed:
    """What was read of a page, as `parse_page` says; a cancelled call ends its parsing."""
    with _parsing(page, limits) as future:
        return await asyncio.wrap_future(future)


@contextmanager
def _parsing(page: RawPage, limits: PageLimits) -> "Iterator[Future[Parsed]]":
    """The text of a page to come, which is given up if the caller is."""
    check_parser(page.kind, page.url)
    lane = _lane(page.kind in PAGES and len(page.content) <= SMALL, os.getpid())
    future = lane.thread.submit(lane.parse, page, limits)
    try:
        yield future
    except BaseException:
        if not future.cancel():
            lane.abandon(page)
        raise


class _Lane:
    """A process that parses one page at a time, and the thread that waits for it."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="errata-parser")
        self._process: Popen[bytes] | None = None
        self._page: RawPage | None = None
        self._lock = Lock()

    def abandon(self, page: RawPage) -> None:
        """Kill the process if it parses this page."""
        with self._lock:
            if self._page is page and self._process:
                self._process.kill()
                self._process.wait()  # no further page may go to it

    def parse(self, page: RawPage, limits: PageLimits) -> Parsed:
        """What the process replies; another starts where it has ended, or ends by this page."""
        try:
            with self._lock:
                process = self._process = _running(self._process)
                self._page = page
        except OSError as error:
            raise PageError(f"{page.url!r} was not parsed: no process started") from error
        try:
            return _exchange(process, page, limits)
        except (OSError, EOFError) as error:
            code = process.wait()
            is_late = code == -getattr(signal, "SIGALRM", 0)
            fault = f"took longer than {limits.seconds:g} s to parse"
            fault = fault if is_late else f"was not parsed: the process ended with {code}"
            raise PageError(f"{page.url!r} {fault}") from error
        finally:
            with self._lock:
                self._page = None


def _running(process: Popen[bytes] | None) -> Popen[bytes]:
    """A process while it runs, or a new one."""
    if process and process.poll() is None:
        return process
    pipes: Any = (process.stdin, process.stdout) if process else ()
    for pipe in pipes:
        pipe.raw.close()  # without writing what is still in a buffer
    variables = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return Popen(
        [sys.executable, "-P", "-m", "errata.tools.files.parser_process"],
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env={**variables, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _exchange(process: Any, page: RawPage, limits: PageLimits) -> Parsed:
    """The reply to one request; raises OSError or EOFError if the process has ended."""
    header = {"kind": page.kind, "url": page.url, "length": len(page.content), **asdict(limits)}
    process.stdin.write(json.dumps(header).encode() + b"\n" + page.content)
    process.stdin.flush()
    line = process.stdout.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    reply = json.loads(line)
    if reply["last"]:
        process.wait()
    if reply["error"]:
        raise PageError(reply["error"])
    return Parsed(reply["text"], reply["dated"])


@made_once
def _lane(small: bool, owner: int) -> _Lane:  # noqa: ARG001  a fork has its own
    """The lane of small pages, or of others, in a process."""
    return _Lane()

"""The process that parses pages for `page_parser`: a request on stdin, a reply on stdout, in turn.

It ends with its stdin, by SIGALRM when a page takes too long, and after a page that took much
memory, because an allocator returns little of it. Windows has no such limits.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from errata.core.errors import PageError
from errata.tools.files.main_text import extract_main_text, find_page_date

RENEW_AT = 50_000_000
"""Growth in bytes after which a process parses no more pages."""


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Reply to every request until the input ends or the process has grown."""
    if sys.platform != "win32":
        os.nice(5)  # whoever waits for something else than a page comes first
    while header := requests.readline():
        request = json.loads(header)
        _limit(request["seconds"], request["memory"])
        reply = _parse(request, requests.read(request["length"]))
        _limit(0, request["memory"])
        last = _size() > _libraries_size() + RENEW_AT
        replies.write(json.dumps({"error": "", **reply, "last": last}).encode() + b"\n")
        replies.flush()
        if last:
            return


def _parse(request: dict[str, Any], content: bytes) -> dict[str, str]:
    """An error, or the text and the date of a page."""
    url, most, memory = request["url"], request["size"], request["memory"] // 10**6
    try:
        text = extract_main_text(request["kind"], content, url, request["pages"])
        if len(text.encode(errors="replace")) > most:
            return {"error": f"{url!r} has more than {most} bytes of text"}
        dated = find_page_date(content) if text and "html" in request["kind"] else ""
    except PageError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": f"{url!r} needs more than {memory} MB of memory to parse"}
    except Exception as error:  # noqa: BLE001 a parser fails on hostile input in any way
        return {"error": f"{url!r} cannot be read: {type(error).__name__}"}
    return {"text": text, "dated": dated}


def _limit(seconds: float, memory: int) -> None:
    """Limit the address space in bytes, and end the process after seconds; 0: never."""
    with suppress(ImportError):
        import resource

        with suppress(ValueError, OSError):  # macOS refuses
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (_libraries_size() + memory, hard))
        signal.setitimer(signal.ITIMER_REAL, seconds)


@cache
def _libraries_size() -> int:
    """The address space in bytes that the process takes before its first page."""
    for name in ("pdfminer.high_level", "trafilatura"):
        with suppress(ImportError):
            import_module(name)
    return _size()


def _size() -> int:
    """The address space in bytes; 0 where the system does not say it, as Linux does."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the caller's
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    serve(sys.stdin.buffer, output)

"""Pages are parsed in processes of their own, which hold their limits and end with their caller."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errata.core.errors import PageError
from errata.tools.files.page_parser import PageLimits, RawPage, aparse_page, parse_page
from forks import Fork
from heavy_pages import WORDS, large_page, pdf_bomb

SMALL = f"<html><body><article><p>{WORDS * 3}</p></article></body></html>".encode()
LIMITS = PageLimits(seconds=30)
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def bomb():
    return RawPage("application/pdf", pdf_bomb(), "http://bomb/")


@pytest.fixture
def small():
    return RawPage("text/html", SMALL, "http://small/")


def children_of(process_id):
    """The ids of a process's children."""
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def wait_until(condition, seconds):
    """Whether a condition comes true in time."""
    end = time.monotonic() + seconds
    while not (outcome := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return outcome


PARSE = """
import sys
from pathlib import Path
from errata.tools.files.page_parser import *
page = RawPage("application/pdf", Path(sys.argv[1]).read_bytes(), "http://bomb/")
parse_page(page, PageLimits(seconds=2, memory=2_000_000_000))
"""


def test_a_page_that_takes_too_long_is_an_error(bomb, small):
    with pytest.raises(PageError, match=r"'http://bomb/' took longer than 0.3 s to parse"):
        parse_page(bomb, PageLimits(seconds=0.3, memory=2_000_000_000))
    assert parse_page(small, LIMITS).text


@pytest.mark.slow
def test_a_page_that_needs_too_much_memory_is_an_error(bomb):
    with pytest.raises(PageError, match=r"needs more than 40 MB of memory to parse"):
        parse_page(bomb, PageLimits(seconds=30, memory=40_000_000))


def test_a_page_with_too_much_text_is_an_error(small):
    with pytest.raises(PageError, match="has more than 100 bytes of text"):
        parse_page(small, PageLimits(seconds=30, size=100))


@pytest.mark.anyio
async def test_a_cancelled_page_ends_its_process_at_once(bomb):
    start = time.monotonic()
    async with asyncio.timeout(20):
        calls = [asyncio.create_task(aparse_page(bomb, LIMITS)) for _ in range(3)]
        await asyncio.sleep(0.3)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        page = RawPage("text/html", large_page(250_000), "http://large/")
        assert "born in Warsaw" in (await aparse_page(page, LIMITS)).text
    assert time.monotonic() - start < 8


@linux
@pytest.mark.slow
def test_a_parser_ends_within_its_time_after_its_caller_was_killed(write):
    command = [sys.executable, "-c", PARSE, write("bomb.pdf", pdf_bomb())]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as caller:
        assert wait_until(lambda: children_of(caller.pid), 20)
        time.sleep(0.5)
        parsers = children_of(caller.pid)
        caller.kill()
    assert parsers
    assert wait_until(lambda: not any(is_running(each) for each in parsers), 10)


def is_running(process_id):
    status = Path(f"/proc/{process_id}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@linux
def test_a_parser_gets_no_keys(run_python, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    output = run_python(
        "from pathlib import Path\nfrom errata.tools.files.page_parser import *\n"
        f"parse_page(RawPage('text/html', {SMALL!r}, ''), PageLimits(30))\n"
        "lists = Path('/proc/self/task').glob('*/children')\n"
        "ids = [each for children in lists for each in children.read_text().split()]\n"
        "print(len(ids), [Path(f'/proc/{i}/environ').read_bytes() for i in ids])"
    )
    assert output.startswith("1 ")
    assert "sk-secret" not in output


def test_a_fork_parses_with_processes_of_its_own(small):
    def work():
        assert "Warsaw" in parse_page(small, LIMITS).text

    work()
    fork = Fork(work)
    work()
    assert fork.wait() == 0

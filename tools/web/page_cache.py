"""Where web pages are kept between runs, and for how long."""

import atexit
import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from errata.core.errors import SettingError

if TYPE_CHECKING:
    from errata.tools.web.kept_pages import KeptPages


@dataclass(frozen=True)
class PageCache:
    """A file of pages that processes may share; without a file there is no cache."""

    file: str = ""
    hours: float = 24.0
    """How long a page is fresh where its server says nothing of that."""

    def transport(self, largest: int) -> Any:
        """What sends requests to checked addresses, and keeps pages of at most so many bytes."""
        if not self.file:
            from errata.tools.web.checked import CheckedTransport

            return CheckedTransport()
        from errata.tools.web.transport import cached

        return cached(_pages(self.file, os.getpid()), self.hours, largest)


@cache
def _pages(file: str, _process: int) -> "KeptPages":
    """The process's one store of a name; a fork opens its own."""
    from errata.tools.web.kept_pages import KeptPages

    pages = KeptPages(file)
    atexit.register(pages.close)
    return pages


def check_page_cache(file: str) -> None:
    """Refuse what is no file.

    Raises SettingError.
    """
    if "://" in file:
        raise SettingError(f"page_cache takes a file, such as pages.sqlite; got {file!r}")

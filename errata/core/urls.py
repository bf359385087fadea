"""Addresses of pages, which others write and nobody has checked."""

from urllib.parse import SplitResult, urlsplit


def split_url(url: str) -> SplitResult:
    """The parts of an address; of a malformed one its text as the path, and no scheme and host.

    >>> split_url("http://[::1").scheme, split_url("http://[::1]/").hostname
    ('', '::1')
    """
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")

"""One TLS context for all connections, because creating one takes longer than most requests."""

from functools import cache
from ssl import SSLContext


@cache
def tls_context() -> SSLContext:
    """The TLS context of this process, with httpx's defaults."""
    from httpx2 import create_ssl_context

    return create_ssl_context()

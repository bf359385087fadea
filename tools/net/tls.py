"""One TLS context for all connections: making one takes longer than most requests."""

from functools import cache
from ssl import SSLContext


@cache
def tls_context() -> SSLContext:
    """Give the process's TLS context, made as httpx makes its own."""
    from httpx2 import create_ssl_context

    return create_ssl_context()

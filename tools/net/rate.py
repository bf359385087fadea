"""Rate limits for calls to a server."""

from functools import cache

from langchain_core.rate_limiters import InMemoryRateLimiter


async def wait_turn(endpoint: str, per_second: float) -> None:
    """Wait until the next call to an endpoint may start; a rate of 0 never waits.

    All calls of this process to the same endpoint at the same rate take turns.
    """
    if per_second:
        await _limiter(endpoint, per_second).aacquire()


@cache
def _limiter(_endpoint: str, per_second: float) -> InMemoryRateLimiter:
    return InMemoryRateLimiter(requests_per_second=per_second)

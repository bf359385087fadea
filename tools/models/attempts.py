"""One call to a model's server, made again after failures that pass."""

from collections.abc import Callable

from tenacity import AsyncRetrying, RetryCallState, wait_random_exponential

from errata.core.limits import current_bounds
from errata.tools.net.endpoints import Endpoint
from errata.tools.net.faults import is_silent, is_transient, waits
from errata.tools.net.limits import Limits

MAX_WAIT = 60.0
"""Seconds to wait at most, even if the server asks for longer."""
_wait_seconds = waits(wait_random_exponential(multiplier=0.5, max=8), MAX_WAIT)


def attempts(
    endpoint: Endpoint, limits: Limits, mend: Callable[[BaseException], bool]
) -> AsyncRetrying:
    """The tries of one call, to loop over: up to `limits.retries` more after the first.

    A server that lets a caller wait in vain is asked once more, or no more if it is down. No try
    begins after the run's time. A call that `mend` has changed after an error, as it says, is made
    again at once, and that is no repeat. Raises at the end what the last try raised.
    """
    mended = set[int]()

    def again(state: RetryCallState) -> bool:
        error = _error(state)
        if error and mend(error):
            mended.add(state.attempt_number)
        return state.attempt_number in mended or is_transient(error)

    def seconds(state: RetryCallState) -> float:
        return 0.0 if state.attempt_number in mended else _wait_seconds(state)

    def is_last(state: RetryCallState) -> bool:
        if state.attempt_number in mended:
            return False
        tries = state.attempt_number - len(mended)
        late = state.upcoming_sleep > current_bounds().seconds_left
        waited = tries > 1 or endpoint.seconds_refused(limits) > 0
        return tries > limits.retries or late or (is_silent(_error(state)) and waited)

    return AsyncRetrying(stop=is_last, wait=seconds, retry=again, reraise=True)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None

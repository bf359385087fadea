"""What the process knows of its endpoints: their breakers, and how calls to one take turns."""

from contextlib import suppress

import pytest

from errata.core.errors import RefusedError
from errata.tools.net.endpoints import Breaker

LONG, NONE = 1000.0, 1e-9


class StatusError(Exception):
    """A server's answer as clients report it."""

    def __init__(self, status):
        self.status_code = status


def call(breaker, outcome=None, seconds=LONG):
    """One call that ends so; whether it was made."""
    made = False
    with suppress(RefusedError, type(outcome or RefusedError())), breaker.watch(3, seconds):
        made = True
        if outcome:
            raise outcome
    return made


def opened():
    """A breaker after three failures in a row."""
    breaker = Breaker()
    assert all(call(breaker, StatusError(500)) for _ in range(3))
    return breaker


@pytest.mark.parametrize(
    "outage", [StatusError(500), StatusError(529), ConnectionError(), TimeoutError()]
)
def test_it_opens_after_so_many_failures_in_a_row(outage):
    breaker = Breaker()
    assert [call(breaker, outage) for _ in range(5)] == [True, True, True, False, False]
    assert 0 < breaker.seconds_left(3, LONG) <= LONG


@pytest.mark.parametrize(
    "answer", [None, StatusError(429), StatusError(400), StatusError(401), ValueError("no JSON")]
)
def test_an_answer_of_any_kind_ends_the_row(answer):
    breaker = Breaker()
    outcomes = [StatusError(500), StatusError(500), answer] * 3
    assert all(call(breaker, outcome) for outcome in outcomes)
    assert breaker.seconds_left(3, LONG) == 0


def test_a_cancelled_call_says_nothing():
    breaker = Breaker()
    for outcome in (StatusError(500), KeyboardInterrupt(), StatusError(500), KeyboardInterrupt()):
        call(breaker, outcome)
    assert call(breaker, StatusError(500))
    assert not call(breaker)


def test_each_caller_has_its_own_bounds():
    breaker = opened()
    assert breaker.seconds_left(3, LONG) > 0
    assert breaker.seconds_left(4, LONG) == breaker.seconds_left(0, LONG) == 0
    assert breaker.seconds_left(3, NONE) == 0


@pytest.mark.parametrize(("outcome", "again"), [(None, True), (StatusError(500), False)])
def test_after_the_break_one_call_decides(outcome, again):
    breaker = opened()
    assert not call(breaker)
    assert call(breaker, outcome, seconds=NONE)
    assert call(breaker) is again


def test_while_a_probe_is_under_way_others_are_refused():
    breaker = opened()
    with breaker.watch(3, NONE):
        assert not call(breaker, seconds=NONE)
        with pytest.raises(RefusedError, match="failed 3 times in a row"):
            breaker.check(3, NONE)
    assert call(breaker)

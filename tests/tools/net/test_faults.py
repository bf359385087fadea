"""What an error of a client means, whatever the client's classes are; secrets kept out of it."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import httpx2
import pytest

from errata.tools.net.faults import (
    asked_wait,
    is_outage,
    is_overload,
    is_silent,
    is_transient,
    status_of,
)
from errata.tools.net.redaction import redact


class FaultError(Exception):
    """An error with the attributes that clients give theirs."""

    def __init__(self, headers=None, **attributes):
        vars(self).update(attributes)
        if headers is not None:
            self.response = SimpleNamespace(headers=headers)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (FaultError(status_code=429), 429),
        (FaultError(code=503), 503),
        (FaultError(code="rate_limit", status_code=429), 429),
        (FaultError(code="server_error"), 0),
        (FaultError(response=SimpleNamespace(status_code=500)), 500),
        (ValueError(), 0),
        (None, 0),
    ],
)
def test_the_status_is_found_where_clients_put_it(error, status):
    assert status_of(error) == status


@pytest.mark.parametrize(
    ("error", "transient", "outage", "overload"),
    [
        *((FaultError(status_code=status), True, False, False) for status in (408, 409, 425)),
        (FaultError(status_code=429), True, False, True),
        (FaultError(status_code=500), True, True, False),
        (FaultError(status_code=503), True, True, True),
        *((FaultError(status_code=status), False, False, False) for status in (400, 401, 404, 422)),
        (ConnectionResetError(), True, True, False),
        (TimeoutError(), True, True, False),
        (httpx2.ConnectError("x"), True, True, False),
        (httpx2.ReadTimeout("x"), True, True, False),
        (httpx2.RemoteProtocolError("x"), True, True, False),
        (IndexError(), False, False, False),
        (FaultError({"x-should-retry": "false"}, status_code=429), False, False, True),
        (FaultError({"x-should-retry": "true"}, status_code=400), True, False, False),
    ],
)
def test_what_a_fault_means(error, transient, outage, overload):
    told = is_transient(error), is_outage(error), is_overload(error)
    assert told == (transient, outage, overload)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "20", "retry-after": "2"}, 0.02),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "²"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": ""}, None),
        ({}, None),
        (None, None),
    ],
)
def test_the_wait_that_a_server_asks_for(headers, seconds):
    assert asked_wait(FaultError(headers)) == seconds


def test_who_gives_no_answer_in_time():
    late = FaultError(status_code=408), FaultError(status_code=504), httpx2.ReadTimeout("x")
    assert all(map(is_silent, (*late, TimeoutError())))
    assert not any(map(is_silent, (FaultError(status_code=500), httpx2.ConnectError("x"))))


def test_a_wait_until_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert 3500 < asked_wait(FaultError({"retry-after": date})) <= 3600


def test_secrets_are_replaced(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "abcdefgh12345")
    text = redact("bad abcdefgh12345 and sk-verysecretkey123")
    assert text == "bad [secret] and [secret]"

"""What an error of a client means, whatever the client's classes are; secrets kept out of it."""

from types import SimpleNamespace

import httpx2
import pytest

from errata.tools.net.faults import is_outage, is_overload, is_silent, is_transient
from errata.tools.net.redaction import redact


class FaultError(Exception):
    """An error with the attributes that clients give theirs."""

    def __init__(self, headers=None, **attributes):
        vars(self).update(attributes)
        if headers is not None:
            self.response = SimpleNamespace(headers=headers)


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


def test_who_gives_no_answer_in_time():
    late = FaultError(status_code=408), FaultError(status_code=504), httpx2.ReadTimeout("x")
    assert all(map(is_silent, (*late, TimeoutError())))
    assert not any(map(is_silent, (FaultError(status_code=500), httpx2.ConnectError("x"))))


def test_secrets_are_replaced(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "abcdefgh12345")
    text = redact("bad abcdefgh12345 and sk-verysecretkey123")
    assert text == "bad [secret] and [secret]"

"""What an error of a client means, whatever the client's classes are; secrets kept out of it."""

from types import SimpleNamespace

import httpx2
import pytest

from errata.tools.net.faults import is_outage, is_transient
from errata.tools.net.redaction import redact


class FaultError(Exception):
    """An error with the attributes that clients give theirs."""

    def __init__(self, headers=None, **attributes):
        vars(self).update(attributes)
        if headers is not None:
            self.response = SimpleNamespace(headers=headers)


@pytest.mark.parametrize(
    ("error", "transient", "outage"),
    [
        *((FaultError(status_code=status), True, False) for status in (408, 409, 425, 429)),
        *((FaultError(status_code=status), True, True) for status in (500, 503)),
        *((FaultError(status_code=status), False, False) for status in (400, 401, 404, 422)),
        (ConnectionResetError(), True, True),
        (TimeoutError(), True, True),
        (httpx2.ConnectError("x"), True, True),
        (httpx2.ReadTimeout("x"), True, True),
        (httpx2.RemoteProtocolError("x"), True, True),
        (IndexError(), False, False),
    ],
)
def test_what_a_fault_means(error, transient, outage):
    assert (is_transient(error), is_outage(error)) == (transient, outage)


def test_secrets_are_replaced(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "abcdefgh12345")
    text = redact("bad abcdefgh12345 and sk-verysecretkey123")
    assert text == "bad [secret] and [secret]"

"""Secrets in what is shown or recorded."""

from errata.tools.net.redaction import redact


def test_secrets_are_replaced(monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "abcdefgh12345")
    text = redact("bad abcdefgh12345 and sk-verysecretkey123")
    assert text == "bad [secret] and [secret]"

"""Which addresses pages may come from."""

import pytest

from errata.errors import PageError
from errata.tools.net.safe_urls import is_public, resolve_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.3.4", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
    ],
)
def test_private_and_special_addresses_are_not_public(address, public):
    assert is_public(address) is public


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://a.example/x", "is not an http or https address"),
        ("file:///etc/passwd", "is not an http or https address"),
        ("http://", "is not an http or https address"),
        ("http://0x7f.1/", "not public"),
        ("http://2130706433/", "not public"),
        ("http://[::1]/", "not public"),
        ("http://nobody.invalid/", "was not found"),
    ],
)
async def test_only_public_web_addresses_are_resolved(url, message):
    with pytest.raises(PageError, match=message):
        await resolve_public(url)


@pytest.mark.anyio
@pytest.mark.parametrize("setting", ["1", "127.0.0.1", "10.0.0.1,127.0.0.1"])
async def test_the_operator_can_allow_private_addresses(monkeypatch, setting):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", setting)
    assert await resolve_public("http://127.0.0.1/") == "127.0.0.1"

"""Which addresses pages may come from."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.errors import PageError
from errata.tools.net.safe_urls import is_public, resolve_public

PUBLIC = (
    "93.184.216.34 2606:2800:220:1::1 64:ff9b::808:808 ::ffff:8.8.8.8 2002:808:808::1"
).split()
PRIVATE = (
    "127.0.0.1 10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 "
    "192.0.0.9 192.88.99.1 ::1 fe80::1 fd00::1 fec0::1 ::ffff:127.0.0.1 2002:7f00:1:: "
    "64:ff9b::7f00:1 64:ff9b:1::808:808 ::127.0.0.1 ::ffff:0:127.0.0.1 2001:0:808:808::1 "
    "3fff::1 100::1 ff0e::1"
).split()


@pytest.mark.parametrize("address", [*PUBLIC, *PRIVATE])
def test_private_and_special_addresses_are_not_public(address):
    assert is_public(address) is (address in PUBLIC)


PRIVATE_IPV4 = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
    "192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4"
).split()
PRIVATE_IPV6 = ["::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "fc00::/7", "fe80::/10", "fec0::/10"]
EMBEDDINGS = ["::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b::", "64:ff9b:1::"]


def addresses(networks, kind):
    return st.sampled_from([kind(network) for network in networks]).flatmap(
        lambda network: st.integers(0, network.num_addresses - 1).map(lambda n: network[n])
    )


@given(addresses(PRIVATE_IPV4, IPv4Network), st.sampled_from(EMBEDDINGS))
def test_a_private_ipv4_address_is_private_in_every_embedding(inner, prefix):
    assert not is_public(str(inner))
    assert not is_public(str(IPv6Address(int(IPv6Address(prefix)) + int(inner))))
    assert not is_public(str(IPv6Address((0x2002 << 112) + (int(inner) << 80) + 1)))


@given(addresses(PRIVATE_IPV6, IPv6Network))
def test_every_address_of_a_private_range_is_private(address):
    assert not is_public(str(address))


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_a_public_ipv4_address_is_one_that_the_library_calls_global(address):
    assert address.is_global or not is_public(str(address))


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_a_public_ipv6_address_is_one_that_the_library_calls_global(address):
    assert (address.is_global and not address.is_site_local) or not is_public(str(address))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://a.example/x", "is not an http or https address"),
        ("file:///etc/passwd", "is not an http or https address"),
        ("http://", "is not an http or https address"),
        ("http://[x", "is not an http or https address: Invalid IPv6 URL"),
        ("http://a.example:99999999/", "is not an http or https address: Port out of range"),
        ("http://0x7f.1/", "not public"),
        ("http://2130706433/", "not public"),
        ("http://[::1]/", "not public"),
        ("http://nobody.invalid/", "leads nowhere public"),
        ("http://169.254.169.254/", "leads to 169.254.169.254, which is not public"),
    ],
)
async def test_only_public_web_addresses_are_resolved(url, message):
    with pytest.raises(PageError, match=message):
        await resolve_public(url)


@pytest.mark.anyio
async def test_an_error_does_not_reveal_whether_a_name_is_known_inside():
    messages = set()
    for host in ("localhost", "nobody.invalid"):
        with pytest.raises(PageError) as caught:
            await resolve_public(f"http://{host}/")
        messages.add(str(caught.value).replace(host, "HOST"))
    [message] = messages
    assert "127.0.0.1" not in message
    assert "::1" not in message


@pytest.mark.anyio
@pytest.mark.parametrize("setting", ["1", "127.0.0.1", "10.0.0.1,127.0.0.1"])
async def test_the_operator_can_allow_private_addresses(monkeypatch, setting):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", setting)
    assert await resolve_public("http://127.0.0.1/") == "127.0.0.1"

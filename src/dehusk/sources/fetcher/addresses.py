"""Addresses: those of a host, and which of them belong to the public internet."""

import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

NAT64: Final = IPv6Network("64:ff9b::/96")  # IPv4 addresses as networks without IPv4 write them


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, also if it is an IPv4 address written as IPv6.

    >>> [is_public(each) for each in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped or ip.is_site_local:
            return False
        inner = ip.sixtofour or (ip.teredo or (None, None))[1]
        if ip in NAT64:
            inner = IPv4Address(ip.packed[-4:])
        if inner:
            return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def not_public(host: str, host_addresses: list[str]) -> str | None:
    """Return the first address of a host that is not public; None if all are.

    NAT64 is for networks that look up IPv4 hosts so; who writes such an address into a URL tries to hide another one.

    >>> not_public("a.test", ["64:ff9b::5db8:d822"]), not_public("64:ff9b::5db8:d822", ["64:ff9b::5db8:d822"])
    (None, '64:ff9b::5db8:d822')
    """
    with suppress(ValueError):  # a name
        if ip_address(host.partition("%")[0]) in NAT64:
            return host_addresses[0] if host_addresses else host
    return next((address for address in host_addresses if not is_public(address)), None)


def addresses(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in entries))

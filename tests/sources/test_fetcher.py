"""The one safe fetcher: what may be fetched, and what a server may send."""

import socket
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import ClassVar, cast

import pytest

from dehusk import Limits
from dehusk.sources.fetcher import Policy, connections, fetch
from dehusk.sources.fetcher.addresses import is_public
from dehusk.sources.fetcher.body import read_body
from tests.helpers.web import web

PRIVATE = Policy(private=True)
LIMITS = Limits(bytes=1_000_000)
HOSTS = {
    "public.test": ["93.184.216.34"],
    "inside.test": ["10.0.0.7"],
    "both.test": ["93.184.216.34", "10.0.0.7"],
    "nowhere.test": [],
}
LOOKUPS: list[str] = []
CONNECTED: list[str] = []


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with web() as address:
        yield address


@pytest.fixture
def port(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have hosts with addresses all over the world, all of which lead to the server here; return its port."""

    def addresses(host: str, _port: int) -> list[str]:
        LOOKUPS.append(host)
        return HOSTS.get(host, [host])

    def connect(address: str, port: int, seconds: float | None) -> socket.socket:
        CONNECTED.append(address)
        return socket.create_connection(("127.0.0.1", port), seconds)

    LOOKUPS.clear()
    CONNECTED.clear()
    monkeypatch.setattr(connections, "addresses", addresses)
    monkeypatch.setattr(connections, "connect", connect)
    return server.rpartition(":")[2]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("64:ff9b::5db8:d822", True),
        ("2002:5db8:d822::1", True),
        ("127.0.0.1", False),
        ("127.8.8.8", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.251", False),
        ("239.1.2.3", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("fec0::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("64:ff9b:1::a00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) == public


@pytest.mark.parametrize(
    "target",
    ["inside.test", "both.test", "127.0.0.1", "[::1]", "169.254.169.254", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]"],
)
def test_a_redirect_from_a_public_address_to_a_private_one_is_refused(port: str, target: str) -> None:
    found = fetch(f"http://public.test:{port}/to?http://{target}:{port}/plain", LIMITS, PRIVATE)
    assert str(found.problem).endswith("which is not public; expected a public one, unless private ones are allowed")
    assert CONNECTED == ["93.184.216.34"]


def test_a_way_back_from_a_public_address_is_refused_too(port: str) -> None:
    back = f"http://inside.test:{port}/plain"
    found = fetch(f"http://inside.test:{port}/to?http://public.test:{port}/to?{back}", LIMITS, PRIVATE)
    assert str(found.problem).startswith("cannot be fetched: inside.test has the address 10.0.0.7")
    assert CONNECTED == ["10.0.0.7", "93.184.216.34"]


@pytest.mark.parametrize(("first", "second"), [("inside", "inside"), ("inside", "public"), ("public", "public")])
def test_other_redirects_are_followed_to_the_address_that_was_checked(port: str, first: str, second: str) -> None:
    found = fetch(f"http://{first}.test:{port}/to?http://{second}.test:{port}/plain", LIMITS, PRIVATE)
    assert (found.data, found.problem) == (b"<p>Hello", None)
    assert found.url == f"http://{second}.test:{port}/plain"
    hosts = [f"{first}.test", f"{second}.test"]
    assert hosts == LOOKUPS  # each once: an answer that changes is of no use
    assert [HOSTS[host][0] for host in hosts] == CONNECTED


def test_who_asks_for_a_private_address_has_it_if_the_policy_says_so(port: str) -> None:
    url = f"http://inside.test:{port}/plain"
    assert fetch(url, LIMITS, PRIVATE).data == b"<p>Hello"
    CONNECTED.clear()
    assert "which is not public" in str(fetch(url, LIMITS).problem)
    assert CONNECTED == []


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/a", "file:///etc/passwd", "data:text/html,x", "FTP://x/"])
def test_a_redirect_to_another_scheme_is_refused(server: str, target: str) -> None:
    scheme = target.partition(":")[0].lower()
    problem = fetch(f"{server}/to?{target}", LIMITS, PRIVATE).problem
    assert str(problem) == f"cannot be fetched: redirected to {scheme}; expected http or https"


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/a", "file:///etc/passwd", "data:text/html,x"])
def test_other_schemes_are_not_fetched(url: str) -> None:
    assert "unknown url type" in str(fetch(url, LIMITS, PRIVATE).problem)


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1", "http://[", "http://", "http://a:b/", "http://a b/", "http://\0/", "http://x\ud800/", "http://..",
        "http://" + "a" * 70 + ".test/", "http://" + "ж" * 70 + ".test/", "http://nowhere.test/", "http://a@b:c@d/",
        "http://127.0.0.1:99999/", "http://[::1]]/", "http://127.0.0.1:1/\r\nX: y",
    ],
)  # fmt: skip
def test_a_malformed_url_is_a_page_with_a_problem(url: str) -> None:
    found = fetch(url, LIMITS, PRIVATE)
    assert str(found.problem).startswith(("cannot be fetched: ", "the server answered"))
    assert len(str(found.problem)) > len("cannot be fetched: ")


def test_whatever_goes_wrong_is_the_problem_of_the_page(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> list[str]:
        raise RuntimeError("odd")

    monkeypatch.setattr(connections, "addresses", fail)
    assert str(fetch(server, LIMITS, PRIVATE).problem) == "cannot be fetched: odd"


@pytest.mark.parametrize(
    ("path", "data"),
    [("/members", b"<p>One, two"), ("/many-members", b"x" * 891_000), ("/endless-redirect", b"<p>Hello")],
)
def test_all_of_a_body_is_read(server: str, path: str, data: bytes) -> None:
    found = fetch(server + path, LIMITS, PRIVATE)
    assert (found.data, found.problem) == (data, None)


def test_a_length_that_is_no_number_is_ignored(server: str) -> None:
    assert fetch(f"{server}/odd-length", LIMITS, PRIVATE).data == b"<p>Hello"


def test_members_beyond_the_limit_are_not_read(server: str) -> None:
    assert len(fetch(f"{server}/many-members", Limits(bytes=1000), PRIVATE).data) == 1001


def test_a_member_that_breaks_off_is_a_problem(server: str) -> None:
    assert str(fetch(f"{server}/cut-member", LIMITS, PRIVATE).problem).startswith(
        "cannot be fetched: the answer broke off after"
    )


def test_a_proxy_may_be_private_and_its_hosts_are_checked(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("no_proxy", "")
    found = fetch("http://public.test/plain", LIMITS, PRIVATE)  # which the server, asked as a proxy, does not know
    assert str(found.problem) == "the server answered 404 Not Found"
    assert CONNECTED == []
    assert "not public" in str(fetch("http://inside.test/", LIMITS).problem)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://user@public.test/", "user name"),
        ("http://user:password@public.test/", "user name"),
        ("http://public%2etest/", "escaped character"),
    ],
)
def test_a_host_is_what_it_seems_to_be(port: str, url: str, problem: str) -> None:
    LOOKUPS.clear()
    assert problem in str(fetch(url, LIMITS).problem)
    assert LOOKUPS == []


def test_a_body_that_comes_byte_by_byte_ends_with_the_time() -> None:
    class Slow:
        headers: ClassVar[dict[str, str]] = {}
        sent = 0

        def read1(self, _count: int) -> bytes:
            self.sent += 1
            return b"x" if self.sent < 100 else b""

    response = Slow()
    with pytest.raises(TimeoutError):
        read_body(cast(HTTPResponse, response), 1_000, deadline=time.monotonic() - 1)
    assert response.sent == 1

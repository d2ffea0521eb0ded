"""Attacks on the fetcher, by who writes the URL, by who answers for the name, and by who answers the request."""

import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from dehusk import Limits
from dehusk.sources import RawPage, fetched
from dehusk.sources.fetcher import Policy, connections, fetch
from dehusk.sources.fetcher.addresses import addresses
from tests.helpers.hostile_web import hostile_web

LIMITS = Limits(bytes=1_000_000)
POLICY = Policy(seconds=20, proxies=False)
BRIEF = Policy(seconds=0.5, proxies=False)
PUBLIC = "93.184.216.34"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with hostile_web() as found:
        yield found


def body(page: RawPage) -> bytes:
    assert isinstance(page.data, bytes)
    return page.data


class Internet:
    """Names and addresses for a test: every connection leads to the server here, and is noted."""

    def __init__(self) -> None:
        self.hosts: dict[str, list[list[str]]] = {"public.test": [[PUBLIC]]}
        self.connected: list[str] = []

    def addresses(self, host: str, port: int) -> list[str]:
        if answers := self.hosts.get(host):
            return answers.pop(0) if len(answers) > 1 else answers[0]
        return addresses(host, port)

    def connect(self, address: str, port: int, seconds: float | None) -> socket.socket:
        self.connected.append(address)
        return socket.create_connection(("127.0.0.1", port), seconds)


@pytest.fixture(autouse=True)
def internet(monkeypatch: pytest.MonkeyPatch) -> Internet:
    made = Internet()
    monkeypatch.setattr(connections, "addresses", made.addresses)
    monkeypatch.setattr(connections, "connect", made.connect)
    return made


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "2130706433", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001",
        "017700000001", "127.1", "127.0.1", "0x7f.0.0.01", "0", "0.0.0.0", "127.8.8.8",
        "10.0.0.1", "0xa000001", "172.31.255.255", "192.168.0.1", "169.254.169.254", "2852039166", "0xA9FEA9FE",
        "100.64.0.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]",
        "[::ffff:93.184.216.34]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b::93.184.216.34]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]", "[2002:a00:1::1]", "[fe80::1]",
        "[fc00::1]", "[fd12:3456::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]",
        "①②⑦.⓪.⓪.①", "127。0。0。1", "１２７.0.0.1", "ｌocalhost",
    ],
)  # fmt: skip
def test_no_spelling_of_an_address_that_is_not_public_is_connected_to(internet: Internet, host: str) -> None:
    found = fetch(f"http://{host}/", LIMITS, POLICY)
    assert str(found.problem).startswith("cannot be fetched: ")
    assert (found.data, internet.connected) == (b"", [])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "FILE:///etc/passwd", "ftp://public.test/", "gopher://public.test/", "data:text/html,x",
        "javascript:alert(1)", "jar:http://public.test!/", "//public.test/", "/etc/passwd", "http:/127.0.0.1/", "http:",
        "unix:/run/docker.sock", "http+unix://x/", "dict://public.test:11211/",
    ],
)  # fmt: skip
def test_only_http_and_https_with_a_host_are_fetched(internet: Internet, url: str) -> None:
    assert str(fetch(url, LIMITS, POLICY).problem).startswith("cannot be fetched: ")
    assert internet.connected == []


@pytest.mark.parametrize(
    "url",
    [
        "http://user:password@public.test/", "http://user@public.test/", "http://:@public.test/", "http://@public.test/",
        "http://public.test@127.0.0.1/", "http://public.test:80@127.0.0.1/", r"http://public.test\@127.0.0.1/",
        r"http://127.0.0.1\.public.test/", "http://127.0.0.1%2f@public.test/", "http://127%2e0%2e0%2e1/",
        "http://%31%32%37.0.0.1/", "http://127.0.0.1#@public.test/", "http://127.0.0.1?@public.test/",
        "http://127.0.0.1:80:80/", "http://public.test\r\nHost: 127.0.0.1/", "http://public.test\t@127.0.0.1/",
        "http://[::1]@public.test/", "http://[::1%25lo]/", "http://public.test:0x50@127.0.0.1/",
    ],
)  # fmt: skip
def test_credentials_and_disguised_hosts_are_refused(internet: Internet, url: str) -> None:
    assert str(fetch(url, LIMITS, POLICY).problem).startswith("cannot be fetched: ")
    assert internet.connected == []


def test_a_line_end_in_the_path_adds_no_header(port: int) -> None:
    found = fetch(f"http://public.test:{port}/echo", LIMITS, POLICY)
    assert found.problem is None
    for path in ("/\r\nX-Added: 1", "/ HTTP/1.1\r\nX-Added: 1\r\n\r\n", "/\nX-Added: 1"):
        found = fetch(f"http://public.test:{port}/to?http://public.test:{port}/echo{path}", LIMITS, BRIEF)
        assert b"\nX-Added" not in body(found)


class TestNames:
    """Who answers for a name may answer anything, and something else each time."""

    @pytest.mark.parametrize("answer", [["10.0.0.7"], [PUBLIC, "10.0.0.7"], ["::1", PUBLIC], ["::ffff:127.0.0.1"], []])
    def test_a_name_with_a_private_address_is_refused(self, internet: Internet, answer: list[str]) -> None:
        internet.hosts["evil.test"] = [answer]
        assert str(fetch("http://evil.test/", LIMITS, POLICY).problem).startswith("cannot be fetched: ")
        assert internet.connected == []

    def test_a_name_is_looked_up_once_so_that_its_second_answer_is_of_no_use(
        self, internet: Internet, port: int
    ) -> None:
        internet.hosts["rebinding.test"] = [[PUBLIC], ["127.0.0.1"]]
        found = fetch(f"http://rebinding.test:{port}/echo", LIMITS, POLICY)
        assert (found.problem, internet.connected) == (None, [PUBLIC])

    def test_a_name_that_changes_before_a_redirect_is_refused(self, internet: Internet, port: int) -> None:
        internet.hosts["rebinding.test"] = [[PUBLIC], ["127.0.0.1"]]
        found = fetch(f"http://rebinding.test:{port}/to?/echo", LIMITS, POLICY)
        assert "127.0.0.1, which is not public" in str(found.problem)
        assert internet.connected == [PUBLIC]

    def test_a_lookup_that_never_ends_is_abandoned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answered = threading.Event()
        monkeypatch.setattr(connections, "addresses", lambda *_: answered.wait() and [PUBLIC])
        try:
            assert str(fetch("http://slow.test/", LIMITS, BRIEF).problem) == "took longer than 0.5 s"
        finally:
            answered.set()
            for thread in threading.enumerate():
                if thread.name == "fetcher":
                    thread.join()


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/echo", "http://localhost:{port}/echo", "http://2130706433:{port}/echo",
        "http://[::ffff:127.0.0.1]:{port}/echo", "http://[64:ff9b::7f00:1]:{port}/echo", "//127.0.0.1:{port}/echo",
        "http://169.254.169.254/latest/meta-data/", "HTTP://0x7f.1:{port}/echo", "http://127%2e0%2e0%2e1:{port}/echo",
        "http://user:password@public.test:{port}/echo", "file:///etc/passwd", "ftp://127.0.0.1/", "data:text/html,x",
        "javascript:alert(1)", "http://:{port}/echo",
    ],
)  # fmt: skip
def test_a_redirect_leads_nowhere_else(internet: Internet, port: int, target: str) -> None:
    found = fetch(f"http://public.test:{port}/to?{target.format(port=port)}", LIMITS, POLICY)
    assert str(found.problem).startswith("cannot be fetched: ")
    assert (found.data, internet.connected) == (b"", [PUBLIC])


@pytest.mark.parametrize("path", ["/loop", "/longer-and-longer"])
def test_redirects_end(internet: Internet, port: int, path: str) -> None:
    found = fetch(f"http://public.test:{port}{path}", LIMITS, POLICY)
    assert str(found.problem).startswith("the server answered 302")
    assert len(internet.connected) <= 11


@pytest.mark.parametrize(
    "path",
    ["/endless-body", "/endless-chunks", "/gzip-bomb", "/deflate-bomb", "/many-members", "/stored-bomb"],
)
def test_what_never_ends_is_cut_one_byte_after_the_limit(port: int, path: str) -> None:
    tracemalloc.start()
    found = fetched(f"http://public.test:{port}{path}", LIMITS, POLICY)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.problem, len(found.data)) == (None, LIMITS.bytes + 1)
    assert peak < 60_000_000  # of which the server has 40


def test_gzip_in_gzip_is_decompressed_within_the_limit(port: int) -> None:
    assert len(fetched(f"http://public.test:{port}/gzip-in-gzip", LIMITS, POLICY).data) == LIMITS.bytes + 1


@pytest.mark.parametrize(
    "path",
    [
        "/slow-body", "/slow-header", "/slow-headers", "/slow-status", "/slow-chunk-size", "/silent", "/continue-flood",
        "/endless-trailer", "/empty-members", "/redirect-with-body",
    ],
)  # fmt: skip
def test_a_server_that_takes_for_ever_is_abandoned_and_its_thread_ends(port: int, path: str) -> None:
    before = threading.active_count()
    found = fetch(f"http://public.test:{port}{path}", LIMITS, BRIEF)
    assert (found.data, found.problem is not None) == (b"", True)
    for _ in range(500):
        if not [each for each in threading.enumerate() if "fetch" in each.name]:
            break
        time.sleep(0.02)
    assert not [each for each in threading.enumerate() if "fetch" in each.name], before


def test_a_server_that_never_greets_in_tls_is_abandoned(port: int) -> None:
    # The request never arrives, so the server waits as well.
    found = fetch(f"https://public.test:{port}/silent", LIMITS, BRIEF)
    assert found.problem is not None


@pytest.mark.parametrize(
    "path",
    ["/header-flood", "/long-header", "/garbage", "/old-protocol", "/promise", "/long-chunk-line", "/odd-status"],
)
def test_a_malformed_answer_is_a_problem(port: int, path: str) -> None:
    found = fetch(f"http://public.test:{port}{path}", LIMITS, POLICY)
    assert found.data == b""
    assert str(found.problem).startswith(("cannot be fetched: ", "the server answered "))


@pytest.mark.parametrize("path", ["/huge-number", "/negative"])
def test_an_absurd_length_harms_nothing(port: int, path: str) -> None:
    found = fetch(f"http://public.test:{port}{path}", LIMITS, BRIEF)
    assert found.data == b"<p>Hello" or found.problem


def test_a_cookie_is_not_sent_back(port: int) -> None:
    found = fetch(f"http://public.test:{port}/cookie", LIMITS, POLICY)
    assert found.problem is None
    assert b"cookie" not in body(found).lower()


def test_a_request_tells_nothing_about_its_sender(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEHUSK_API_KEY", "secret")
    sent = body(fetch(f"http://public.test:{port}/echo", LIMITS, POLICY)).lower()
    names = {line.partition(b":")[0] for line in sent.split(b"\r\n")[1:] if line}
    assert names == {b"host", b"user-agent", b"accept", b"accept-encoding", b"connection"}


def test_a_server_that_wants_a_password_gets_none(port: int) -> None:
    assert str(fetch(f"http://public.test:{port}/sign-in", LIMITS, POLICY).problem) == "the server answered 401 Who?"


def test_a_proxy_of_the_environment_is_not_used_where_the_address_must_be_the_checked_one(
    internet: Internet, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "")
    assert fetch(f"http://public.test:{port}/echo", LIMITS, POLICY).problem is None
    assert internet.connected == [PUBLIC]

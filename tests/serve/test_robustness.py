"""A service under stress: pages that kill their worker, clients that hang, hang up or lie, stops and full queues."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from dehusk import extract
from testing.processes import wait_for_end
from testing.server import PLANTED, Server, server, workers

pytestmark = pytest.mark.slow
SMALL = "<p>The first cut of hay was late this year, since June was wet."
HEAD = b"POST /v1/extract?format=text HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    arguments = ("--jobs", "2", "--seconds", "4", "--queue", "4", "--max-bytes", "1000000")
    with server(*arguments, module=PLANTED) as found:
        yield found


def connected(running: Server) -> socket.socket:
    place = urlsplit(running.address)
    return socket.create_connection((place.hostname, place.port), 60)


def wait_until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.02)  # without a limit of its own: pytest has one


def answers(running: Server) -> bool:
    reply = running.ask("/v1/extract?format=text", SMALL)
    return (reply.status, reply.text) == (200, extract(SMALL).text)


@pytest.mark.parametrize(
    ("word", "detail"),
    [
        ("dies", "its worker died (exit status -11)"),
        ("hangs", "took longer than 4 s"),
        ("swells", "out of memory"),
        ("raises", "failed: KeyError"),
    ],
)
def test_a_page_that_harms_its_worker_costs_that_request_alone(running: Server, word: str, detail: str) -> None:
    with ThreadPoolExecutor(2) as threads:
        bad = threads.submit(running.ask, "/v1/extract", f"<p>It {word}")
        good = threads.submit(running.ask, "/v1/extract?format=text", SMALL)
        assert good.result().text == extract(SMALL).text
        assert (bad.result().status, bad.result().json["code"]) == (422, "page-failed")
        assert detail in bad.result().json["detail"]
    assert all(answers(running) for _ in range(4))


def test_a_bad_page_in_a_batch_costs_its_line_alone(running: Server) -> None:
    lines = [
        json.dumps({"id": number, "html": f"<p>It {word}."}) for number, word in enumerate(("rains", "dies", "snows"))
    ]
    found = [json.loads(line) for line in running.ask("/v1/batch?method=alltext", "\n".join(lines)).text.splitlines()]
    assert [(each["id"], each["text"]) for each in found] == [(0, "It rains."), (1, ""), (2, "It snows.")]
    assert "died" in found[1]["reason"]


def test_workers_that_are_killed_are_replaced(running: Server) -> None:
    assert answers(running)
    for process in workers(running):
        os.kill(process, signal.SIGKILL)
        wait_for_end([process])
    assert all(answers(running) for _ in range(4))
    assert len(workers(running)) >= 1


def test_a_full_queue_refuses_pages_with_the_time_to_wait(running: Server) -> None:
    with ThreadPoolExecutor(20) as threads:
        replies = list(threads.map(lambda _: running.ask("/v1/extract", "<p>It naps."), range(20)))
    refused = [reply for reply in replies if reply.status == 429]
    assert {reply.status for reply in replies} == {200, 429}
    assert len(refused) >= 20 - 6 - 2  # two jobs and four places, and a second round for the slowest
    assert {(reply.headers["retry-after"], reply.json["code"]) for reply in refused} == {("1", "server-busy")}
    assert answers(running)


def test_a_batch_waits_where_a_single_page_is_refused(running: Server) -> None:
    lines = "\n".join(json.dumps({"id": number, "html": "<p>It naps."}) for number in range(12))
    reply = running.ask("/v1/batch?method=alltext", lines)
    assert [json.loads(line)["text"] for line in reply.text.splitlines()] == ["It naps."] * 12


def test_clients_that_send_nothing_or_half_harm_nobody(running: Server) -> None:
    idle = [connected(running) for _ in range(100)]
    for number, client in enumerate(idle):
        if number % 2:
            client.sendall((HEAD % 100_000)[: number * 2])
        elif number % 4:
            client.sendall(HEAD % 100_000 + b"<p>half a body")
    assert all(answers(running) for _ in range(10))
    for client in idle:
        client.close()
    wait_until(lambda: running.metrics()["dehusk_bytes_held"] == 0)


def test_a_client_that_hangs_up_takes_its_page_out_of_the_queue(running: Server) -> None:
    body = b"<p>It naps."
    clients = [connected(running) for _ in range(6)]
    for client in clients:
        client.sendall(HEAD % len(body) + body)
    wait_until(lambda: running.metrics()["dehusk_pages_unanswered"] == 6)
    for client in clients:
        client.close()
    wait_until(lambda: running.metrics()["dehusk_pages_unanswered"] <= 2)
    assert answers(running)


def test_a_client_that_hangs_up_in_a_batch_takes_its_pages_along(running: Server) -> None:
    client = connected(running)
    lines = b'{"html": "<p>It naps."}\n' * 200
    client.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(lines) + lines)
    assert client.recv(100).startswith(b"HTTP/1.1 200")
    client.close()
    wait_until(lambda: running.metrics()["dehusk_pages_unanswered"] == 0)
    wait_until(lambda: running.metrics()["dehusk_bytes_held"] == 0)


def test_a_client_that_sends_byte_by_byte_is_answered(running: Server) -> None:
    page = SMALL.encode()
    with connected(running) as client:
        for byte in HEAD % len(page) + page:
            client.sendall(bytes([byte]))
        assert client.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GARBAGE\r\n\r\n",
        b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 50_000,
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        bytes(range(256)) * 10,
    ],
)
def test_what_is_no_http_harms_nobody(running: Server, request_bytes: bytes) -> None:
    with connected(running) as client:
        client.settimeout(20)
        try:
            client.sendall(request_bytes)
            client.shutdown(socket.SHUT_WR)
            first = client.recv(100)
        except ConnectionError:
            first = b""
        assert b" 5" not in first[8:10]
    assert answers(running)


def test_a_chunked_body_over_the_limit_is_cut_off(running: Server) -> None:
    with connected(running) as client:
        client.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        with pytest.raises(ConnectionError):
            client.sendall(chunk * 5_000)
    assert answers(running)


def test_a_client_that_is_too_slow_is_told_so_and_one_that_takes_nothing_holds_no_page() -> None:
    with server("--jobs", "1", "--client-seconds", "1") as impatient:
        with connected(impatient) as client:
            client.sendall(HEAD % 1000 + b"<p>half")
            assert client.recv(1000).startswith(b"HTTP/1.1 408")
        page = b"<p>A long line of text for a page that is long." * 200_000
        with connected(impatient) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(
                b"POST /v1/extract?method=alltext HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(page)
            )
            client.sendall(page)
            wait_until(lambda: impatient.metrics()["dehusk_bytes_held"] > 0)
            wait_until(lambda: impatient.metrics()["dehusk_bytes_held"] == 0)
        assert answers(impatient)


def test_pages_beyond_the_memory_for_all_are_refused() -> None:
    with server("--jobs", "1", "--max-held", "3000000") as small:
        clients = [connected(small) for _ in range(6)]
        for client in clients:
            client.sendall(HEAD % 1_000_001 + bytes(1_000_000))
        wait_until(lambda: 'status="429"' in small.ask("/metrics").text)
        for client in clients:
            client.close()
        wait_until(lambda: small.metrics()["dehusk_bytes_held"] == 0)
        assert answers(small)


def test_a_stop_waits_for_the_pages_that_were_begun() -> None:
    with server("--jobs", "1", module=PLANTED) as stopping:
        assert answers(stopping)
        with ThreadPoolExecutor(1) as threads:
            last = threads.submit(stopping.ask, "/v1/extract?format=text&method=alltext", "<p>It naps.")
            wait_until(lambda: stopping.metrics()["dehusk_pages_unanswered"] == 1)
            children = workers(stopping)
            stopping.process.terminate()
            assert (last.result().status, last.result().text) == (200, "It naps.")
        assert stopping.process.wait() == 0
        wait_for_end(children)
        assert stopping.log[1:] == []


def test_many_clients_at_once_get_each_their_own_answer(running: Server) -> None:
    pages = [SMALL.replace("hay", f"hay {number}") for number in range(50)]
    wanted = [extract(page).text for page in pages]
    wrong: list[object] = []

    def client(number: int) -> None:
        for turn in range(5):
            which = (number + turn) % len(pages)
            reply = running.ask("/v1/extract?format=text", pages[which])
            while reply.status == 429:
                time.sleep(0.05)
                reply = running.ask("/v1/extract?format=text", pages[which])
            if (reply.status, reply.text) != (200, wanted[which]):
                wrong.append(reply)

    clients = [threading.Thread(target=client, args=(number,)) for number in range(40)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    assert wrong == []

"""The service under load: many clients at once, every answer compared with the library's.

    make load                                         200 clients for 60 seconds: the figures in docs/server.md
    python -m benchmarks.load --clients 20 --seconds 5

Pages are those of wcxb-dev if DEHUSK_DATA is set, else the golden ones. CPU time is that of the server and its workers
together, and that of the library in another process, for the same pages at the same time.
"""

import asyncio
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from dehusk import Extractor, Page
from dehusk.cli.commands import Option, run
from dehusk.gold.corpora import open_corpus
from testing.server import Server, server, workers

FORMAT = "json"
TICKS = os.sysconf("SC_CLK_TCK")
PATH = f"/v1/extract?format={FORMAT}"


class Sample(NamedTuple):
    """A page, the request for it, and the answer that the library gives."""

    request: bytes
    answer: bytes


@dataclass
class Tally:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    wrong: int = 0
    lost: int = 0


def pages(count: int, seed: int) -> list[bytes]:
    """Return so many pages: of the set wcxb-dev if there are real ones."""
    found: list[bytes] = []
    if os.environ.get("DEHUSK_DATA"):
        for page in islice(open_corpus("wcxb-dev").pages(), 3 * count):
            found.append(page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace"))
    else:
        found = [path.read_bytes() for path in sorted(Path("tests/pages").glob("*/source.html"))]
    found = [page for page in found if len(page) < 1_000_000 and not Page.from_bytes(page).refused]
    return random.Random(seed).sample(found, min(count, len(found)))


def samples(found: list[bytes], address: str) -> list[Sample]:
    """Return requests and expected answers."""
    extractor = Extractor()
    made, host = [], urlsplit(address).netloc
    for page in found:
        output = extractor.extract(page).render(FORMAT)
        head = f"POST {PATH} HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
        made.append(Sample(head.encode() + page, output.encode()))
    return made


def library(found: list[bytes], seconds: float) -> float:
    """Return the library's CPU seconds per page, measured for so long, in whole rounds."""
    extractor, rounds, until = Extractor(), 0, time.monotonic() + seconds
    for page in found[:20]:
        extractor.extract(page).render(FORMAT)  # not measured: what is imported and filled on first use
    began = time.process_time()
    while rounds == 0 or time.monotonic() < until:
        for page in found:
            extractor.extract(page).render(FORMAT)
        rounds += 1
    return (time.process_time() - began) / (rounds * len(found))


async def client(place: tuple[str, int], work: list[Sample], number: int, until: float, tally: Tally) -> None:
    """Ask for one page after the other over one connection."""
    chance = random.Random(number)
    reader, writer = await asyncio.open_connection(*place, limit=2**20)
    while time.monotonic() < until:
        sample = chance.choice(work)
        began = time.perf_counter()
        writer.write(sample.request)
        await writer.drain()
        try:
            status, body = await _answer(reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            tally.lost += 1
            break
        tally.seconds.append(time.perf_counter() - began)
        tally.statuses[status] = tally.statuses.get(status, 0) + 1
        tally.wrong += status == 200 and body != sample.answer
        if status == 429:
            await asyncio.sleep(0.5)
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(head.partition("content-length: ")[2].partition("\r")[0])
    return int(head.split(" ")[1]), await reader.readexactly(length)


async def attack(place: tuple[str, int], work: list[Sample], clients: int, seconds: float, tally: Tally) -> None:
    """Run all clients at once."""
    until = time.monotonic() + seconds
    await asyncio.gather(*(client(place, work, number, until, tally) for number in range(clients)))


def cpu_seconds(running: Server) -> list[float]:
    """Return the CPU time that the server, and its workers together, have taken."""

    def taken(process: int) -> float:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    return [taken(running.process.pid), sum(map(taken, workers(running)))]


def megabytes(running: Server) -> list[int]:
    """Return the memory of the server, and of its workers together."""

    def resident(process: int) -> int:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    return [resident(running.process.pid) // 10**6, sum(map(resident, workers(running))) // 10**6]


def load(
    clients: Annotated[int, Option(help="At the same time")] = 200,
    seconds: Annotated[float, Option(help="Duration")] = 60.0,
    count: Annotated[int, Option("--pages", help="Different pages")] = 300,
    seed: Annotated[int, Option(help="Of the choice of pages")] = 1,
) -> None:
    """Print what many clients at once saw, and what it cost."""
    with server() as running:
        place = urlsplit(running.address)
        where = str(place.hostname), place.port or 0
        found = pages(count, seed)
        work = samples(found, running.address)
        asyncio.run(attack(where, work, clients, min(seconds, 15), Tally()))  # until memory is what it stays
        before, memory, tally = cpu_seconds(running), megabytes(running), Tally()
        # At the same time, since a busy machine needs more CPU time for the same work.
        with ProcessPoolExecutor(1, get_context("spawn")) as beside:
            measured = beside.submit(library, found, seconds)
            asyncio.run(attack(where, work, clients, seconds, tally))
        spent = [end - start for start, end in zip(before, cpu_seconds(running), strict=True)]
        after = megabytes(running)
    report(tally, seconds, spent, measured.result(), (memory, after))


def report(tally: Tally, seconds: float, spent: list[float], alone: float, memory: tuple[list[int], list[int]]) -> None:
    """Print the figures."""
    times, count = sorted(tally.seconds), len(tally.seconds)
    server_each, worker_each = (1000 * part / count for part in spent)
    alone *= 1000
    print(f"answers {count:,}, {count / seconds:.0f} per second; statuses {tally.statuses}")
    print(f"wrong {tally.wrong}, lost {tally.lost}")
    print(f"p50 {1000 * times[count // 2]:.0f} ms, p99 {1000 * times[count * 99 // 100]:.0f} ms")
    print(f"CPU per request: server {server_each:.2f} ms, workers {worker_each:.2f} ms; library {alone:.2f} ms")
    print(f"ratio {(server_each + worker_each) / alone:.2f}")
    print(f"memory in MB before {memory[0]} and after {memory[1]}: server, workers")
    if tally.wrong or tally.lost or any(status >= 500 for status in tally.statuses):
        raise SystemExit(1)


if __name__ == "__main__":
    run(load)

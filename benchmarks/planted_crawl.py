"""A crawl with planted faults: WARC files whose every record is known, so that a corpus of them can be checked.

    python -m benchmarks.planted_crawl FOLDER              20,000 records made from the pages in DEHUSK_DATA

Addresses are invented; some pages are copied, some changed a little, some written in other charsets, some damaged.
"""

import gzip
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import zstandard

from dehusk.cli.commands import Argument, Option, run
from dehusk.reasons import Code

# Charsets of the web that can write most European pages, or pages in one script.
CHARSETS: Final = (
    "utf-8", "windows-1252", "iso-8859-1", "iso-8859-15", "windows-1250", "iso-8859-2", "windows-1251", "koi8-r",
    "iso-8859-7", "windows-1253", "gb18030", "big5", "shift_jis", "euc-jp", "utf-16-le",
)  # fmt: skip
TEXT_PIECE: Final = re.compile(r">([^<>]{200,})<")
FILES: Final = 8
# What pages with such an address do to `tests.helpers.planted_steps`, and what they are rejected with.
FAULTS: Final = {"raise": Code.FAILED, "sleep": Code.TOO_SLOW, "kill": Code.WORKER_DIED}


@dataclass(frozen=True, slots=True)
class Plan:
    """How many records of which sort."""

    records: int = 20_000
    exact: int = 500
    near: int = 2_000
    damaged: int = 20  # of each sort: corrupt, ended too early, wrong length
    others: int = 1_000  # of each sort: requests, other types, errors of the server
    large: int = 100_000_000  # bytes of one record
    faults: bool = True  # pages that make a step raise, sleep and kill its process
    seed: int = 27


@dataclass(slots=True)
class Crawl:
    """What was written: how many records there are, and how many must be rejected with which code."""

    records: int = 0
    planted: Counter[str] = field(default_factory=Counter)

    def write(self, path: Path) -> None:
        """Write it beside the files."""
        stored = {"records": self.records, "planted": dict(sorted(self.planted.items()))}
        path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def response(
    url: str, body: bytes, content_type: str = "text/html", status: str = "200 OK", *, extra: int = 0
) -> bytes:
    """Return a record with a response; `extra` makes its length wrong."""
    block = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    return _record("response", url, block, "application/http; msgtype=response", extra)


def _record(kind: str, url: str, block: bytes, content_type: str, extra: int = 0) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:test:{kind}:{url}>\r\n"
        f"WARC-Date: 2024-05-02T10:00:00Z\r\nWARC-IP-Address: 192.0.2.7\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block) + extra}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def write_crawl(folder: Path, pages: Sequence[str], plan: Plan) -> Crawl:
    """Write the files of a crawl and return what is in them."""
    crawl = Crawl()
    folder.mkdir(parents=True, exist_ok=True)
    members = list(_members(pages, plan, crawl))
    random.Random(plan.seed).shuffle(members)
    crawl.records = len(members)
    for number in range(FILES):
        # A file that ends too early loses its last record only if that one is last.
        here = sorted(members[number::FILES], key=lambda member: member[1])
        (folder / f"crawl-{number}.warc.gz").write_bytes(b"".join(member for member, _ in here))
    crawl.write(folder / "planted.json")
    return crawl


def _members(pages: Sequence[str], plan: Plan, crawl: Crawl) -> Iterator[tuple[bytes, bool]]:
    """Yield the records, each compressed, and whether it must be the last of its file."""
    randomness = random.Random(plan.seed)
    for number in range(plan.others):
        url = f"https://other-{number}.example/"
        crawl.planted.update((Code.OTHER_KIND, Code.OTHER_TYPE, Code.HTTP_STATUS))
        yield packed(_record("request", url, b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request"))
        yield packed(response(url + "a.pdf", b"%PDF-1.4 " + url.encode(), "application/pdf"))
        yield packed(response(url + "gone", b"<p>Nothing here: " + url.encode(), status="404 Not Found"))
    for number in range(plan.damaged):
        page = randomness.choice(pages).encode("utf-8", "replace")
        corrupt = bytearray(gzip.compress(response(f"https://corrupt-{number}.example/", page), 6))
        corrupt[len(corrupt) // 2] ^= 0xFF
        corrupt[len(corrupt) // 2 + 1] ^= 0xFF
        wrong = response(f"https://wrong-{number}.example/", b"<p>Wrong" * 50, extra=randomness.choice((-30, 30)))
        crawl.planted.update((Code.DAMAGED, Code.DAMAGED, Code.WRONG_LENGTH))
        yield bytes(corrupt), False
        cut = gzip.compress(response(f"https://cut-{number}.example/", page), 6)[: len(corrupt) * 2 // 3]
        yield cut, False  # the next one begins in the middle of it
        yield packed(wrong)
    if plan.large:
        crawl.planted[Code.TOO_LARGE] += 1
        yield packed(response("https://large.example/", b"<p>" + b"large " * (plan.large // 6)))
    for name, code in FAULTS.items() if plan.faults else ():
        crawl.planted[code] += 1
        yield packed(response(f"https://fault.example/{name}", randomness.choice(pages).encode("utf-8", "replace")))
    last = response("https://last.example/", pages[0].encode("utf-8", "replace"))
    crawl.planted[Code.TRUNCATED] += 1
    yield gzip.compress(last, 6)[:-200], True
    yield from _pages(pages, plan, randomness, plan.records - plan.others * 3 - plan.damaged * 3 - 2 - 3 * plan.faults)


def _pages(pages: Sequence[str], plan: Plan, randomness: random.Random, count: int) -> Iterator[tuple[bytes, bool]]:
    """Yield ordinary pages, in many charsets; among them copies and pages that were changed a little."""
    originals = count - plan.exact - plan.near
    if originals > len(pages):  # further pages are parts of two
        pages = [*pages, *_combined(pages, originals - len(pages), randomness)]
    for number in range(originals):
        charset = CHARSETS[number % len(CHARSETS)]
        yield _page(f"https://site-{number % 997}.example/{number}", pages[number], charset)
    copied = randomness.sample(range(originals), plan.exact + plan.near)
    for number in copied[: plan.exact]:
        yield _page(f"https://copy.example/{number}", pages[number], CHARSETS[number % len(CHARSETS)])
    for number in copied[plan.exact :]:
        changed = _changed(pages[number], randomness, share=randomness.uniform(0.001, 0.02))
        yield _page(f"https://near.example/{number}", changed, CHARSETS[number % len(CHARSETS)])


def _page(url: str, html: str, charset: str) -> tuple[bytes, bool]:
    html = re.sub(r"charset\s*=\s*[\"']?[\w-]+", f"charset={charset}", html, flags=re.IGNORECASE)
    try:
        body = html.encode(charset)
    except UnicodeEncodeError:
        charset = "utf-8"
        body = html.encode(charset, "replace")
    return packed(response(url, body, f"text/html; charset={charset}"))


def _combined(pages: Sequence[str], count: int, randomness: random.Random) -> Iterator[str]:
    for _ in range(count):
        first, second = randomness.sample(pages, 2)
        yield first[: first.rfind("<", 0, len(first) // 2)] + second[second.find("<", len(second) // 2) :]


def _changed(html: str, randomness: random.Random, share: float) -> str:
    """Return a page in which some of the words of its longer texts are others."""

    def change(found: re.Match[str]) -> str:
        words = found[1].split(" ")
        changed = [f"w{randomness.randrange(10**6)}" if randomness.random() < share else word for word in words]
        return f">{' '.join(changed)}<"

    return TEXT_PIECE.sub(change, html)


def packed(record: bytes) -> tuple[bytes, bool]:
    """Return a record compressed, and that it may be anywhere in its file."""
    return gzip.compress(record, 6), False


def real_pages() -> list[str]:
    """Return the pages in DEHUSK_DATA, the same ones in the same order each time."""
    pages = []
    for path in sorted(Path(os.environ["DEHUSK_DATA"], "data", "pages").glob("*.jsonl.zst")):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            lines = stream.read().decode("utf-8").split("\n")
        pages += [json.loads(line)["html"] for line in lines if line]
    random.Random(27).shuffle(pages)
    return pages


def main(
    folder: Annotated[Path, Argument("FOLDER")],
    records: Annotated[int, Option(help="Records in all")] = 20_000,
) -> None:
    """Write a crawl with planted faults from the pages in DEHUSK_DATA."""
    crawl = write_crawl(folder, real_pages(), Plan(records))
    print(f"{crawl.records:,} records in {folder}; planted: {dict(crawl.planted)}")


if __name__ == "__main__":
    run(main)

"""Inputs of the archive fuzzer: archives of all kinds made of small records, of which some bytes are then changed.

A case is a list of frames. What was never touched must be read, whatever was done to its neighbours. A case is a pure
function of a seed and an index.
"""

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import Final

from testing import made_archives as made
from testing.made_archives import DIVISIBLE, PACKS, WARC, WARCINFO, Known, Warc

MOST_RECORDS: Final = 9
REQUEST: Final = Warc(kind="request", content_type="application/http; msgtype=request")
RESOURCE: Final = Warc(kind="resource", content_type="application/warc")
VERSIONS: Final = ("WARC/1.0", "WARC/1.0", "WARC/1.1", "WARC/0.17", "WARC/0.18")
LINE_PACKS: Final = ("", "", ".gz whole", ".zst whole", ".xz", ".bz2")
ARC_PACKS: Final = ("", ".gz", ".zst", ".gz whole", ".lz4")
FEW_PACKS: Final = ("", ".gz", ".zst")


@dataclass(frozen=True, slots=True)
class Frame:
    """A stretch of a file: what was in it, and whether it still is."""

    data: bytes
    known: tuple[Known, ...] = ()
    hidden: tuple[str, ...] = ()  # addresses of records inside a record, which are not the file's
    others: int = 0  # records that hold no page
    is_touched: bool = False
    readable: int | None = None  # of a frame that was touched: how many of its pages come before the damage

    @property
    def is_text(self) -> bool:
        """Whether it is not compressed, so that a line before it that has lost its end takes its beginning with it."""
        return not self.data.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"))


@dataclass(frozen=True, slots=True)
class ArchiveCase:
    """A file, what it consists of, and what was done to it."""

    kind: str
    pack: str
    name: str
    frames: tuple[Frame, ...]
    changes: tuple[str, ...] = ()
    beside: dict[str, bytes] = field(default_factory=dict)  # files that it names
    needs_all: bool = False  # whether damage anywhere may make everything unreadable, if that is reported

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return b"".join(frame.data for frame in self.frames)

    @property
    def is_sound(self) -> bool:
        """Whether nothing was done to it that a reader may report."""
        return not any(frame.is_touched for frame in self.frames)

    @property
    def needs_directory(self) -> bool:
        """Whether it has a directory without which nothing of it can be read."""
        return self.kind in ("table", "wacz")

    @property
    def required(self) -> list[Known]:
        """The pages that must be read."""
        if self.needs_all and not self.is_sound:
            return []
        if self.kind == "lines" and self.pack:  # one stream, of which nothing is read after damage
            sound = takewhile(lambda frame: not frame.is_touched, self.frames)
            return [known for frame in sound for known in frame.known]
        found: list[Known] = []
        for before, frame in zip((None, *self.frames), self.frames, strict=False):
            glued = before and before.is_touched and frame.is_text and not before.data.endswith(b"\n")
            if not frame.is_touched and not glued:
                found += frame.known
            elif frame.readable:
                found += frame.known[: frame.readable]
        return found


# Archives without faults.


@lru_cache(maxsize=512)
def _page(number: int) -> Known:
    """Return one of some pages; making them again each time would take longer than reading them."""
    random = Random(number)
    sentences = random.choice((1, 2, 3, 5, 8, 60))
    return made.page(random, f"https://site.example/{number}", sentences)


def _pages(random: Random, most: int = MOST_RECORDS) -> list[Known]:
    return [_page(number) for number in random.sample(range(500), random.randint(1, most))]


def _style(random: Random) -> Warc:
    line_end = random.choice(("\r\n",) * 9 + ("\n",))
    headers = ("WARC-Truncated: length",) if random.random() < 0.1 else ()
    return Warc(
        random.choice(VERSIONS), line_end=line_end, headers=headers, tail=random.choice(("\r\n\r\n",) * 9 + ("\r\n",))
    )


def _records(random: Random) -> list[tuple[bytes, Frame]]:
    """Return records of a WARC file, each with a frame that says what is in it."""
    style = _style(random)
    records = [(WARCINFO, Frame(b"", others=1))] if random.random() < 0.5 else []
    for known in _pages(random):
        if random.random() < 0.1:
            request = REQUEST.record(known.url, b"GET / HTTP/1.1\r\nHost: site.example\r\n\r\n")
            records.append((request, Frame(b"", others=1)))
        if random.random() < 0.05:
            records.append(_holder(random))
        records.append((_response(random, known, style), Frame(b"", (known,))))
    return records


def _response(random: Random, known: Known, style: Warc) -> bytes:
    """Return a record with a page, sent in one of the usual ways."""
    way = random.randrange(12)
    if way == 0:
        return style.record(known.url, made.http(zlib.compress(known.body), headers=["Content-Encoding: deflate"]))
    if way == 1:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(known.body), known.body)
        return style.record(known.url, made.http(body, headers=["Transfer-Encoding: chunked"]))
    if way == 2:
        body = made.gzip_member(known.body)
        return style.record(
            known.url, made.http(body, headers=["Content-Encoding: gzip", f"Content-Length: {len(body)}"])
        )
    return style.response(known)


def _holder(random: Random) -> tuple[bytes, Frame]:
    """Return a record that holds an archive."""
    inner = [replace(_page(number), url=f"https://hidden.example/{number}") for number in range(3)]
    pack = random.choice(("", ".gz", ".zst"))
    block = b"".join(PACKS[pack]([WARC.response(known) for known in inner]))
    record = RESOURCE.record("https://site.example/archive", block)
    return record, Frame(b"", hidden=tuple(known.url for known in inner), others=1)


def _framed(pack: str, records: list[tuple[bytes, Frame]]) -> tuple[Frame, ...]:
    """Return the frames of records that are compressed."""
    frames = PACKS[pack]([record for record, _ in records])
    if pack in DIVISIBLE:
        return tuple(replace(frame, data=data) for data, (_, frame) in zip(frames, records, strict=True))
    known = tuple(each for _, frame in records for each in frame.known)
    hidden = tuple(each for _, frame in records for each in frame.hidden)
    return (Frame(frames[0], known, hidden, sum(frame.others for _, frame in records)),)


def warc_case(random: Random) -> ArchiveCase:
    """Return a WARC file, at times of several that were joined."""
    pack = random.choice(list(PACKS))
    frames = _framed(pack, _records(random))
    while random.random() < 0.08 and "dictionary" not in pack:
        frames += _framed(random.choice(("", ".gz", ".gz whole", ".zst", ".lz4")), _records(random))
    name = random.choice(
        (f"crawl.warc{made.suffix(pack)}",) * 8 + ("download", "crawl.gz", "page.html", "crawl.warc.gz.open")
    )
    return ArchiveCase("warc", pack, name, frames)


def arc_case(random: Random) -> ArchiveCase:
    """Return an ARC file."""
    pack, version = random.choice(ARC_PACKS), random.choice((1, 1, 2))
    records = [(made.arc_head(version), Frame(b"", others=1))]
    records += [(made.arc(known, version), Frame(b"", (known,))) for known in _pages(random)]
    return ArchiveCase("arc", pack, f"crawl.arc{made.suffix(pack)}", _framed(pack, records))


def lines_case(random: Random) -> ArchiveCase:
    """Return JSON lines."""
    pack = random.choice(LINE_PACKS)
    records = [(made.json_line(known), Frame(b"", (known,))) for known in _pages(random)]
    return ArchiveCase("lines", pack, f"pages.jsonl{made.suffix(pack)}", _framed(pack, records))


def index_case(random: Random) -> ArchiveCase:
    """Return an index with the archive that it names."""
    pages, pack = _pages(random), random.choice(FEW_PACKS)
    frames = PACKS[pack]([WARC.response(known) for known in pages])
    file = f"named.warc{pack}"
    lines = [Frame(line, (known,)) for line, known in zip(made.cdxj_lines(pages, frames, file), pages, strict=True)]
    suffix = ".cdxj"
    if random.random() < 0.3:
        head, *rest = made.cdx_lines(pages, frames, file)
        lines = [Frame(head), *(Frame(line, (known,)) for line, known in zip(rest, pages, strict=True))]
        suffix = ".cdx"
    # Without the line that names its fields nobody knows what the others say.
    return ArchiveCase("index", pack, f"crawl{suffix}", tuple(lines), (), {file: b"".join(frames)}, suffix == ".cdx")


def table_case(random: Random) -> ArchiveCase:
    """Return a Parquet file."""
    pages = _pages(random)
    frame = Frame(made.parquet(pages, random.choice((1, 2, 20))), tuple(pages))
    return ArchiveCase("table", "", "pages.parquet", (frame,), needs_all=True)


def wacz_case(random: Random) -> ArchiveCase:
    """Return a WACZ file."""
    pack = random.choice(FEW_PACKS)
    frames = _framed(pack, _records(random))
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    data = made.wacz({f"data.warc{pack}": b"".join(frame.data for frame in frames)}, method)
    known = tuple(each for frame in frames for each in frame.known)
    hidden = tuple(each for frame in frames for each in frame.hidden)
    whole = Frame(data, known, hidden, sum(frame.others for frame in frames))
    return ArchiveCase("wacz", pack, "crawl.wacz", (whole,), needs_all=True)


KINDS: Final[dict[str, Callable[[Random], ArchiveCase]]] = {
    "warc": warc_case, "arc": arc_case, "lines": lines_case, "index": index_case, "table": table_case,
    "wacz": wacz_case,
}  # fmt: skip
KIND_NAMES: Final = ("warc",) * 10 + ("arc",) * 3 + ("lines",) * 2 + ("index",) * 2 + ("table", "wacz")

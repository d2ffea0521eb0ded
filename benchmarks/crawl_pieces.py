"""Pieces: the stretches that a file of the faulty crawl consists of, each with what is in it; and what makes them."""

import gzip
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

from testing.made_archives import DIVISIBLE, PACKS, WARC, WARCINFO, Known, Warc, page

Change = Callable[[bytes, Random], bytes]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a file, and what is in it."""

    data: bytes
    readable: tuple[Known, ...] = ()
    damaged: tuple[Known, ...] = ()  # may come out, or be reported
    salvaged: tuple[str, ...] = ()  # must come out, with a part of the text
    others: int = 0  # records that hold no page
    is_sound: bool = True


@dataclass(slots=True)
class Maker:
    """Makes the pieces of one file."""

    random: Random
    host: str
    count: int  # of records that the file is to have, more or less
    name: str
    folder: Path
    _made: int = field(default=0)

    def page(self, sentences: int | None = None, url: str = "") -> Known:
        """Return a page that no other file has."""
        self._made += 1
        url = url or f"https://{self.host}.example/{self._made}"
        return page(self.random, url, self.random.randint(5, 25) if sentences is None else sentences)

    def pages(self, count: int) -> list[Known]:
        """Return that many pages."""
        return [self.page() for _ in range(count)]

    def sound(self, count: int, pack: str = ".gz", style: Warc = WARC) -> list[Piece]:
        """Return pieces with nothing wrong: pages, and a record that holds none."""
        known = self.pages(count)
        frames = PACKS[pack]([WARCINFO, *map(style.response, known)])
        if pack not in DIVISIBLE:
            (whole,) = frames
            return [Piece(whole, tuple(known), others=1)]
        pieces = [Piece(frame, (each,)) for frame, each in zip(frames[1:], known, strict=True)]
        return [Piece(frames[0], others=1), *pieces]

    def between(self, *middle: Piece, pack: str = ".gz") -> list[Piece]:
        """Return pieces with nothing wrong before and after others."""
        half = self.count // 2
        return [*self.sound(half, pack), *middle, *self.sound(half, pack)]

    def spread(self, make: Callable[[], Piece], pack: str = ".gz", every: int = 9) -> list[Piece]:
        """Return pieces with nothing wrong, and others every so often among them."""
        pieces: list[Piece] = []
        for number, piece in enumerate(self.sound(self.count, pack)):
            pieces += [piece, make()] if number % every == 4 else [piece]
        return pieces

    def broken(self, change: Change, pack: str = ".gz", style: Warc = WARC) -> Piece:
        """Return a page whose bytes were changed."""
        known = self.page()
        (frame,) = PACKS[pack]([style.response(known)])
        return Piece(change(frame, self.random), damaged=(known,), is_sound=False)

    def odd(self, style: Warc, pack: str = "") -> Piece:
        """Return a page whose record is written in such a way that nobody knows its length."""
        return self.broken(lambda data, random: data, pack, style)

    def junk(self, data: bytes) -> Piece:
        """Return bytes that are no record."""
        return Piece(data, is_sound=False)


def flipped(data: bytes, at: int, mask: int = 0xFF) -> bytes:
    """Return bytes of which one is another."""
    changed = bytearray(data)
    changed[at] ^= mask
    return bytes(changed)


def cut_whole(maker: Maker, damage: Callable[[bytes, int], bytes], share: float = 0.6) -> list[Piece]:
    """Return a file compressed as a whole that is damaged somewhere: what comes before can be read."""
    known = maker.pages(maker.count)
    records = [WARCINFO, *map(WARC.response, known)]
    data = gzip.compress(b"".join(records), 6, mtime=0)
    at = int(len(data) * share)
    readable = len(zlib.decompressobj(31).decompress(data[:at]))
    before = sum(end <= readable for end in accumulate(map(len, records[1:]), initial=len(WARCINFO))) - 1
    return [Piece(damage(data, at), tuple(known[:before]), tuple(known[before:]), others=1, is_sound=False)]


def damaged_block(
    maker: Maker, blocks: Sequence[bytes], records: Sequence[bytes], known: Sequence[Known], size: int
) -> Piece:
    """Return a file of blocks that know nothing of records, of which one in the middle is damaged."""
    bad = len(blocks) // 2
    start, end = bad * size, (bad + 1) * size
    spans = list(pairwise(accumulate(map(len, records), initial=0)))
    lost = {number for number, (first, last) in enumerate(spans) if first < end and last > start}
    data = b"".join(flipped(block, len(block) // 2) if number == bad else block for number, block in enumerate(blocks))
    readable = tuple(each for number, each in enumerate(known) if number not in lost)
    return Piece(data, readable, tuple(known[number] for number in lost), is_sound=False)

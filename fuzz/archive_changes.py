"""What the archive fuzzer does to archives: bytes changed, left out or doubled, junk between records, wrong lengths."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from fuzz.archive_cases import FEW_PACKS, KIND_NAMES, KINDS, ArchiveCase, Frame
from testing import made_archives as made
from testing.made_archives import BGZIP_END, PACKS, Warc

LENGTHS: Final = (
    "0",
    "-1",
    "",
    " ",
    "1",
    "17",
    "999",
    "70000",
    "1000000",
    str(10**15),
    str(2**63),
    "1e3",
    "x",
    "9" * 5_000,
)
JUNK: Final = (
    b"\n", b"\r\n\r\n", b"\0" * 512, b"junk", b"WARC/1.0\r\n", b"\r\n\r\nWARC/1.0\r\n", b"<html>", b"\xff\xfe", b"{",
    b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PK\x03\x04",
    b"\x50\x2a\x4d\x18\xff\xff\xff\xff", b"http://a.example/ 192.0.2.7 20240502100000 text/html 99999999999\n",
)  # fmt: skip


def make(seed: int, index: int) -> ArchiveCase:
    """Return a case; one in four is sound."""
    random = Random(f"{seed}:{index}")
    kind = random.choice(KIND_NAMES)
    case = KINDS[kind](random)
    if random.random() < 0.25:
        return case
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        case = changed(case, random)
    return case


def changed(case: ArchiveCase, random: Random) -> ArchiveCase:
    """Return a case with one more change."""
    name = random.choice(list(CHANGES))
    frames = CHANGES[name](case, random)
    if frames is None:  # it does not apply
        return case
    damaged = replace(case, frames=tuple(frames), changes=(*case.changes, name))
    if not damaged.is_sound and case.kind in ("warc", "arc"):
        # By its content alone nobody may know it any more.
        damaged = replace(damaged, name=f"crawl.{case.kind}{made.suffix(case.pack)}")
    lost_head = not damaged.frames or damaged.frames[0].is_touched
    by_head = case.kind in ("arc", "lines", "index") or "dictionary" in case.pack
    needs_all = case.needs_all or (lost_head and by_head)
    return replace(damaged, needs_all=needs_all)


def _touched(frame: Frame, data: bytes, at: int, case: ArchiveCase) -> Frame:
    """Return a frame with other bytes from a place on; what comes before it in a stream of gzip can still be read."""
    readable = 0
    if frame.readable is None and case.pack == ".gz whole" and len(case.frames) == 1 and case.kind != "lines":
        readable = _pages_before(frame, at)
    return replace(frame, data=data, is_touched=True, readable=min(readable, frame.readable or readable))


def _pages_before(frame: Frame, at: int) -> int:
    try:
        # Some bytes before the damage may share a step of the decompressor with it.
        content = zlib.decompressobj(31).decompress(frame.data[: max(0, at - 64)])
    except zlib.error:
        return 0
    ends = [content.find(known.body[-60:]) for known in frame.known]
    count = 0
    # The record after it shows where one ends.
    while count + 1 < len(ends) and ends[count] >= 0 and ends[count + 1] >= 0:
        count += 1
    return count


def _at(frame: Frame, random: Random) -> int:
    """Return a place in a frame; those near its ends are the ones that say most."""
    size = len(frame.data)
    return min(
        size - 1,
        random.choice((random.randrange(24), size - 1 - random.randrange(min(size, 12)), random.randrange(size))),
    )


def _one(change: Callable[[bytes, int, Random], bytes]) -> "Change":
    """Return what changes bytes of one frame."""

    def apply(case: ArchiveCase, random: Random) -> list[Frame] | None:
        chosen = [number for number, frame in enumerate(case.frames) if frame.data]
        if not chosen:
            return None
        number = random.choice(chosen)
        frame = case.frames[number]
        at = _at(frame, random)
        data = change(frame.data, at, random)
        if data == frame.data:
            return None
        return [*case.frames[:number], _touched(frame, data, at, case), *case.frames[number + 1 :]]

    return apply


def _flip(data: bytes, at: int, random: Random) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]


def _random_bytes(data: bytes, at: int, random: Random) -> bytes:
    count = random.choice((1, 2, 4, 64, 512))
    return (data[:at] + random.randbytes(count) + data[at + count :])[: len(data)]


def _zeros(data: bytes, at: int, random: Random) -> bytes:
    count = random.choice((4, 64, 512, 4096))
    return (data[:at] + bytes(count) + data[at + count :])[: len(data)]


def _left_out(data: bytes, at: int, random: Random) -> bytes:
    return data[:at] + data[at + random.choice((1, 2, 7, 100)) :]


def _put_in(data: bytes, at: int, random: Random) -> bytes:
    return data[:at] + random.choice(JUNK) + data[at:]


def _doubled(data: bytes, at: int, random: Random) -> bytes:
    return data[: at + random.choice((1, 9, 200))] + data[at:]


def _cut(case: ArchiveCase, random: Random) -> list[Frame] | None:
    """End the file in the middle of a frame."""
    number = random.randrange(len(case.frames))
    frame = case.frames[number]
    if not frame.data:
        return None
    at = max(1, _at(frame, random))  # of a file without bytes nobody knows what it was
    return [*case.frames[:number], _touched(frame, frame.data[:at], at, case)]


def _junk_between(case: ArchiveCase, random: Random) -> list[Frame]:
    number = random.randint(0, len(case.frames))
    junk = Frame(random.choice(JUNK) * random.choice((1, 1, 30)), is_touched=True)
    return [*case.frames[:number], junk, *case.frames[number:]]


def _padding(case: ArchiveCase, random: Random) -> list[Frame] | None:
    """Put in what may stand between records: empty members and frames, or blank lines."""
    empty = {
        ".gz": made.gzip_member(b""),
        ".gz blocks": BGZIP_END,
        ".zst": made.zstd_frame(b""),
        ".lz4": made.lz4_frame(b""),
    }
    if case.kind not in ("warc", "arc") or case.pack not in empty or not case.is_sound:
        return None
    number = random.randint(0, len(case.frames))
    return [*case.frames[:number], Frame(empty[case.pack]), *case.frames[number:]]


def _frame_twice(case: ArchiveCase, random: Random) -> list[Frame] | None:
    number = random.randrange(len(case.frames))
    if case.needs_all or "dictionary" in case.pack or case.pack == ".gz blocks" or (case.kind == "arc" and not number):
        return None
    return [*case.frames[: number + 1], *case.frames[number:]]


def _wrong_length(case: ArchiveCase, random: Random) -> list[Frame] | None:
    """Have a record state another length."""
    chosen = [number for number, frame in enumerate(case.frames) if len(frame.known) == 1 and not frame.is_touched]
    if case.kind != "warc" or case.pack not in FEW_PACKS or not chosen:
        return None
    number = random.choice(chosen)
    frame = case.frames[number]
    off = str(len(made.http(frame.known[0].body)) + random.choice((-3, -2, -1, 1, 2, 3, 4)))
    style = Warc(length=random.choice((*LENGTHS, off, off, off)))
    (data,) = PACKS[case.pack]([style.response(frame.known[0])])
    return [*case.frames[:number], replace(frame, data=data, is_touched=True), *case.frames[number + 1 :]]


Change = Callable[[ArchiveCase, Random], "list[Frame] | None"]
CHANGES: Final[dict[str, Change]] = {
    "flip": _one(_flip), "random bytes": _one(_random_bytes), "zeros": _one(_zeros), "left out": _one(_left_out),
    "put in": _one(_put_in), "doubled": _one(_doubled), "cut": _cut, "junk between": _junk_between, "padding": _padding,
    "frame twice": _frame_twice, "wrong length": _wrong_length,
}  # fmt: skip

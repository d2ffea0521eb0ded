"""Every byte of an archive belongs to a record, to padding or to a gap, whatever is damaged, in parts of any size."""

import bz2
import gzip
import io
import lzma
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import pytest
import zstandard

from dehusk.sources import RawPage, archives
from dehusk.sources.account import Account
from dehusk.sources.inputs import look_at
from dehusk.sources.raw_file import RawFile
from tests.helpers.archives import ARC_HEAD, arc_record, http, warc_record

LIMIT = 1_000_000
URL = "https://example.org"
BGZIP_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
DICTIONARY = zstandard.ZstdCompressionDict(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:" * 20)
ONE_BY_ONE: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "stored": lambda data: gzip.compress(data, 0),
    "zstd": zstandard.compress,
    "lz4": lz4.frame.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
}


def skippable(data: bytes, number: int = 0) -> bytes:
    return bytes([0x50 + number]) + b"\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data


def with_dictionary(records: list[bytes], packed: Callable[[bytes], bytes]) -> bytes:
    compress = zstandard.ZstdCompressor(dict_data=DICTIONARY).compress
    return skippable(packed(DICTIONARY.as_bytes()), 13) + b"".join(map(compress, records))


def in_blocks(data: bytes, size: int) -> bytes:
    """Return data compressed as bgzip does, without regard to records."""
    return b"".join(gzip.compress(data[start : start + size]) for start in range(0, len(data), size)) + BGZIP_END


def read(data: bytes, start: int = 0, end: int | None = None, *, exact: bool = False) -> tuple[list[RawPage], Account]:
    account = Account()
    pages = list(archives.read(io.BytesIO(data), "a", LIMIT, start, end, exact=exact, account=account))
    assert account.is_balanced
    return pages, account


def whole(data: bytes) -> tuple[list[RawPage], Account]:
    pages, account = read(data)
    assert (account.start, account.end) == (0, len(data))
    return pages, account


def in_parts(data: bytes, size: int) -> list[RawPage]:
    """Read parts of a file; one that does not begin where the last one ended is read again."""
    found, position = [], 0
    for start in range(0, len(data), size):
        end = start + size if start + size < len(data) else None
        pages, account = read(data, start, end)
        if account.start != position:
            pages, account = read(data, position, end, exact=True)
        found += pages
        position = account.end
    assert position == len(data)
    return found


def numbers(pages: list[RawPage]) -> list[str]:
    return [(page.url or "").rpartition("/")[2] for page in pages if not page.problem]


def some_records(choose: random.Random, count: int) -> list[bytes]:
    """Return records, some of which hold an archive."""
    texts = [" ".join(choose.choices(["<p>word", "text", "\r\n\r\n", "\n"], k=choose.randrange(900))).encode()]
    inner = [warc_record(1_000 + number) for number in range(5)]
    compress = choose.choice(list(ONE_BY_ONE.values()))
    blocks = [http(texts[0]), http(b""), http(b"".join(map(compress, inner))), http(b"x" * choose.randrange(9_000))]
    record = choose.choice([warc_record, arc_record])
    return [record(number, choose.choice(blocks)) for number in range(count)]


LAYOUTS: dict[str, Callable[[list[bytes]], bytes]] = {
    **{
        name: lambda records, compress=compress: b"".join(map(compress, records))  # type: ignore[misc]
        for name, compress in ONE_BY_ONE.items()
    },
    "mixed": lambda records: b"".join(
        list(ONE_BY_ONE.values())[index % len(ONE_BY_ONE)](record) for index, record in enumerate(records)
    ),
    "dictionary": lambda records: with_dictionary(records, bytes),
    "packed dictionary": lambda records: with_dictionary(records, zstandard.compress),
    "whole": lambda records: gzip.compress(b"".join(records)),
    "whole zstd": lambda records: zstandard.compress(b"".join(records)),
    "blocks": lambda records: in_blocks(b"".join(records), 1_777),
    "pairs": lambda records: b"".join(
        gzip.compress(b"".join(records[start : start + 2])) for start in range(0, len(records), 2)
    ),
    "padding": lambda records: b"".join(
        gzip.compress(record) + BGZIP_END + gzip.compress(b"") + skippable(b"abc") for record in records
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(3))
def test_records_are_the_same_in_parts_of_any_size(layout: str, seed: int) -> None:
    records = some_records(random.Random(seed), 12)
    data = LAYOUTS[layout](records)
    pages, account = whole(data)
    assert numbers(pages) == [str(number) for number in range(12)]
    assert (account.records, account.gaps) == (12, [])
    for size in (100, 1_000, 7_000):
        assert in_parts(data, size) == pages


FAULTS: dict[str, Callable[[bytes, int], bytes]] = {
    "flip": lambda data, place: data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :],
    "cut": lambda data, place: data[:place],
    "junk": lambda data, place: data[:place] + b"<p>junk" * 50 + data[place:],
    "lost": lambda data, place: data[:place] + data[place + 300 :],
    "empty": lambda data, place: data[:place] + BGZIP_END + data[place:],
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_fault_costs_only_what_it_hits(layout: str, fault: str) -> None:
    choose = random.Random(f"{layout} {fault}")
    records = [warc_record(number, http(b"<p>text %d " % number * choose.randrange(1, 300))) for number in range(9)]
    data = LAYOUTS[layout](records)
    for _ in range(4):
        place = choose.randrange(len(data))
        damaged = FAULTS[fault](data, place)
        pages, _ = whole(damaged)
        assert in_parts(damaged, 500) == pages
        if layout in ("plain", "gzip", "stored", "lz4"):
            # The records whose bytes are there, one after the other.
            intact = [str(number) for number, record in enumerate(records) if ONE_BY_ONE[layout](record) in damaged]
            assert [number for number in intact if number not in numbers(pages)] == []


@pytest.mark.parametrize("layout", ["plain", "gzip", "zstd", "lz4", "whole", "blocks", "pairs"])
@pytest.mark.parametrize("length", ["1000000000000000", str(2**63), "-1", "many", "0", "5"])
def test_a_wrong_length_costs_its_record_only_wherever_that_is(layout: str, length: str) -> None:
    records = [warc_record(number) for number in range(4)]
    head, _, block = records[1].partition(b"\r\n\r\n")
    records[1] = head[: head.rindex(b" ") + 1] + length.encode() + b"\r\n\r\n" + block
    pages, account = whole(LAYOUTS[layout](records))
    assert numbers(pages) == ["0", "2", "3"]
    assert [page.problem.code for page in pages if page.problem] == ["wrong-length"]
    assert account.records == 4


@pytest.mark.parametrize("layout", ["plain", "gzip", "whole"])
@pytest.mark.parametrize("extra", [-2, -1, 1, 2])
def test_lengths_that_are_off_by_one_or_two_are_read(layout: str, extra: int) -> None:
    records = [warc_record(number, extra=extra) for number in range(3)]
    assert numbers(whole(LAYOUTS[layout](records))[0]) == ["0", "1", "2"]


def test_what_follows_an_empty_member_is_read() -> None:
    members = [gzip.compress(warc_record(number)) for number in range(20)]
    for empty in (gzip.compress(b""), BGZIP_END):
        pages, account = whole(b"".join(members[:10]) + empty + b"".join(members[10:]))
        assert (len(numbers(pages)), account.padding) == (20, len(empty))


@pytest.mark.parametrize("version", ["0.17", "0.18", "1.0", "1.1", "2.0"])
def test_versions_and_line_ends(version: str) -> None:
    for ends in (b"\n", b"\r\n", b"\r\r\n"):
        data = b"".join(warc_record(number, version=version).replace(b"\r\n", ends) for number in range(3))
        data = data.replace(b"Content-Type: app", b"X: y" + ends + b" z" + ends + b"Content-Type: app")
        assert [page.url for page in whole(data)[0]] == [f"https://example.org/{number}" for number in range(3)]


def test_long_and_repeated_headers() -> None:
    url = b"https://example.org/" + b"u" * 40_000
    long = warc_record(0).replace(b"https://example.org/0", url)
    twice = warc_record(1).replace(b"Content-Type: application", b"Content-Type: text/x\r\nContent-Type: application")
    repeated = warc_record(2).replace(b"WARC-Date", b"A: b\r\n" * 30_000 + b"WARC-Date")
    cut = warc_record(3).replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date")
    pages, _ = whole(long + twice + repeated + cut)
    assert [len(page.url or "") for page in pages] == [40_020, 21, 21, 21]
    assert [page.record.type for page in pages if page.record] == ["text/html", "text/x", "text/html", "text/html"]
    assert [page.record.truncated for page in pages if page.record] == [None, None, None, "length"]


def test_arc_records_of_version_2_and_bad_ones() -> None:
    second = b"http://example.org/a b 192.0.2.7 20240502100000 text/html 200 - - 0 a.arc 3\nabc\n"
    bad = b"http://example.org/ 192.0.2.7 201404010000000000 text/html -1\n\n"
    last = b"http://example.org/ 192.0.2.7 20240502100000 text/plain 1\na\n"
    pages, account = whole(ARC_HEAD + second + bad + bad + last)
    assert [page.url for page in pages[1:]] == ["http://example.org/a b", *["http://example.org/"] * 3]
    assert (account.records, account.gaps, pages[1].data) == (5, [], b"abc")


def test_a_gap_is_a_page_with_its_reason_and_an_entry_of_the_account() -> None:
    members = [gzip.compress(warc_record(number)) for number in range(2)]
    pages, account = whole(members[0] + b"garbage" + members[1])
    (gap,) = account.gaps
    assert (gap.start, gap.end) == (len(members[0]), len(members[0]) + 7)
    assert (pages[1].problem, pages[1].name) == (gap.reason, f"a:{gap.start}")
    assert pages[1].record
    assert pages[1].record.kind == "unknown"


def repeated_block(count: int, first: bytes) -> bytes:
    """Return a frame of zstd with some bytes and `count` blocks of 128 KB that take four bytes each."""
    block = (2**17 << 3 | 2).to_bytes(3, "little") + b"x"
    end = (1 << 3 | 3).to_bytes(3, "little") + b"\n"
    return b"\x28\xb5\x2f\xfd\x00\x58" + (len(first) << 3).to_bytes(3, "little") + first + block * count + end


HOSTILE: dict[str, Callable[[], bytes]] = {
    "zstd bomb": lambda: repeated_block(50_000, b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 9999999999\r\n\r\n"),
    "zstd window": lambda: b"\x28\xb5\x2f\xfd\x00\xa8" + b"x" * 100,
    "dictionary bomb": lambda: skippable(repeated_block(9_000, b"x"), 13) + zstandard.compress(warc_record(0)),
    "empty members": lambda: gzip.compress(b"") * 5_000,
    "wrong lengths": lambda: b"".join(warc_record(number, extra=10**9) for number in range(3_000)),
    "headers without end": lambda: b"WARC/1.0\r\nWARC-Type: x\r\n" * 5_000 + b"A: b\r\n" * 300_000,
    "gzip beginnings": lambda: b"\x1f\x8b\x08\x08\x01\x01\x01\x01\x02\x03" * 20_000,
    "zstd beginnings": lambda: b"\x28\xb5\x2f\xfd\x00\x88" * 20_000,
    "skippable": lambda: skippable(b"") * 20_000 + b"\x50\x2a\x4d\x18\xff\xff\xff\xff",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_take_bounded_work(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.raw_file.ALLOWANCE", 2**26)
    monkeypatch.setattr("dehusk.sources.raw_file.TOTAL_ALLOWANCE", 2**26)
    monkeypatch.setattr("dehusk.sources.content.IN_MEMORY", 2**20)
    data = HOSTILE[kind]()
    work = list[int]()
    original = RawFile.spend

    def spend(self: RawFile, count: int, position: int) -> None:
        work.append(count)
        original(self, count, position)

    monkeypatch.setattr(RawFile, "spend", spend)
    whole(data)
    assert sum(work) < 2**27 + 200 * len(data)


def test_many_bombs_hide_no_sound_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.raw_file.ALLOWANCE", 2**21)
    bomb = repeated_block(30, b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 9999999999\r\n\r\n")
    data = b"".join(bomb + zstandard.compress(warc_record(number)) for number in range(9))
    pages, _ = whole(data)
    assert numbers(pages) == [str(number) for number in range(9)]
    for size in (300, 700, 1_000):
        assert in_parts(data, size) == pages


def test_content_decides_what_an_archive_is(tmp_path: Path) -> None:
    old = b"".join(warc_record(number, version="0.18") for number in range(2))
    for name, data in (("a.gz", old), ("b.warc.gz.open", gzip.compress(old)), ("c", with_dictionary([old], bytes))):
        (tmp_path / name).write_bytes(data)
        assert look_at(str(tmp_path / name)).kind.name == "archive"


def text(seed: int, count: int) -> bytes:
    """Return words that are compressed to a half, as those of a language are."""
    choose = random.Random(seed)
    return b" ".join(b"%d" % choose.randrange(3_000) for _ in range(count))


@pytest.mark.parametrize("layout", ["whole", "whole zstd", "whole xz", "blocks"])
@pytest.mark.parametrize("fault", ["flip", "cut", "lost"])
def test_records_before_the_damage_of_a_stream_come_out_and_the_rest_is_a_gap(layout: str, fault: str) -> None:
    records = [warc_record(number, http(text(number, 9_000))) for number in range(20)]
    stream = lzma.compress(b"".join(records)) if layout == "whole xz" else LAYOUTS[layout](records)
    damaged = FAULTS[fault](stream, len(stream) // 2)
    pages, _ = whole(damaged)
    assert numbers(pages)[:5] == ["0", "1", "2", "3", "4"]
    assert in_parts(damaged, 50_000) == pages


def test_a_damaged_record_does_not_take_what_may_have_been_others() -> None:
    stream = zlib.compressobj(wbits=31)
    records = [warc_record(number) for number in range(4)]
    begun = stream.compress(b"".join(records)[:-100]) + stream.flush(zlib.Z_FULL_FLUSH)
    pages, account = whole(begun + b"\xff" * 5_000 + gzip.compress(warc_record(4)))
    assert numbers(pages) == ["0", "1", "2", "4"]
    assert [page.problem.code for page in pages if page.problem] == ["damaged", "gap"]
    (gap,) = account.gaps
    assert (gap.start - len(begun) < 500, gap.end) == (True, len(begun) + 5_000)


@pytest.mark.parametrize("fault", [b"SARC/1.0\r\nWARC-Type: x\r\n", b"\0" * 600, b"http://exam", b"<p>"])
def test_a_record_is_whole_if_its_length_ends_at_a_line_end_whatever_follows(fault: bytes) -> None:
    for record in (warc_record(0).removesuffix(b"\r\n"), arc_record(0)):
        pages, account = whole(record + fault)
        assert numbers(pages) == ["0"]
        assert [(gap.start, gap.end) for gap in account.gaps] == [(len(record), len(record) + len(fault))]


def test_a_length_that_ends_in_another_record_is_wrong_even_at_a_line_end() -> None:
    following = arc_record(1, http(b"<p>a\n<p>b\n<p>c\n"))
    block = http(b"<p>") + b"\n" + following[: following.index(b"<p>b") - 1]
    pages, _ = whole(arc_record(0, block)[: -1 - len(block)] + http(b"<p>") + b"\n" + following)
    assert [page.problem.code if page.problem else page.url for page in pages] == ["wrong-length", f"{URL}/1"]


def test_a_length_of_any_size_in_more_than_fits_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.content.IN_MEMORY", 2**16)
    pages, account = whole(gzip.compress(warc_record(0, bytes(2**20), extra=10**15)) + gzip.compress(warc_record(1)))
    assert [page.problem.code if page.problem else page.url for page in pages] == ["wrong-length", f"{URL}/1"]
    assert account.gaps == []


def test_a_version_is_no_header_of_an_arc_record() -> None:
    pages, _ = whole(b"WARC/1.0\r\n" + arc_record(1))
    assert numbers(pages) == ["1"]


@pytest.mark.parametrize(
    "magic", [b"\x28\xb5\x2f\xfd\x64\x21\x01", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff", b"lost"]
)
@pytest.mark.parametrize(
    "literals", [b"WARC/1.0\r\nWARC-Type: response\r\nWARC-", warc_record(9)[:150], arc_record(9)[:150]]
)
def test_literals_of_a_damaged_frame_are_no_records(magic: bytes, literals: bytes) -> None:
    sound = [compress(warc_record(number)) for number, compress in enumerate(ONE_BY_ONE.values())][1:]
    damaged = magic + literals + b"\x05\x93\x00\x81" * 30
    data = sound[0] + damaged + b"".join(sound[1:])
    pages, account = whole(data)
    assert numbers(pages) == ["1", "2", "3", "4", "5", "6"]
    if magic != b"lost":
        assert [(gap.start, gap.end) for gap in account.gaps] == [(len(sound[0]), len(sound[0]) + len(damaged))]
    assert in_parts(data, 200) == pages


def test_a_line_end_by_chance_makes_no_record_of_literals() -> None:
    literals = b"\x28\xb5\x2f\xfd" + arc_record(9, bytes(7)) + bytes(9)
    assert numbers(whole(literals + zstandard.compress(warc_record(0)))[0]) == ["0"]


def test_what_is_not_compressed_after_a_damaged_frame_is_read_if_it_is_sound() -> None:
    pages, account = whole(b"\x28\xb5\x2f\xfd\xff\xff" + b"".join(map(warc_record, range(3))))
    assert numbers(pages) == ["0", "1", "2"]
    assert len(account.gaps) == 1


@pytest.mark.parametrize("false", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"])
def test_many_false_frames_do_not_hide_a_sound_one(false: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sources.raw_file.ALLOWANCE", 2**25)
    pages, account = whole(false * 20_000 + gzip.compress(warc_record(0)))
    assert numbers(pages) == ["0"]
    assert len(account.gaps) == 1


@pytest.mark.parametrize("layout", ["lz4", "xz", "bzip2", "zstd"])
def test_what_is_not_compressed_right_after_a_cut_frame_is_read(layout: str) -> None:
    cut = ONE_BY_ONE[layout](warc_record(0))[:-12]
    pages, _ = whole(cut + warc_record(1) + warc_record(2))
    assert numbers(pages) == ["1", "2"]


def test_records_that_lost_some_bytes_do_not_take_those_of_the_next() -> None:
    short = arc_record(0).replace(b"<title>", b"<itle")
    assert [page.url for page in whole(short + arc_record(1) + arc_record(2))[0]] == [f"{URL}/{n}" for n in range(3)]
    for record in (warc_record, arc_record):
        lost = record(0)[:55] + bytes(400)
        pages, _ = whole(lost + record(1) + record(2))
        assert [page.problem is None for page in pages] == [False, True, True]
        assert numbers(pages) == ["1", "2"]


def test_a_record_in_a_frame_with_a_wrong_checksum_is_damaged_whatever_follows_it() -> None:
    member = bytearray(gzip.compress(warc_record(0) + b"more"))
    member[-8] ^= 1
    pages, _ = whole(bytes(member) + gzip.compress(warc_record(1)))
    assert numbers(pages) == ["1"]


@pytest.mark.parametrize("layout", ["plain", "gzip", "whole"])
def test_odd_records_that_other_readers_read(layout: str) -> None:
    plus = warc_record(0).replace(b"Content-Length: ", b"Content-Length: +")
    blank = warc_record(1).replace(b"\r\nWARC-Type", b"\r\n WARC-Type")
    tail = warc_record(2).removesuffix(b"\r\n") + b"  \r\n"
    no_type = warc_record(3).replace(b"Content-Type: application/http; msgtype=response\r\n", b"")
    pages, account = whole(LAYOUTS[layout]([plus, blank, tail, no_type]))
    assert numbers(pages) == ["0", "1", "2", "3"]
    assert account.gaps == []
    assert [page.record.kind for page in pages if page.record] == ["response"] * 4
    assert [bytes(page.data[:7]) for page in pages if isinstance(page.data, bytes)] == [b"<title>"] * 4

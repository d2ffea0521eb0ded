"""Records of archives: every one is read, or reported with its problem, and what comes after it is read too."""

import gzip
import io
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Limits
from dehusk.sources import RawPage, archives, find, read
from dehusk.sources.account import Account
from tests.helpers.archives import (
    ARC_HEAD,
    COMPRESSORS,
    HTML,
    WHOLE,
    arc_record,
    http,
    joined,
    warc_record,
)

LIMIT = 1_000_000
RECORDS = [warc_record(number) for number in range(4)]
MEMBERS = [gzip.compress(record) for record in RECORDS]
every_compression = pytest.mark.parametrize("suffix", COMPRESSORS)


def pages(data: bytes, name: str = "a.warc.gz", start: int = 0, end: int | None = None) -> list[RawPage]:
    return list(archives.read(io.BytesIO(data), name, LIMIT, start, end))


def in_parts(data: bytes, name: str, bounds: list[int | None]) -> list[RawPage]:
    """Return what is read in parts, each of which is read again if it does not begin where the one before ended."""
    found: list[RawPage] = []
    position = 0
    for start, end in pairwise(bounds):
        account = Account()
        part = list(archives.read(io.BytesIO(data), name, LIMIT, start or 0, end, account=account))
        if account.start != position:
            account = Account()
            part = list(archives.read(io.BytesIO(data), name, LIMIT, position, end, exact=True, account=account))
        assert account.is_balanced
        found += part
        position = account.end
    assert position == len(data)
    return found


def outcome(data: bytes, name: str = "a.warc.gz") -> list[str]:
    """Return the number of each page that is whole, of all others the code of the problem."""
    return [
        page.problem.code if page.problem else (page.url or "").rpartition("/")[2] if page.data else "empty"
        for page in pages(data, name)
    ]


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


@every_compression
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_records_have_their_page_and_its_origin(suffix: str, version: str) -> None:
    data = joined([warc_record(number, version=version) for number in range(3)], suffix)
    found = pages(data, f"a.warc{suffix}")
    assert [page.data for page in found] == [HTML.format(number).encode() for number in range(3)]
    second = found[1]
    assert (second.url, second.charset) == ("https://example.org/1", "utf-8")
    assert second.record
    assert (second.record.status, second.record.type, second.record.ip) == (200, "text/html", "192.0.2.7")
    assert (second.record.date, second.record.id) == ("2024-05-02T10:00:00Z", f"<urn:uuid:{1:032x}>")
    # The offset leads to the bytes of the record.
    assert pages(data, f"a.warc{suffix}", second.record.offset)[0] == second


@pytest.mark.parametrize("suffix", WHOLE)
def test_archives_compressed_as_a_whole_are_read_too(suffix: str) -> None:
    assert outcome(WHOLE[suffix](b"".join(RECORDS)), f"a.warc{suffix}") == ["0", "1", "2", "3"]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_arc_files(suffix: str) -> None:
    data = joined([ARC_HEAD, *map(arc_record, range(3))], suffix)
    head, *found = pages(data, f"old.arc{suffix}")
    assert head.record
    assert head.record.kind == "warcinfo"
    assert [page.data for page in found] == [HTML.format(number).encode() for number in range(3)]
    assert found[0].record
    assert (found[0].record.status, found[0].record.date) == (200, "2024-05-02T10:00:00Z")


# Whether enough of the record is left to see what it is.
@pytest.mark.parametrize(("place", "code"), [(1, "gap"), (20, "gap"), (60, "gap"), (270, "damaged"), (-6, "damaged")])
def test_after_a_corrupt_member_reading_goes_on(place: int, code: str) -> None:
    damaged = flipped(MEMBERS[1], place % len(MEMBERS[1]))
    assert outcome(MEMBERS[0] + damaged + MEMBERS[2] + MEMBERS[3]) == ["0", code, "2", "3"]
    assert outcome(damaged + MEMBERS[2]) == [code, "2"]
    assert outcome(MEMBERS[0] + damaged) == ["0", code]


def test_after_a_corrupt_arc_member_reading_goes_on() -> None:
    members = [gzip.compress(record) for record in (ARC_HEAD, *map(arc_record, range(3)))]
    data = members[0] + members[1] + flipped(members[2], 60) + members[3]
    assert outcome(data, "old.arc.gz")[1:] == ["0", "gap", "2"]


@every_compression
@pytest.mark.parametrize("extra", [-20, 20])
def test_a_wrong_length_costs_its_record_only(suffix: str, extra: int) -> None:
    wrong = warc_record(1, extra=extra)
    assert outcome(joined([RECORDS[0], wrong, *RECORDS[2:]], suffix), f"a.warc{suffix}") == [
        "0",
        "wrong-length",
        "2",
        "3",
    ]


@every_compression
def test_a_file_that_ends_too_early_is_noticed(suffix: str) -> None:
    *whole, last = outcome(joined(RECORDS[:2], suffix)[:-40], f"a.warc{suffix}")
    # A frame of zstd or LZ4 shows that it holds a record only if its first block is whole.
    assert last == ("gap" if suffix in (".zst", ".lz4") else "truncated")
    assert whole == ["0"]


def test_a_member_that_ends_too_early_is_noticed() -> None:
    assert outcome(MEMBERS[0] + MEMBERS[1][:-50] + MEMBERS[2]) == ["0", "damaged", "2"]


def test_garbage_between_records_is_reported_and_costs_none() -> None:
    assert outcome(MEMBERS[0] + b"garbage" + MEMBERS[1]) == ["0", "gap", "1"]


def test_what_is_no_archive_says_so() -> None:
    assert outcome(b"<html>" * 100) == ["invalid-record"]
    assert outcome(b"<html>" * 100, "a.arc") == ["invalid-record"]
    assert outcome(b"") == []


@given(
    cuts=st.lists(st.integers(0, sum(map(len, MEMBERS))), max_size=3),
    damage=st.one_of(st.none(), st.integers(0, sum(map(len, MEMBERS)) - 1)),
    suffix=st.sampled_from(["", ".gz", ".zst"]),
)
@settings(max_examples=150, deadline=None)
def test_ranges_share_all_records_among_them(cuts: list[int], damage: int | None, suffix: str) -> None:
    data = joined(RECORDS, suffix)
    if damage is not None and suffix:  # without a checksum damage cannot be seen
        data = flipped(data, damage % len(data))
    bounds = [0, *sorted(cuts), None]
    assert in_parts(data, f"a.warc{suffix}", bounds) == pages(data, f"a.warc{suffix}")


def test_a_page_over_the_limit_is_not_read_as_a_whole() -> None:
    large = warc_record(1, http(b"<p>" + b"x" * 5_000_000))
    _, page, last = pages(joined([RECORDS[0], large, RECORDS[2]]))
    assert len(page.data) == LIMIT + 1
    assert last.data


def test_only_pages_of_a_crawl_are_extracted(tmp_path: Path) -> None:
    kinds = [
        warc_record(0, b"software: test", kind="warcinfo"),
        warc_record(1, b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        warc_record(2),
        warc_record(3, http(b"%PDF-", "application/pdf")),
        warc_record(4, http(b"<p>Not here", status="404 Not Found")),
        warc_record(5, b"The text of a page.", kind="conversion"),
    ]
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(joined(kinds))
    limits = Limits()
    assert find([str(tmp_path)]) == [str(path)]
    assert [page.url for page in read([str(path)], limits)] == ["https://example.org/2", "https://example.org/5"]
    assert [page.data for page in read([str(path)], limits, field="text")] == [b"The text of a page."]


def test_a_record_that_is_no_response_is_read_up_to_one_byte_more_than_the_limit() -> None:
    (page,) = archives.read(io.BytesIO(warc_record(1, b"x" * 50, kind="resource")), "a.warc", 20)
    assert page.data == b"x" * 21


def test_addresses_in_angle_brackets_are_read_without_them() -> None:
    record = warc_record(1).replace(b"https://example.org/1\r\n", b"<https://example.org/1>\r\n")
    (page,) = archives.read(io.BytesIO(record), "a.warc", 1_000)
    assert page.url == "https://example.org/1"


def test_a_part_that_ends_where_a_record_begins_leaves_it_to_the_next_part() -> None:
    records = [warc_record(number) for number in range(3)]
    first, second = len(records[0]), len(records[0] + records[1])
    file = io.BytesIO(b"".join(records))
    for start, end, expected in ((0, first, "0"), (first, second, "1"), (second, None, "2"), (1, first, "")):
        urls = [page.url for page in archives.read(file, "a.warc", 1_000, start, end)]
        assert urls == [f"https://example.org/{number}" for number in expected]

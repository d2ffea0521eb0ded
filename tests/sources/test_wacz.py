"""WACZ files: their archives are read inside the zip file, and every byte of that is accounted for."""

import gzip
import io
import random
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dehusk import Limits
from dehusk.corpus.build import build
from dehusk.corpus.settings import Extraction, Settings
from dehusk.reasons import Code
from dehusk.sources import RawPage, read, wacz
from dehusk.sources.account import Account
from tests.helpers.archives import ARC_HEAD, HTML, arc_record, joined, warc_record

STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
FILES: dict[str, bytes] = {
    "datapackage.json": b"{}",
    "archive/a.warc.gz": joined(map(warc_record, range(3))),
    "indexes/index.cdx.gz": gzip.compress(b"not read"),
    "archive/deep/er/b.warc": b"".join(map(warc_record, range(3, 6))),
    "pages/pages.jsonl": b'{"html": "<p>not read"}\n',
    "other/old.arc": b"".join([ARC_HEAD, *map(arc_record, range(6, 8))]),
    "archive/": b"",
}


def packed(files: dict[str, bytes], method: int = STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def found(data: bytes, start: int = 0, end: int | None = None) -> tuple[list[RawPage], Account]:
    account = Account()
    return list(wacz.read(io.BytesIO(data), "a.wacz", 10**6, start, end, account)), account


def pages(records: list[RawPage]) -> list[bytes | str]:
    return [page.data for page in records if page.record and page.record.is_page and not page.problem]


def problem(page: RawPage) -> Code | None:
    return page.problem.code if page.problem else None


@pytest.mark.parametrize("method", [STORED, DEFLATED])
def test_archives_in_a_zip_file_are_read(method: int) -> None:
    records, account = found(packed(FILES, method))
    assert pages(records) == [HTML.format(number).encode() for number in range(8)]
    first = records[0].record
    assert first is not None
    assert (records[0].name, first.file, first.offset) == ("a.wacz:archive/a.warc.gz:0", "a.wacz:archive/a.warc.gz", 0)
    assert account.end == len(packed(FILES, method))


def test_parts_are_archives() -> None:
    data = packed(FILES)
    whole, _ = found(data)
    assert wacz.members(io.BytesIO(data)) == 3
    parts = [found(data, start, end) for start, end in ((0, 1), (1, 2), (2, None))]
    assert [page for records, _ in parts for page in records] == whole
    assert [account.start for _, account in parts[1:]] == [account.end for _, account in parts[:-1]]
    assert (parts[0][1].start, parts[-1][1].end) == (0, len(data))


@pytest.mark.parametrize("method", [STORED, DEFLATED])
def test_every_byte_of_a_zip_file_is_accounted_for(method: int) -> None:
    _, account = found(packed(FILES, method))
    assert (account.is_balanced, account.gaps) == (True, [])


def test_archives_are_read_wherever_one_looks() -> None:
    """Going back in a compressed archive, a little or far, gives the same bytes."""
    content = random.Random(1).randbytes(3 * wacz.RECENT)
    data = packed({"archive/a.warc": content}, DEFLATED)
    (info,) = zipfile.ZipFile(io.BytesIO(data)).infolist()
    stream = io.BufferedReader(wacz._Inflated(io.BytesIO(data), 30 + len(info.filename), info))
    for place in (0, 5, len(content) - 7, 0, wacz.RECENT, wacz.RECENT - 100, 10, len(content), len(content) + 5):
        stream.seek(place)
        assert stream.read(1000) == content[place : place + 1000]


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new)


def with_flag(data: bytes, flag: int) -> bytes:
    """Set a flag of the second file, in its header and in the directory."""
    changed = bytearray(data)
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        first = data.index(magic) + 1
        changed[data.index(magic, first) + place] |= flag
    return bytes(changed)


BAD = {
    "encrypted": (with_flag(packed(FILES), 1), Code.UNREADABLE),
    "bzip2": (packed({"archive/a.warc.gz": b"x" * 100}, zipfile.ZIP_BZIP2), Code.UNREADABLE),
    "lzma": (packed({"archive/a.warc.gz": b"x" * 100}, zipfile.ZIP_LZMA), Code.UNREADABLE),
    "no header": (replaced(packed({"archive/a.warc": warc_record(0)}), b"PK\x03\x04", b"XX\x03\x04"), Code.DAMAGED),
    "no archive": (packed({"datapackage.json": b"{}"}), Code.INVALID_RECORD),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_says_so(case: str) -> None:
    data, code = BAD[case]
    records, account = found(data)
    assert code in [problem(page) for page in records]
    assert len(pages(records)) == (5 if case == "encrypted" else 0)
    assert (account.is_balanced, account.end) == (True, len(data))
    assert bool(account.gaps) == (case != "no archive")


@pytest.mark.parametrize(
    "data",
    [packed(FILES)[:-5], packed(FILES)[:-200], packed(FILES)[:-22] + bytes(22)],
    ids=["no end", "no directory", "no end of the directory"],
)
def test_without_a_directory_the_file_is_searched_for_records(data: bytes) -> None:
    records, account = found(data)
    assert pages(records) == [HTML.format(number).encode() for number in range(8)]
    assert (account.is_balanced, account.end, bool(account.gaps)) == (True, len(data), True)


@pytest.mark.parametrize("cut", [1, 100, 600, 3000])
def test_without_its_beginning_the_file_is_searched_for_records(cut: int, tmp_path: Path) -> None:
    (tmp_path / "a.wacz").write_bytes(packed(FILES)[cut:])
    account = Account()
    with (tmp_path / "a.wacz").open("rb") as file:  # a position before a file is another error in memory
        records = list(wacz.read(file, "a.wacz", 10**6, 0, None, account))
    assert records == found(packed(FILES)[cut:])[0]
    assert len(pages(records)) == {1: 8, 100: 7, 600: 6}.get(cut, 0)
    assert (account.is_balanced, account.end, bool(account.gaps)) == (True, len(packed(FILES)) - cut, True)


@pytest.mark.parametrize("data", [b"PK\x03\x04" + bytes(100), b""], ids=["nonsense", "empty"])
def test_what_is_no_wacz_says_so(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    path.write_bytes(data)
    (page,) = read([str(path)], Limits())
    assert problem(page) in (Code.INVALID_RECORD, Code.UNREADABLE)


def without_entry(data: bytes) -> bytes:
    """Return a zip file whose directory has lost its first entry, of the first of two archives."""
    first = data.index(b"PK\x01\x02")
    second, end = data.index(b"PK\x01\x02", first + 4), data.rindex(b"PK\x05\x06")
    count, _, size, offset = struct.unpack("<HHII", data[end + 8 : end + 20])
    fixed = struct.pack("<HHII", count - 1, count - 1, size - (second - first), offset)
    return data[:first] + data[second:end] + data[end : end + 8] + fixed + data[end + 20 :]


TWO = {f"archive/{name}.warc.gz": joined(map(warc_record, numbers)) for name, numbers in zip("ab", ((0, 1), (2, 3)))}  # noqa: B905
HALVES = [packed({name: data}) for name, data in TWO.items()]


@pytest.mark.parametrize("data", [without_entry(packed(TWO)), b"".join(HALVES)], ids=["entry", "two files"])
def test_what_the_directory_does_not_name_is_searched_too(data: bytes) -> None:
    records, account = found(data)
    assert set(pages(records)) == {HTML.format(number).encode() for number in range(4)}
    assert len(pages(records)) == 4
    assert (account.is_balanced, account.end) == (True, len(data))


def test_damage_in_a_compressed_archive_costs_what_follows_in_it() -> None:
    data = bytearray(packed({**FILES, "archive/z.warc": b"".join(map(warc_record, range(8, 10)))}, DEFLATED))
    start = data.index(b"archive/deep/er/b.warc") + len("archive/deep/er/b.warc")
    data[start + 150 : start + 160] = b"\xff" * 10
    records, account = found(bytes(data))
    assert {HTML.format(number).encode() for number in (0, 1, 2, 6, 7, 8, 9)} <= set(pages(records))
    assert any(page.problem for page in records)
    assert (account.is_balanced, len(account.gaps)) == (True, 1)


def test_a_bomb_is_refused_by_what_it_states() -> None:
    data = bytearray(packed({"archive/a.warc": bytes(10_000)}, DEFLATED))
    (info,) = zipfile.ZipFile(io.BytesIO(data)).infolist()
    place = data.index(b"PK\x01\x02") + 24
    data[place : place + 4] = struct.pack("<I", 3_000_000_000)
    ((page,), account) = found(bytes(data))
    assert (problem(page), account.is_balanced, info.file_size) == (Code.TOO_LARGE, True, 10_000)


def test_archives_that_share_their_bytes_are_read_once() -> None:
    """A directory may name the same bytes a thousand times."""
    data = packed({"archive/a.warc": warc_record(0)})
    directory = data.index(b"PK\x01\x02")
    entry, end = data[directory : data.index(b"PK\x05\x06")], bytearray(data[data.index(b"PK\x05\x06") :])
    end[8:12], end[12:16] = struct.pack("<HH", 1000, 1000), struct.pack("<I", 1000 * len(entry))
    records, account = found(data[:directory] + entry * 1000 + end)
    assert len(pages(records)) <= 1
    assert {problem(page) for page in records if page.problem} == {Code.DAMAGED}
    assert account.is_balanced


def test_a_directory_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wacz, "LARGEST_DIRECTORY", 100)
    assert wacz.members(io.BytesIO(packed(FILES))) == 0
    assert len(pages(found(packed(FILES))[0])) == 8


def test_a_corpus_is_built_from_a_wacz_file(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    path.write_bytes(packed(FILES))
    settings: Any = Settings(extraction=Extraction(method="alltext"))
    manifest = build([str(path)], tmp_path / "corpus", settings, jobs=1)
    assert manifest["records"] == 9
    assert manifest["rejected"]["other-kind"] == 1


def test_what_its_checksum_contradicts_is_not_believed() -> None:
    data = packed({"archive/a.warc": b"".join(map(warc_record, range(3)))}, DEFLATED)
    directory = data.index(b"PK\x01\x02")
    changed = data[: directory + 16] + bytes(4) + data[directory + 20 :]
    records, account = found(changed)
    assert (pages(records), {problem(page) for page in records}) == ([], {Code.DAMAGED})
    assert (account.is_balanced, len(account.gaps)) == (True, 1)

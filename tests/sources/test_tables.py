"""Pages from tables and by way of indexes, here and at addresses that fsspec opens."""

import io
import json
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from dehusk import InputError, Limits
from dehusk.reasons import Code
from dehusk.sources import RawPage, find, read, tables
from dehusk.sources.account import Account
from dehusk.sources.parquet_pages import page_sizes
from tests.helpers.archives import HTML, http, joined, warc_record

LIMITS = Limits()


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Return a folder with an archive, two indexes of its last two records, and a table."""
    records = [warc_record(number, http(HTML.format(number).encode())) for number in range(3)]
    members = [joined([record]) for record in records]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(members))
    places = [(len(members[0]), len(members[1])), (len(members[0]) + len(members[1]), len(members[2]))]
    lines = [
        f"org,example)/ 2024 {json.dumps({'filename': 'a.warc.gz', 'offset': str(offset), 'length': str(length)})}\n"
        for offset, length in places
    ]
    (tmp_path / "a.cdxj").write_text("".join(lines) + "nonsense\n")
    old = [
        f"org,example)/ 2024 http://a text/html 200 X - - {length} {offset} a.warc.gz\n" for offset, length in places
    ]
    (tmp_path / "a.cdx").write_text(" CDX N b a m s k r M S V g\n" + "".join(old))
    html = [HTML.format(0), "<p>two", None]
    table = pa.table({"html": html, "url": ["http://a", None, "http://c"], "vector": [[1.0], [2.0], [3.0]]})
    parquet.write_table(table, tmp_path / "pages.parquet", row_group_size=2)
    return tmp_path


def contents(pages: list[RawPage]) -> list[bytes | str]:
    return [page.data or str(page.problem).partition(";")[0] for page in pages]


def test_an_index_names_records(crawl: Path) -> None:
    wanted = [HTML.format(1).encode(), HTML.format(2).encode()]
    assert contents(list(read([str(crawl / "a.cdx")], LIMITS))) == wanted
    found = list(read([str(crawl / "a.cdxj")], LIMITS))
    assert contents(found) == [*wanted, "names no record"]
    offset = len(joined([warc_record(0)]))
    assert (found[0].name, found[0].url) == (f"{crawl}/a.warc.gz:{offset}", "https://example.org/1")


def test_an_index_of_an_archive_that_is_gone_says_so(crawl: Path) -> None:
    (crawl / "a.warc.gz").unlink()
    assert contents(list(read([str(crawl / "a.cdx")], LIMITS))) == ["cannot be read: No such file or directory"] * 2


def test_rows_of_a_table(crawl: Path) -> None:
    path = str(crawl / "pages.parquet")
    found = list(read([path], LIMITS))
    assert contents(found) == [HTML.format(0), "<p>two", "'html' is NoneType"]
    assert (found[0].name, found[0].url, found[0].fields) == (f"{path}:0", "http://a", {"url": "http://a"})
    with Path(path).open("rb") as file:
        assert tables.row_groups(file) == 2
        assert [page.name for page in tables.TableReader(path, "html", 10**6).read(file, 1)] == [f"{path}:2"]
    assert contents(list(read([path], LIMITS, field="text"))) == ["no column 'text' of strings or bytes"]


def table(rows: dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table(rows), file, **options)
    return file.getvalue()


def rows(data: bytes, start: int = 0, end: int | None = None) -> tuple[list[RawPage], Account]:
    account = Account()
    return list(tables.TableReader("a.parquet", "html", 10**6).read(io.BytesIO(data), start, end, account)), account


PAGES: dict[str, Any] = {"html": [HTML.format(number) * 50 for number in range(100)], "other": [{"a": [1, 2]}] * 100}


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"compression": "NONE"}, {"compression": "zstd"}])
def test_every_byte_of_a_table_is_accounted_for(options: dict[str, Any]) -> None:
    data = table(PAGES, row_group_size=30, **options)
    pages, whole = rows(data)
    assert [page.data for page in pages] == PAGES["html"]
    assert (whole.start, whole.end, whole.records, whole.is_balanced) == (0, len(data), 100, True)
    parts = [rows(data, start, end) for start, end in ((0, 1), (1, 3), (3, None))]
    assert [page for found, _ in parts for page in found] == pages
    assert [account.start for _, account in parts[1:]] == [account.end for _, account in parts[:-1]]
    assert all(account.is_balanced for _, account in parts)
    assert (parts[0][1].start, parts[-1][1].end) == (0, len(data))


def test_a_table_without_rows_is_padding() -> None:
    data = table({"html": pa.array([], pa.string())})
    assert rows(data)[1].is_balanced
    assert rows(data)[1].end == len(data)


def test_a_damaged_group_is_a_gap_and_the_others_are_read() -> None:
    data = bytearray(table(PAGES, row_group_size=30, compression="zstd", use_dictionary=False))
    group = parquet.read_metadata(io.BytesIO(data)).row_group(1).column(0)
    middle = group.data_page_offset + group.total_compressed_size // 2
    data[middle : middle + 20] = bytes(20)
    pages, account = rows(bytes(data))
    assert [page.data for page in pages if not page.problem] == PAGES["html"][:30] + PAGES["html"][60:]
    (problem,) = (page.problem for page in pages if page.problem)
    assert problem.code is Code.DAMAGED
    assert account.is_balanced
    assert [gap.reason for gap in account.gaps] == [problem]
    assert account.gaps[0].start <= middle < account.gaps[0].end


def test_values_that_are_not_utf_8_are_bytes() -> None:
    (page,), _ = rows(table({"html": pa.array([b"<p>Gr\xfc\xdfe"]).view(pa.string())}))
    assert page.data == b"<p>Gr\xfc\xdfe"


def test_only_columns_that_are_needed_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    kept = {"url": ["u"] * 100, "number": [1] * 100, "share": [0.5] * 100, "long": ["x" * 50_000] * 100}
    path.write_bytes(table({**PAGES, **kept, "bytes": [b"x"] * 100}))
    page = next(read([str(path)], Limits(bytes=10_000)))  # four times as many bytes, for characters may have four
    assert page.fields == {"url": "u", "number": 1, "share": 0.5}
    with path.open("rb") as file:
        page = next(tables.TableReader(str(path), "html", 10**6).read(file))
        assert page.fields == {"url": "u"}


def test_a_column_of_lists_holds_no_pages() -> None:
    (page,), account = rows(table({"html": [["<p>"]]}))
    assert contents([page]) == ["no column 'html' of strings or bytes"]
    assert account.is_balanced


@pytest.mark.parametrize(("limit", "shared"), [("LARGEST_DICTIONARY", True), ("LARGEST_PAGE", False)])
def test_pages_of_a_column_are_measured_before_they_are_decompressed(
    limit: str, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table({"html": ["x" * 10_000] * 100}, compression="zstd", use_dictionary=shared)
    column = parquet.read_metadata(io.BytesIO(data)).row_group(0).column(0)
    sizes = list(page_sizes(io.BytesIO(data), column))
    assert sum(size.unpacked for size in sizes) > 10_000 if shared else 1_000_000
    assert any(size.is_dictionary for size in sizes) is shared
    assert len(rows(data)[0]) == 100
    monkeypatch.setattr(tables, limit, 5000)
    (page,), account = rows(data)
    assert (page.problem and page.problem.code, account.is_balanced, len(account.gaps)) == (Code.DAMAGED, True, 1)


def test_a_dictionary_that_became_too_large_for_its_writer_is_read() -> None:
    texts = [f"<p>{number} {'x' * 5000}" for number in range(500)]
    assert [page.data for page in rows(table({"html": texts}, dictionary_pagesize_limit=10_000))[0]] == texts


def test_what_is_no_table_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"<html>")
    (found,) = read([str(path)], LIMITS)
    assert str(found.problem).startswith("cannot be read: not a Parquet file")


def test_addresses_are_read_like_files(crawl: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.put(str(crawl), "/crawl", recursive=True)
    try:
        (archive,) = find(["memory://crawl/*.warc.gz"])
        assert [page.url for page in read([archive], LIMITS)] == [
            f"https://example.org/{number}" for number in range(3)
        ]
        assert len(find(["memory://crawl"])) == 4
        assert contents(list(read(["memory:///crawl/a.cdx"], LIMITS)))[0] == HTML.format(1).encode()
        assert len(list(read(["memory://crawl/pages.parquet"], LIMITS))) == 3
        (gone,) = read(["memory://crawl/gone.html"], LIMITS)
        assert str(gone.problem).startswith("cannot be read")
        with pytest.raises(InputError, match="nothing at 'memory://crawl/x"):
            find(["memory://crawl/x*"])
        with pytest.raises(InputError, match="expected an address that fsspec can open"):
            find(["hdfs://bucket"])
    finally:
        memory.rm("/crawl", recursive=True)


@pytest.mark.parametrize("flipped", range(8), ids=lambda bit: f"bit {bit}")
def test_no_flipped_bit_loses_a_row_in_silence(flipped: int) -> None:
    stored = io.BytesIO()
    table = pa.table({"html": [f"<p>Row {number}" for number in range(4)], "url": ["http://a"] * 4})
    parquet.write_table(table, stored, compression="none", use_dictionary=["url"])
    footer = int.from_bytes(stored.getvalue()[-8:-4], "little")
    for index in range(4, len(stored.getvalue()) - footer - 8):
        damaged = bytearray(stored.getvalue())
        damaged[index] ^= 1 << flipped
        account = Account()
        try:
            pages = list(tables.TableReader("a", "html", 1000).read(io.BytesIO(damaged), account=account))
        except OSError:  # which is reported for the file as a whole
            continue
        assert len(pages) == 4 or any(page.problem for page in pages), index
        assert account.is_balanced, index

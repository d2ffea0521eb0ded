"""Pages from tables and by way of indexes, here and at addresses that fsspec opens."""

import json
from pathlib import Path

import fsspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from dehusk import InputError, Limits
from dehusk.sources import RawPage, find, read, tables
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
        assert [page.name for page in tables.read(file, path, "html", 1)] == [f"{path}:2"]
    assert contents(list(read([path], LIMITS, field="text"))) == ["no column 'text'"]


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

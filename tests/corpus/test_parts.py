"""Parts cover every input once, wherever they are cut."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from dehusk.config import Limits
from dehusk.corpus.parts import Part, plan
from dehusk.corpus.reading import PartReader
from dehusk.reasons import Code
from dehusk.sources.kinds import ReadOptions
from tests.helpers.archives import WHOLE, joined, warc_record

OPTIONS = ReadOptions(Limits(bytes=10_000))


def urls(parts: list[Part]) -> list[str | None]:
    return [page.url for part in parts for page in PartReader(part, OPTIONS)]


def test_archives_and_lines_and_tables_are_cut(tmp_path: Path) -> None:
    expected = [f"https://example.org/{number}" for number in range(40)]
    rows = [{"url": url, "html": f"<p>{url}"} for url in expected]
    (tmp_path / "a.warc.gz").write_bytes(joined(map(warc_record, range(40))))
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "c.parquet", row_group_size=7)
    for name, least in (("a.warc.gz", 5), ("b.jsonl", 5), ("c.parquet", 2)):
        for size in (1, 100, 333, 1000, 10**6):
            parts = plan([str(tmp_path / name)], size)
            assert urls(parts) == expected, (name, size)
            assert size > 333 or len(parts) >= least


def test_what_is_compressed_as_a_whole_is_one_part(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(WHOLE[".gz"](b"".join(map(warc_record, range(9)))))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b'{"html": "<p>a", "url": "https://example.org/9"}\n'))
    parts = plan([str(tmp_path / name) for name in ("a.warc.gz", "b.jsonl.gz")], 10)
    assert [part.kind for part in parts] == ["archive", "lines"]
    assert urls(parts) == [f"https://example.org/{number}" for number in range(10)]


def test_single_pages_are_put_together(tmp_path: Path) -> None:
    names = [str(tmp_path / f"{number}.html") for number in range(10)]
    for name in names:
        Path(name).write_text("<p>Hello")
    parts = plan(names, 24)
    assert [len(part.locations) for part in parts] == [3, 3, 3, 1]
    assert [page.name for part in parts for page in PartReader(part, OPTIONS)] == names


@pytest.mark.parametrize("size", [10, 50, 1000])
def test_a_line_that_is_too_long_or_wrong_costs_itself_only(tmp_path: Path, size: int) -> None:
    lines = ['{"html": "<p>a"}', json.dumps({"html": "x" * 70_000}), "nonsense", '{"html": "<p>b"}', ""]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    found = [page for part in plan([str(path)], size) for page in PartReader(part, OPTIONS)]
    outcomes = [page.problem.code if page.problem else page.data for page in found]
    assert outcomes == ["<p>a", Code.TOO_LARGE, Code.INVALID_RECORD, "<p>b"]


@pytest.mark.parametrize("name", ["a.warc.gz", "a.arc", "a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.html.xz"])
def test_what_is_not_what_its_name_says_is_one_record_with_its_problem(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x02 no such thing \xff" * 50)
    (found,) = (page for part in plan([str(tmp_path / name)], 100) for page in PartReader(part, OPTIONS))
    assert found.problem
    assert found.record


def test_what_comes_before_damage_is_read(tmp_path: Path) -> None:
    lines = gzip.compress(b'{"html": "<p>a"}\n' * 50_000)
    (tmp_path / "a.jsonl.gz").write_bytes(lines[: len(lines) // 2])
    found = [page for part in plan([str(tmp_path / "a.jsonl.gz")], 10**6) for page in PartReader(part, OPTIONS)]
    assert len(found) > 10_000
    assert [bool(page.problem) for page in found] == [False] * (len(found) - 1) + [True]


def test_a_damaged_group_of_rows_costs_itself_only(tmp_path: Path) -> None:
    path, rows = tmp_path / "a.parquet", [{"html": f"<p>{number}"} for number in range(3000)]
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=1000, compression="gzip", use_dictionary=False)
    with path.open("r+b") as file:
        file.seek(parquet.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset)
        file.write(bytes(60))
    found = [page for part in plan([str(path)], 10**6) for page in PartReader(part, OPTIONS)]
    assert [page.data for page in found if not page.problem] == [row["html"] for row in rows[:1000] + rows[2000:]]
    assert [page.name for page in found if page.problem] == [f"{path}:1000"]


@pytest.mark.parametrize(("part_bytes", "count"), [(1, 4), (10**6, 1)])
def test_a_table_has_no_more_parts_than_row_groups_and_than_its_bytes_are_worth(
    tmp_path: Path, part_bytes: int, count: int
) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.Table.from_pylist([{"html": "<p>x"}] * 8), path, row_group_size=2)
    assert len(plan([str(path)], part_bytes)) == count

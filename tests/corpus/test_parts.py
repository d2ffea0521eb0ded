"""Parts cover every input once, wherever they are cut."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from dehusk.config import Limits
from dehusk.corpus.parts import Part, pages, plan
from tests.helpers.archives import WHOLE, joined, warc_record

LIMITS = Limits(bytes=10_000)


def urls(parts: list[Part]) -> list[str | None]:
    return [page.url for part in parts for page in pages(part, LIMITS)]


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
    assert [page.name for part in parts for page in pages(part, LIMITS)] == names


@pytest.mark.parametrize("size", [10, 50, 1000])
def test_a_line_that_is_too_long_or_wrong_costs_itself_only(tmp_path: Path, size: int) -> None:
    lines = ['{"html": "<p>a"}', json.dumps({"html": "x" * 70_000}), "nonsense", '{"html": "<p>b"}', ""]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    found = [page for part in plan([str(path)], size) for page in pages(part, LIMITS)]
    assert [page.problem.partition(":")[0] or page.data for page in found] == ["<p>a", "too large", "not JSON", "<p>b"]

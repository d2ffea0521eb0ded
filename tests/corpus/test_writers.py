"""What is written can be read by the tools that people use."""

import gzip
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pandas as pd
import polars as pl
import pytest

from dehusk.corpus import steps
from dehusk.corpus.case import Case
from dehusk.corpus.columns import SCHEMA, as_batch
from dehusk.corpus.settings import Extraction, Settings
from dehusk.corpus.writers import WRITERS, writer
from dehusk.errors import UsageError
from dehusk.reasons import reason_fields
from dehusk.sources import archives
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from tests.helpers.articles import article

SETTINGS = Settings(extraction=Extraction(method="bte"))
HOSTILE = (
    '<p>Tail \x0b & <b>"quotes"</b> \ud800 ]]&gt; \U0001f327'
    + "<p>The same long line of words is here two times now." * 2
)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    pages: list[str | bytes] = [article(1), article(2) + HOSTILE, b"%PDF-", article(3)]
    found = []
    for number, html in enumerate(pages):
        url = f"https://example.org/{number}?a=1&b=<2>"
        record = Record("a.warc.gz", number, id=f"<urn:uuid:{number}>", date="2024-05-02T10:00:00Z", status=200)
        case = steps.run(Case(RawPage("a", html, url, record=record)), SETTINGS)
        found.append({**case.columns, **reason_fields(case.reason)})
    return found


def written(folder: Path, format: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / f"shard{writer(format).suffix}"
    file = writer(format)(path)
    file.write(as_batch(rows))
    file.close()
    return path


def test_a_format_writes_the_same_bytes_each_time(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    for name in WRITERS:
        first = written(tmp_path, name, rows).read_bytes()
        assert written(tmp_path, name, rows).read_bytes() == first
    with pytest.raises(UsageError, match="no corpus format is called 'csv'; there are parquet, jsonl"):
        writer("csv")


def test_parquet_is_read_by_duckdb_pandas_and_polars(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = written(tmp_path, "parquet", rows)
    texts = [row["text"].replace("\ud800", "�") if row.get("text") is not None else None for row in rows]
    assert [text for (text,) in duckdb.execute(f"select text from '{path}'").fetchall()] == texts
    frame = pd.read_parquet(path)
    assert list(frame.columns) == SCHEMA.names
    assert frame["blocks"][0][0]["kind"] == "list item"
    table = pl.read_parquet(path)
    assert table["id"].to_list() == [row["id"] for row in rows]
    assert table["reason_code"].to_list() == [None, None, "not-a-page", None]


def test_another_threshold_takes_a_query(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = written(tmp_path, "parquet", rows)
    query = f"""
        select array_to_string(list_transform(list_filter(blocks, lambda b: b.kept),
            lambda b: substring(page_text, b.start + 1, b.length)), chr(10)) from '{path}'"""
    assert duckdb.execute(query).fetchall()[0][0] == rows[0]["text"]


def test_json_lines(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    lines = gzip.decompress(written(tmp_path, "jsonl", rows).read_bytes()).decode().splitlines()
    first = json.loads(lines[0])
    assert (first["url"], first["text"]) == (rows[0]["url"], rows[0]["text"])
    assert len(first["blocks"]) == len(rows[0]["blocks"].start)
    assert json.loads(lines[2])["reason_code"] == "not-a-page"


def test_dolma_spans_fit_the_text(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    lines = gzip.decompress(written(tmp_path, "dolma", rows).read_bytes()).decode().splitlines()
    document = json.loads(lines[0])
    assert {"id", "text", "source", "added", "metadata", "attributes"} <= set(document)
    kept = [document["text"][start:end] for start, end, kept in document["attributes"]["dehusk__main"] if kept]
    assert "\n".join(kept) == rows[0]["text"]


def test_xml_has_every_block(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    root = ElementTree.fromstring(gzip.decompress(written(tmp_path, "xml", rows).read_bytes()))
    documents = root.findall("doc")
    assert [document.get("url") for document in documents] == [row["url"] for row in rows]
    blocks = rows[0]["blocks"]
    assert [div.text for div in documents[0].findall("div")] == [
        rows[0]["page_text"][start : start + length]
        for start, length in zip(blocks.start.tolist(), blocks.length.tolist(), strict=True)
    ]
    assert documents[1].findall("dup")
    assert documents[2].get("reason_code") == "not-a-page"


def test_text_and_wet_have_what_is_kept(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    text = gzip.decompress(written(tmp_path, "text", rows).read_bytes()).decode()
    assert text.count("==> ") == 3
    found = list(archives.read(io.BytesIO(written(tmp_path, "wet", rows).read_bytes()), "a.warc.wet.gz", 10**6))
    assert [page.record.kind for page in found if page.record] == ["conversion"] * 3
    assert found[0].data == rows[0]["text"].encode()

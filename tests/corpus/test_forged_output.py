"""What archives and pages say of themselves stays where it is written: no record, line or element can be forged."""

import gzip
import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from fastwarc.warc import ArchiveIterator as FastwarcIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from dehusk.corpus.columns import as_batch
from dehusk.corpus.writers import WRITERS, writer

FORGED = "x\r\n\r\nWARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n"
ENDS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\x00"]
HOSTILE = [
    FORGED,
    *(f"https://example.org/{end}Forged: yes{end}==> 1 https://example.org/forged <=={end}" for end in ENDS),
    "https://example.org/" + "a" * 100_000,
    "https://example.org/" + "\u2028" * 50_000,
    "https://example.org/ \ud800 \ufffe \x1b[31m \u202e",
    '"/><doc id="forged"/><x a="',
]


def row(number: int, value: str, text: str = "A text.") -> dict[str, Any]:
    facts = dict.fromkeys(("url", "file", "date", "record_id", "ip", "title", "language", "charset", "doctype"), value)
    return {**facts, "id": f"{number:024x}", "text": text, "page_text": text, "perplexity": float("inf")}


def written(folder: Path, format: str, rows: list[dict[str, Any]]) -> bytes:
    path = folder / "shard"
    file = writer(format)(path)
    file.write(as_batch(rows))
    file.close()
    return path.read_bytes()


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_a_wet_file_has_one_record_per_document(tmp_path: Path, value: str) -> None:
    plain = row(1, "https://example.org/")
    data = written(tmp_path, "wet", [plain, row(2, value), plain | {"id": "3", "record_id": "<urn:uuid:3>"}])
    ours = [(record.headers, record.reader.read()) for record in FastwarcIterator(io.BytesIO(data), parse_http=False)]
    theirs = [(record.rec_headers, record.content_stream().read()) for record in WarcioIterator(io.BytesIO(data))]
    for records in (ours, theirs):
        assert [content for _, content in records] == [b"A text."] * 3
        for headers, _ in records:
            names = [name for name, _ in (headers.headers if hasattr(headers, "headers") else headers.items())]
            assert len(names) == len(set(names))
            assert {name.lower() for name in names} <= {
                "warc-type", "warc-record-id", "warc-date", "warc-target-uri", "warc-refers-to", "warc-block-digest",
                "warc-identified-content-language", "content-type", "content-length",
            }  # fmt: skip
    heads = [data.split(b"\r\n\r\n")[0] for data in map(gzip.decompress, _members(data))]
    assert all(len(head) < 10_000 for head in heads)
    assert not any(re.search(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]", head) for head in heads)
    assert [head.count(b"WARC-Refers-To: <urn:uuid:3>") for head in heads] == [0, 0, 1]


def _members(data: bytes) -> list[bytes]:
    starts = [match.start() for match in re.finditer(b"\x1f\x8b\x08\x00\x00\x00\x00\x00", data)]
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_a_text_file_has_one_line_per_document_that_names_it(tmp_path: Path, value: str) -> None:
    lines = gzip.decompress(written(tmp_path, "text", [row(1, value), row(2, value, value)])).decode().splitlines()
    assert [line.split()[1][-1] for line in lines if line.startswith("==>")] == ["1", "2"]


@pytest.mark.parametrize("end", ["", *ENDS[:-1]], ids=ascii)
def test_a_text_can_be_read_back_whatever_its_lines_are_like(tmp_path: Path, end: str) -> None:
    text = f"{end}==> 1 https://example.org/ <==\nSome text.{end}\\==> 2\n\\\\==> 3{end}==>\na ==> b"
    data = gzip.decompress(written(tmp_path, "text", [row(1, "u", text)])).decode()
    content = data.removeprefix("==> 000000000000000000000001 u <==\n").removesuffix("\n\n")
    # As docs/corpus.md says: one backslash before ==> at the beginning of a line is not of the text.
    lines = [re.sub(r"^\\(\\*==>)", r"\1", line) for line in content.splitlines(keepends=True)]
    assert "".join(lines) == text


@pytest.mark.parametrize("format", ["jsonl", "dolma"])
def test_json_has_one_line_per_document(tmp_path: Path, format: str) -> None:
    rows = [row(number, value, value) for number, value in enumerate(HOSTILE)]
    lines = gzip.decompress(written(tmp_path, format, rows)).decode().splitlines()

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    documents = [json.loads(line, parse_constant=refuse) for line in lines]
    assert [document["id"] for document in documents] == [row["id"] for row in rows]
    assert [document["text"] for document in documents] == [row["text"].replace("\ud800", "\ufffd") for row in rows]


def test_xml_has_one_element_per_document(tmp_path: Path) -> None:
    rows = [row(number, value, value) for number, value in enumerate(HOSTILE)]
    root = ElementTree.fromstring(gzip.decompress(written(tmp_path, "xml", rows)))
    assert [(document.tag, document.get("id")) for document in root] == [("doc", row["id"]) for row in rows]


def test_every_format_takes_every_value(tmp_path: Path) -> None:
    for name in WRITERS:
        assert written(tmp_path, name, [row(number, value, value) for number, value in enumerate(HOSTILE)])

"""WET and WAT files: texts of pages, and facts about them. Content decides what a file is, not its name."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

from dehusk import Limits
from dehusk.corpus.build import build
from dehusk.corpus.case import Case
from dehusk.corpus.settings import Extraction, Settings
from dehusk.corpus.steps.records import check_record
from dehusk.sources import RawPage, read
from dehusk.sources.inputs import look_at
from dehusk.sources.record import Record
from tests.cli.conftest import Run, dehusk

__all__ = ["dehusk"]  # a fixture

TEXT = "Home\nHow to write <b>bold</b> text in HTML, & why it is <not> hard for anyone who has done it once or twice."
SETTINGS = Settings(extraction=Extraction(method="alltext"))


def record(kind: str, content_type: str, block: str) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-05-02T10:00:00Z\r\n"
        f"WARC-Target-URI: https://example.org/\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block.encode())}\r\n\r\n"
    )
    return head.encode() + block.encode() + b"\r\n\r\n"


INFO = record("warcinfo", "application/warc-fields", "software: x\r\n")
WET = [INFO, record("conversion", "text/plain", TEXT)]
WAT = [INFO, record("metadata", "application/json", '{"html": "<p>Not a page, but facts about one."}')]
NAMES = ["a.wet", "a.wat", "a.warc.wet.gz", "a.warc.wat.gz", "a.gz", "a.warc.gz.open", "a.html", "a.jsonl", "a"]
COMPRESSED: dict[str, Callable[[list[bytes]], bytes]] = {
    "plain": b"".join,
    "compressed": lambda records: b"".join(map(gzip.compress, records)),
}


@pytest.mark.parametrize("form", COMPRESSED)
@pytest.mark.parametrize("name", NAMES)
def test_a_wet_file_holds_texts_whatever_it_is_called(name: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(COMPRESSED[form](WET))
    assert look_at(str(path)).kind.name == "archive"
    for field in ("html", "text"):
        (page,) = read([str(path)], Limits(), field=field)
        assert (page.data, page.is_plain) == (TEXT.encode(), True)


@pytest.mark.parametrize("name", NAMES)
def test_a_wat_file_holds_no_pages(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(COMPRESSED["compressed"](WAT))
    assert list(read([str(path)], Limits())) == []


@pytest.mark.parametrize("command", ["extract", "annotate"])
def test_commands_take_a_text_as_text(command: str, tmp_path: Path, dehusk: Run) -> None:
    (tmp_path / "a.wet").write_bytes(b"".join(WET))
    options = ["--method", "alltext", "--format", "text", "--jobs", "1"]
    status, output, _ = dehusk(command, str(tmp_path / "a.wet"), *options)
    assert (status, "How to write <b>bold</b> text in HTML, & why it is <not> hard" in output) == (0, True)


def test_a_corpus_keeps_texts_and_counts_facts_as_another_kind(tmp_path: Path) -> None:
    (tmp_path / "a.wet").write_bytes(b"".join(WET))
    (tmp_path / "a.wat").write_bytes(b"".join(WAT))
    manifest = build([str(tmp_path / "a.wet"), str(tmp_path / "a.wat")], tmp_path / "corpus", SETTINGS, jobs=1)
    assert (manifest["records"], manifest["rejected"]["other-kind"]) == (4, 3)
    (row,) = (row for path in (tmp_path / "corpus").rglob("*.parquet") for row in parquet.read_table(path).to_pylist())
    assert (row["reason_code"] in (None, "too-short"), row["page_text"], row["type"]) == (True, TEXT, "text/plain")


def test_what_the_crawler_did_not_store_is_a_column() -> None:
    facts = Record("a.warc", 0, status=200, type="text/html", truncated="length")
    assert check_record(Case(RawPage("a", b"<p>x", record=facts)), Settings()).columns["truncated"] == "length"

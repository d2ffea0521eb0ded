"""Progress is known inside parts, too: a file that cannot be divided may be one part for hours."""

import json
from pathlib import Path
from threading import Event

import pytest

from dehusk.corpus import build as builder
from dehusk.corpus.build import Status, build
from dehusk.corpus.files import PartFiles, write_json
from dehusk.corpus.marker import Marker, PartProgress, read_progress
from dehusk.corpus.parts import Part
from dehusk.corpus.progress import ahead, repeated
from dehusk.corpus.settings import Extraction, Settings
from testing.planted_steps import slow
from tests.helpers.archives import http, joined, warc_record
from tests.helpers.articles import article


def test_what_is_done_in_parts_that_are_begun_or_finished(tmp_path: Path) -> None:
    parts = [Part(number, "archive", ("a.warc",), bytes=1000) for number in range(4)]
    write_json(PartFiles(tmp_path, 0).summary, {"counts": {"kept": 5}, "rows": 5, "bytes": 70})
    marker = Marker(PartFiles(tmp_path, 1).marker)
    marker.note(PartProgress({"kept": 2, "other-type": 1}, 30, 0.25))
    Marker(PartFiles(tmp_path, 2).marker).close()  # nothing is known yet
    assert ahead(tmp_path, parts) == ({"kept": 7, "other-type": 1}, 100, 1250)
    marker.note(PartProgress({"x" * 5000: 1}, 30, 0.25))  # more than there is room for
    assert read_progress(PartFiles(tmp_path, 1).marker) == PartProgress()
    marker.close()


def test_a_function_is_called_until_the_block_ends() -> None:
    called = Event()
    with repeated(called.set, 0.001):
        assert called.wait(1000)  # on however busy a machine


def test_a_run_reports_what_happens_inside_its_only_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "LOG_EVERY", 0.0)
    crawl = tmp_path / "a.warc.gz"
    crawl.write_bytes(joined(warc_record(number, http(article(number).encode())) for number in range(6)))
    seen: list[Status] = []
    build([str(crawl)], tmp_path / "corpus", Settings(extraction=Extraction(method="bte")), jobs=1,
          listener=seen.append, worker=slow)  # fmt: skip
    inside = [status for status in seen if status.step == "parts" and status.done == 0 and status.counts.total()]
    assert any(0 < status.share < 1 for status in inside)
    assert all(status.bytes and status.counts["kept"] for status in inside)
    assert (seen[-1].step, seen[-1].counts["kept"]) == ("shards", 6)
    entries = [json.loads(line) for line in (tmp_path / "corpus" / "log.jsonl").read_text().splitlines()]
    assert any(entry["event"] == "progress" and 0 < entry["share"] < 1 for entry in entries)

"""dehusk corpus on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.helpers.archives import http, joined, warc_record
from tests.helpers.articles import article

FAST = "--method=bte", "--jobs=1"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    records = [warc_record(number, http(article(number % 4).encode())) for number in range(5)]
    records.append(warc_record(5, http(b"%PDF-", "application/pdf")))
    (tmp_path / "crawl.warc.gz").write_bytes(joined(records))
    return tmp_path


def test_a_corpus_and_its_report(dehusk: Run, crawl: Path) -> None:
    ended = dehusk("corpus", "crawl.warc.gz", "--output", "corpus", *FAST)
    assert ended == (0, "", "dehusk: 6 records: 4 kept, 2 rejected (exact duplicate: 1, other type: 1)\n")
    assert dehusk("corpus", "crawl.warc.gz", "--output", "corpus", "--resume", "--quiet", *FAST) == (0, "", "")
    assert dehusk("corpus", "report", "corpus") == (0, "corpus/report.html\n", "")
    page = (crawl / "corpus" / "report.html").read_text()
    assert "Corpus of 4 documents from 6 records" in page
    assert ", 1 shard, " in page
    assert "exact duplicate: 1" in page
    assert " 1 shard, " in page
    assert "The " in page
    assert "<script" not in page


def test_what_could_not_be_read_is_said_in_the_last_line_and_by_the_status(dehusk: Run, crawl: Path) -> None:
    (crawl / "lost.jsonl.gz").write_bytes(b"\x1f\x8b\x08\0" + b"nothing that was ever compressed" * 9)
    ended = dehusk("corpus", "crawl.warc.gz", "lost.jsonl.gz", "--output", "corpus", *FAST)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("dehusk: 7 records: 4 kept, 3 rejected (")
    assert ended.err.endswith("; 1 gap of 292 bytes in 1 input\n")
    assert dehusk("corpus", "crawl.warc.gz", "lost.jsonl.gz", "-o", "corpus", "--resume", "--quiet", *FAST).status == 1
    assert dehusk("corpus", "report", "corpus").status == 0
    assert "<td>lost.jsonl.gz<td" in (crawl / "corpus" / "report.html").read_text()
    assert dehusk("corpus", "lost.jsonl.gz", "--output", "none", *FAST).status == 2


def test_what_is_called_report_can_be_an_input(dehusk: Run, crawl: Path) -> None:
    (crawl / "report").mkdir()
    (crawl / "crawl.warc.gz").rename(crawl / "report" / "crawl.warc.gz")
    expected = "dehusk: 6 records: 4 kept, 2 rejected (exact duplicate: 1, other type: 1)\n"
    assert dehusk("corpus", "./report", "-o", "a", *FAST) == (0, "", expected)
    assert dehusk("corpus", "-o", "b", "report", *FAST) == (0, "", expected)  # only the first argument names a command


def test_the_help_shows_both_commands_and_a_file_may_set_defaults_of_the_first(dehusk: Run) -> None:
    shown = dehusk("corpus", "-h").out
    assert shown.startswith("Usage: dehusk corpus [OPTIONS] INPUT... | COMMAND ...\n")
    assert "\n  report  Write a page about a finished corpus" in shown
    assert dehusk("corpus", "report", "-h").out.startswith("Usage: dehusk corpus report [OPTIONS] DIR\n")
    Path("dehusk.toml").write_text('[corpus]\nengine = "spark"\n')
    ended = dehusk("corpus", "x", "-o", "y")
    assert ended.err == "dehusk: unknown engine 'spark'; expected local or ray (engine: set in dehusk.toml)\n"
    assert dehusk("corpus", "report", "nowhere").err.startswith("dehusk: nowhere has no manifest.json")


def test_settings_come_from_a_file_and_options_go_before_it(dehusk: Run, crawl: Path) -> None:
    (crawl / "mine.toml").write_text('[language]\nkeep = ["de"]\n[output]\nformat = "xml"\n')
    ended = dehusk("corpus", "crawl.warc.gz", "-o", "a", "--config", "mine.toml", "--format", "jsonl", *FAST)
    assert "other language: 4" in ended.err or "other language: 5" in ended.err
    assert (crawl / "a" / "data" / "shard-00000.jsonl.gz").exists()
    assert 'keep = ["de"]' in (crawl / "a" / "corpus.toml").read_text()
    assert dehusk("corpus", "crawl.warc.gz", "-o", "b", "-l", "en", "--drop", "--trace", *FAST).status == 0
    assert json.loads((crawl / "b" / "manifest.json").read_text())["shards"][0]["rows"] == 4


@pytest.mark.usefixtures("crawl")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["crawl.warc.gz"], "no folder for the corpus; name one with --output DIR"),
        (["crawl.warc.gz", "-o", "a", "--engine", "spark"], "unknown engine 'spark'; expected local or ray"),
        (["crawl.warc.gz", "-o", "a", "--address", "auto"], "--address is for a Ray cluster; add --engine ray"),
        (["crawl.warc.gz", "-o", "."], "is not empty; name another folder"),
        (["crawl.warc.gz", "-o", "crawl.warc.gz"], "crawl.warc.gz: Not a directory; expected a folder to create"),
        (["crawl.warc.gz", "-o", "x", "-f", "csv"], "no corpus format is called 'csv'"),
        (["crawl.warc.gz", "-o", "x", "-m", "magic"], "no method is called 'magic'"),
        (["gone.warc.gz", "-o", "x"], "no such file or folder"),
        (["report", "nowhere"], "nowhere has no manifest.json; expected the folder of a finished corpus"),
        (["report"], "DIR is missing"),
        (["crawl.warc.gz", "-o", "x", "-c", "gone.toml"], "gone.toml: No such file"),
    ],
)
def test_wrong_usage_says_what_to_do(dehusk: Run, arguments: list[str], message: str) -> None:
    ended = dehusk("corpus", *arguments)
    assert ended.status == 2
    assert message in ended.err

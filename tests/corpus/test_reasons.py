"""Every code that a record can be rejected with comes from one that was planted, and all that counts codes agrees."""

import gzip
import json
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from pyarrow import parquet

from benchmarks.planted_crawl import response
from dehusk.corpus import steps
from dehusk.corpus.build import build
from dehusk.corpus.case import Case
from dehusk.corpus.columns import read_stage
from dehusk.corpus.engines.base import ATTEMPTS, REMEDIES, CorpusJob
from dehusk.corpus.engines.local import LocalEngine
from dehusk.corpus.files import PartFiles
from dehusk.corpus.parts import Part
from dehusk.corpus.report import ORDER, write_report
from dehusk.corpus.settings import Duplicates, Extraction, Guards, Languages, Quality, RecordSettings, Settings
from dehusk.corpus.writers import writer
from dehusk.errors import InputError
from dehusk.reasons import Code, Reason
from dehusk.sources.raw_page import RawPage
from dehusk.sources.record import Record
from testing.planted_steps import full, perform
from tests.helpers.archives import warc_record
from tests.helpers.articles import article

CORPUS_DOCS = Path(__file__).parents[2] / "docs" / "corpus.md"
FAST = Settings(extraction=Extraction(method="bte"))
STRICT = Settings(
    records=RecordSettings(max_bytes=100_000, respect_robots=True, respect_tdm=True),
    extraction=Extraction(method="bte"),
    language=Languages(keep=("en",)),
    quality=Quality(max_repeated_lines=0.5),
    limits=Guards(memory=3_000_000_000),
)
FRENCH = (
    "<p>Il a plu pendant neuf jours sur la ville, et les habitants ne sont sortis que pour acheter du pain et du lait. "
    "Le dixième jour, le soleil est revenu, et tout le monde est descendu dans la rue pour le voir avant le soir."
)
HUNGARIAN = "<p>Kilenc napig esett az eső a városban, és az emberek csak kenyérért meg tejért mentek ki a házból."
NAMES = "<p>" + "Miller Smith Jones Brown Taylor Wilson Evans Thomas Johnson Roberts Walker Wright Robinson " * 4
LINE = "<p>The same long line of words is here again and again, since it was copied by somebody who was not looking."
CHANGED = article(3).replace("</article>", "<p>One more sentence at the end of it all.</p></article>")
# What a page is, by its address, and its code; None is kept.
PAGES: dict[str, tuple[bytes | str, Code | None]] = {
    "https://a.example/good": (article(1), None),
    "https://a.example/empty": (b"", Code.TOO_SMALL),
    "https://a.example/large": (b"<p>" + b"large " * 30_000, Code.TOO_LARGE),
    "https://a.example/pdf": (b"%PDF-1.4", Code.NOT_A_PAGE),
    "https://a.example/title": ("<title>x</title>", Code.NO_TEXT),
    "https://a.example/robots": ("<meta name=robots content=noindex>" + article(5), Code.ROBOTS),
    "https://a.example/tdm": ("<meta name=tdm-reservation content=1>" + article(6), Code.TDM),
    "https://a.example/french": (FRENCH, Code.OTHER_LANGUAGE),
    "https://a.example/short": ("<html lang=en><p>It was the end of the day.", Code.TOO_SHORT),
    "https://a.example/names": ("<html lang=en>" + NAMES, Code.BADNESS),
    "https://a.example/lines": ("<html lang=en>" + LINE * 5, Code.SHAPE),
    "https://a.example/copied": (article(2), None),
    "https://a.example/copy": (article(2), Code.EXACT_DUPLICATE),
    "https://a.example/changed": (CHANGED, None),
    "https://a.example/unchanged": (article(3), Code.NEAR_DUPLICATE),
    "https://a.example/earlier": (article(4), Code.EARLIER_DUPLICATE),
    "https://fault.example/raise": (article(7), Code.FAILED),
    "https://fault.example/swell": (article(7), Code.OUT_OF_MEMORY),
    "https://fault.example/alarm": (article(7), Code.TOO_SLOW),
    "https://fault.example/kill": (article(7), Code.WORKER_DIED),
}
# What is wrong with records and files rather than with pages.
OTHERS = Counter(
    [
        Code.OTHER_KIND, Code.GAP, Code.DAMAGED, Code.TRUNCATED, Code.WRONG_LENGTH, Code.INVALID_RECORD,
        Code.NOT_ALLOWED, Code.UNREADABLE, Code.FETCH_FAILED, Code.HTTP_STATUS, Code.OTHER_TYPE,
    ]
)  # fmt: skip
# What takes settings of its own.
CHAIN: dict[Code, tuple[str, Settings]] = {
    Code.NO_MODEL: (HUNGARIAN * 5, Settings(extraction=Extraction(method="pyplexity"))),
    Code.NOT_SCORED: ("Words that are inside no element.", Settings(extraction=Extraction(method="fiasco"))),
    Code.NO_MAIN_TEXT: (LINE, Settings(extraction=Extraction(method="bte", threshold=0.0))),
    Code.UNCERTAIN_LANGUAGE: (article(1), replace(FAST, language=Languages(min_confidence=1.1))),
    Code.PERPLEXITY: (article(1), replace(FAST, quality=Quality(max_perplexity=1.0))),
}


def members() -> list[bytes]:
    """Return the records of the crawl, each compressed, and a gap before them; the last one ends too early."""
    pages = [response(url, html.encode() if isinstance(html, str) else html) for url, (html, _) in PAGES.items()]
    others = [
        response("https://a.example/wrong", b"<p>Wrong" * 50, extra=30),
        warc_record(1, b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        response("https://a.example/gone", b"<p>Gone", status="404 Not Found"),
        response("https://a.example/image", b"x", "image/png"),
    ]
    damaged = bytearray(gzip.compress(response("https://a.example/damaged", article(8).encode())))
    damaged[len(damaged) // 2] ^= 0xFF
    damaged[len(damaged) // 2 + 1] ^= 0xFF
    truncated = gzip.compress(response("https://a.example/truncated", article(9).encode()))[:-200]
    return [b"This is no record.", *map(gzip.compress, [*pages, *others]), bytes(damaged), truncated]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a corpus of all that is planted, and its manifest."""
    folder = tmp_path_factory.mktemp("reasons")
    (folder / "earlier.warc.gz").write_bytes(gzip.compress(response("https://b.example/", article(4).encode())))
    build([str(folder / "earlier.warc.gz")], folder / "earlier", FAST, jobs=1)
    (folder / "crawl.warc.gz").write_bytes(b"".join(members()))
    (folder / "lines.jsonl").write_text("nonsense\n")
    (folder / "index.cdxj").write_text('org,a)/ 2024 {"filename": "/dev/zero", "offset": 0}\n')
    files = ["crawl.warc.gz", "lines.jsonl", "index.cdxj", "gone.html"]
    inputs = [*(str(folder / name) for name in files), "http://127.0.0.1:9/"]
    settings = replace(STRICT, duplicates=Duplicates(earlier=(str(folder / "earlier"),)))
    return folder / "corpus", build(inputs, folder / "corpus", settings, jobs=1, worker=perform)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("data/*.parquet")) for row in parquet.read_table(path).to_pylist()]


@pytest.mark.parametrize("url", PAGES)
def test_each_page_is_rejected_with_its_code(built: tuple[Path, dict[str, Any]], url: str) -> None:
    (row,) = (row for row in rows(built[0]) if row["url"] == url)
    assert row["reason_code"] == PAGES[url][1]
    assert (row["reason"] is None) is (PAGES[url][1] is None)
    assert "None" not in (row["reason"] or "")


def test_the_account_is_by_code_to_the_last_record(built: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = built
    planted = Counter(code for _, code in PAGES.values() if code) + OTHERS
    assert manifest["rejected"] == dict(planted)
    assert manifest["records"] == manifest["kept"] + planted.total() == len(PAGES) + OTHERS.total()
    codes = Counter(row["reason_code"] for row in rows(folder))
    assert codes.pop(None) == manifest["kept"]
    assert codes + Counter([Code.OTHER_KIND]) == planted
    stored = json.loads((folder / "manifest.json").read_text())
    assert stored == manifest
    assert all(type(code) is str for code in manifest["rejected"])


@pytest.mark.parametrize("code", CHAIN)
def test_settings_reject_with_a_code(code: Code) -> None:
    html, settings = CHAIN[code]
    record = Record("a.warc", 7, status=200, type="text/html")
    case = steps.run(Case(RawPage("a.warc:7", html, "https://example.org/a", record=record)), settings)
    assert case.reason
    assert case.reason.code is code


def test_a_part_that_is_given_up_is_one_record(tmp_path: Path) -> None:
    job = CorpusJob(FAST, str(tmp_path))
    job.work.mkdir()
    reason = Reason(Code.TASK_DIED, "WorkerCrashedError", seen=4)
    with LocalEngine(job, 1, lambda event: None) as engine:
        (summary,) = engine.give_up([Part(0, "archive", ("a.warc.gz",))], reason)
    assert summary["counts"] == {"task-died": 1}
    (batch,) = read_stage(PartFiles(job.work, 0).rows)
    (row,) = batch.to_pylist()
    assert (row["reason_code"], row["reason"]) == ("task-died", "its task died 4 times (WorkerCrashedError)")


def test_no_code_is_left_out_and_the_documentation_has_them_all() -> None:
    planted = {code for _, code in PAGES.values() if code} | set(OTHERS) | set(CHAIN) | {Code.TASK_DIED}
    assert planted == set(ORDER) - {Code.REJECTED}  # which is for steps of one's own
    chain = CORPUS_DOCS.read_text(encoding="utf-8").partition("## The chain")[2].partition("\n\n## ")[0]
    cells = [line.split("|")[3] for line in chain.splitlines() if line.startswith("|")]
    documented = re.findall(r"`([\w-]+)`", " ".join(cells))
    assert sorted(documented) == sorted(ORDER)


def test_json_lines_and_parquet_agree(built: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    file = writer("jsonl")(tmp_path / "a.jsonl.gz")
    for path in sorted(built[0].glob("data/*.parquet")):
        for batch in parquet.read_table(path).to_batches():
            file.write(batch)
    file.close()
    lines = gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()).decode().splitlines()
    names = ("id", "reason_code", "reason", "note_code", "note")
    assert [{name: json.loads(line).get(name) for name in names} for line in lines] == [
        {name: row[name] for name in names} for row in rows(built[0])
    ]


def test_the_funnel_of_the_report_adds_up(built: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = built
    page = write_report(folder).read_text()
    page = page.partition("What was lost of the inputs")[0] + page.partition("What became of the records")[2]
    funnel = re.findall(r'<tr><td>([^<]+)<td class="number">([\d,]+)<td class="number">([\d,]+)<td', page)
    left = manifest["records"]
    for _, count, after in funnel:
        left -= int(count)
        assert left == int(after)
    assert left == manifest["kept"]
    assert [label for label, _, _ in funnel] == [
        code.replace("-", " ") for code in ORDER if code in manifest["rejected"]
    ]
    assert " 1 shard, " in page


def test_a_slow_record_is_given_up_at_once_and_one_that_kills_after_some_attempts(
    built: tuple[Path, dict[str, Any]],
) -> None:
    events = [json.loads(line) for line in (built[0] / "log.jsonl").read_text().splitlines()]
    died = Counter(event["reason_code"] for event in events if event["event"] == "worker died")
    assert died == {Code.TOO_SLOW: 1, Code.WORKER_DIED: ATTEMPTS}
    assert set(died) < set(REMEDIES)


@pytest.mark.parametrize("step", ["parts", "shards"])
def test_what_ends_a_run_is_an_error_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setenv("FULL_STEP", step)
    (tmp_path / "a.html").write_text(article(1))
    folder = tmp_path / "corpus"
    with pytest.raises(InputError, match=r"no space left: .*; run again with --resume") as stopped:
        build([str(tmp_path / "a.html")], folder, FAST, jobs=1, worker=full)
    # As from a task of Ray.
    reason = pickle.loads(pickle.dumps(stopped.value)).reason
    assert reason.code is Code.NO_SPACE
    *_, last = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    assert (last["event"], last["reason_code"]) == ("stopped", "no-space")
    assert build([str(tmp_path / "a.html")], folder, FAST, jobs=1, resume=True)["kept"] == 1


def test_a_worker_that_has_no_memory_for_any_record_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(article(1))
    job = CorpusJob(FAST, str(tmp_path / "corpus"))
    job.work.mkdir(parents=True)
    events: list[dict[str, Any]] = []
    with LocalEngine(job, 1, events.append) as engine:
        engine._pool = cast(Any, _Exhausted())
        with pytest.raises(InputError, match="out of memory; run again with --resume"):
            list(engine.process([Part(0, "page", (str(tmp_path / "a.html"),))]))
    assert [event["reason_code"] for event in events] == ["out-of-memory"] * ATTEMPTS


class _Exhausted:
    """A pool whose workers run out of memory before their first record."""

    def map(self, tasks: Iterable[Any]) -> Iterator[tuple[Any, Reason]]:
        return ((task, Reason(Code.OUT_OF_MEMORY)) for task in tasks)

    def __exit__(self, *error: object) -> None:
        pass

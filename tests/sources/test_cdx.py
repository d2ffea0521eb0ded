"""An index leads to archives in its own folder, or where the user says; a bad line affects only itself."""

import io
import json
import os
from pathlib import Path
from typing import Any

import fsspec
import pytest

from dehusk import Limits, UsageError
from dehusk.corpus.build import build
from dehusk.corpus.settings import Extraction, RecordSettings, Settings
from dehusk.reasons import Code
from dehusk.sources import RawPage, cdx, read
from dehusk.sources.account import Account
from dehusk.sources.reach import Reach, check_bases
from tests.cli.conftest import Run, dehusk
from tests.helpers.archives import HTML, joined, warc_record

__all__ = ["dehusk"]  # a fixture

MEMBER = joined([warc_record(0)])
LENGTH = len(MEMBER)


@pytest.fixture
def folder(tmp_path: Path, dehusk: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an index, with an archive in it and one beside it."""
    crawl = tmp_path / "crawl"
    (crawl / "below").mkdir(parents=True)
    for place in ("a.warc.gz", "crawl/a.warc.gz", "crawl/below/a.warc.gz"):
        (tmp_path / place).write_bytes(MEMBER)
    monkeypatch.chdir(crawl)
    return crawl


def line(filename: Any, offset: Any = 0, length: Any = LENGTH) -> str:
    entry = {"filename": filename, "offset": offset, "length": length}
    return f"org,example)/ 20240502100000 {json.dumps(entry)}\n"


def found(*lines: str, archives: tuple[str, ...] = (), index: str = "i.cdxj") -> list[RawPage]:
    Path("i.cdxj").write_text("".join(lines), encoding="utf-8", errors="surrogatepass")
    return list(read([index], Limits(), archives=archives))


def codes(pages: list[RawPage]) -> list[Code | None]:
    return [page.problem.code if page.problem else None for page in pages]


@pytest.mark.parametrize("name", ["a.warc.gz", "below/a.warc.gz", "./below/../a.warc.gz", "{folder}/a.warc.gz"])
def test_archives_in_the_folder_of_the_index_are_read(folder: Path, name: str) -> None:
    for given in (name.format(folder=folder), "file://" + name.format(folder=folder)):
        (page,) = found(line(given))
        assert page.data == HTML.format(0).encode()


@pytest.mark.parametrize(
    "name",
    [
        "../a.warc.gz",
        "{folder}/../a.warc.gz",
        "{folder.parent}/a.warc.gz",
        "file://{folder.parent}/a.warc.gz",
        "link.warc.gz",
        "linked/a.warc.gz",
        "/dev/zero",
        "/proc/self/environ",
        "webhdfs://127.0.0.1:19999/x",
        "s3://bucket/a.warc.gz",
        "memory://a.warc.gz",
        "file://x::http://127.0.0.1:19999/",
        "simplecache::http://127.0.0.1:19999/",
        "http://127.0.0.1:19999/a.warc.gz",
        "blockcache::file://{folder}/a.warc.gz",
    ],
)
def test_archives_elsewhere_are_not_opened(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "link.warc.gz").symlink_to(folder.parent / "a.warc.gz")
    (folder / "linked").symlink_to(folder.parent)
    monkeypatch.setattr("dehusk.sources.remote._opened", lambda address: pytest.fail(f"asked {address}"))
    pages = found(line(name.format(folder=folder)), line("a.warc.gz"))
    assert codes(pages)[0] in (Code.NOT_ALLOWED, Code.UNREADABLE)
    assert pages[1].data == HTML.format(0).encode()


def test_only_regular_files_are_opened(folder: Path) -> None:
    os.mkfifo("pipe.warc.gz")
    pages = found(line("pipe.warc.gz"), line("below"), line("a.warc.gz"))
    assert codes(pages) == [Code.UNREADABLE, Code.UNREADABLE, None]
    assert str(pages[0].problem) == "cannot be read: no regular file"


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (line("a.warc.gz", 10**30), Code.INVALID_RECORD),
        (line("a.warc.gz", str(10**30)), Code.INVALID_RECORD),
        (line("a.warc.gz", -1), Code.INVALID_RECORD),
        (line("a.warc.gz", 0, 10**30), Code.INVALID_RECORD),
        (line("a.warc.gz", 0, -5), Code.INVALID_RECORD),
        (line("a.warc.gz", float("inf")), Code.INVALID_RECORD),
        (line("a.warc.gz", 0, float("nan")), Code.INVALID_RECORD),
        (line("a.warc.gz", 0.5), Code.INVALID_RECORD),
        (line("a.warc.gz", True), Code.INVALID_RECORD),
        (line("a.warc.gz", None), Code.INVALID_RECORD),
        (line("a.warc.gz", [[0]]), Code.INVALID_RECORD),
        (line("a.warc.gz", "9" * 5000), Code.INVALID_RECORD),
        (line(["a.warc.gz"]), Code.INVALID_RECORD),
        (line(""), Code.NOT_ALLOWED),
        (line("a\0.warc.gz"), Code.NOT_ALLOWED),
        (line("a\ud800.warc.gz"), Code.NOT_ALLOWED),
        (line("a" * 5000), Code.NOT_ALLOWED),
        (line("a" * 200_000), Code.INVALID_RECORD),
        ("org,example)/ 2024 " + '{"a":' * 9000 + "\n", Code.INVALID_RECORD),
        ("org,example)/ 2024 {}\n", Code.INVALID_RECORD),
        ("org,example)/ 2024 [1]\n", Code.INVALID_RECORD),
        ("org,example)/ 2024 http://a text/html 200 X - - 9 -7 a.warc.gz\n", Code.INVALID_RECORD),
        ("\0\0\0\n", Code.INVALID_RECORD),
        (line("a.warc.gz", 10**17), Code.INVALID_RECORD),  # nothing is there
        (line("a.warc.gz", 0, 0), Code.INVALID_RECORD),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_bad_line_is_one_rejected_record(folder: Path, bad: str, code: Code) -> None:
    pages = found(line("a.warc.gz"), bad, line("a.warc.gz"))
    assert codes(pages) == [None, code, None]


def test_a_length_that_is_too_large_or_unknown_takes_no_more_than_the_record(folder: Path) -> None:
    pages = found(line("a.warc.gz", 0, 10**17), line("a.warc.gz", 0, "-"), line("a.warc.gz", 0, None))
    assert [page.data for page in pages] == [HTML.format(0).encode()] * 3


def test_the_user_names_other_folders(folder: Path) -> None:
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "b.warc.gz").write_bytes(MEMBER)
    lines = [line("b.warc.gz"), line(f"{folder.parent}/other/b.warc.gz"), line("../a.warc.gz")]
    pages = found(*lines, archives=(f"{folder.parent}/other/",))
    assert codes(pages) == [None, None, Code.NOT_ALLOWED]


def test_stores_are_confined_like_folders() -> None:
    memory = fsspec.filesystem("memory")
    for place in ("in/a.warc.gz", "in/below/a.warc.gz", "out/a.warc.gz", "other/a.warc.gz", "inside/a.warc.gz"):
        memory.pipe(f"/reach/{place}", MEMBER)
    places = [
        "a.warc.gz", "memory:///reach/in/below/a.warc.gz", "../out/a.warc.gz", "%2e%2e/out/a.warc.gz",
        "memory:///reach/out/a.warc.gz", "memory:///reach/in/../out/a.warc.gz", "memory:///reach/inside/a.warc.gz",
        "a.warc.gz::memory:///reach/out/a.warc.gz", "/etc/hostname", "memory:///reach/other/a.warc.gz",
    ]  # fmt: skip
    memory.pipe("/reach/in/i.cdxj", "".join(map(line, places)).encode())
    try:
        pages = list(read(["memory:///reach/in/i.cdxj"], Limits(), archives=("memory:///reach/other",)))
    finally:
        memory.rm("/reach", recursive=True)
    assert [page.data != b"" for page in pages] == [True, True, *[False] * 7, True]
    assert set(codes(pages)[2:9]) == {Code.NOT_ALLOWED}


@pytest.mark.parametrize("base", ["nowhere", "https://example.org/crawl", "file:///tmp::http://example.org/"])
def test_what_the_user_names_must_be_a_folder(folder: Path, base: str, dehusk: Run) -> None:
    with pytest.raises(UsageError, match="expected a folder, or an address such as s3://bucket/crawl"):
        check_bases([base])
    found(line("a.warc.gz"))
    for command in (["extract"], ["annotate"], ["strip"], ["corpus", "--output", "out"]):
        assert dehusk(*command, "i.cdxj", "--archives", base).status == 2


def test_commands_and_settings_name_other_folders(folder: Path, dehusk: Run) -> None:
    found(line("../a.warc.gz"))
    assert dehusk("extract", "i.cdxj", "--method", "alltext", "--jobs", "1").status == 1
    status, output, _ = dehusk("extract", "i.cdxj", "--method", "alltext", "--jobs", "1", "--archives", "..")
    assert (status, "text of page number 0" in output) == (0, True)
    extraction = Extraction(method="alltext")
    refused = build(["i.cdxj"], folder / "refused", Settings(extraction=extraction), jobs=1)
    assert refused["rejected"] == {"not-allowed": 1}
    settings = Settings(RecordSettings(archives=("..",)), extraction)
    assert "not-allowed" not in build(["i.cdxj"], folder / "read", settings, jobs=1)["rejected"]


def test_every_byte_of_an_index_is_accounted_for(folder: Path) -> None:
    text = " CDX N b a m s k r M S V g\n\n" + line("a.warc.gz") + "nonsense\n!\n" + line("b" * 200_000) + line("x")[:-1]
    account = Account()
    pages = list(cdx.read(io.BytesIO(text.encode()), "i.cdxj", 10**6, Reach.of("i.cdxj"), account))
    assert (account.records, len(pages), account.is_balanced, account.end) == (4, 4, True, len(text))
    assert account.padding == len(" CDX N b a m s k r M S V g\n\n!\n")

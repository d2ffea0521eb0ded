"""Every kind of input is recognised, by name or content, compressed, from standard input and by pipe, by every command.

The kind of an input is decided once; what can be read only once loses no byte by it.
"""

import bz2
import errno
import gzip
import io
import json
import os
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import fsspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from dehusk import Limits
from dehusk.corpus.build import build
from dehusk.corpus.parts import plan
from dehusk.corpus.reading import PartReader
from dehusk.corpus.saved_input import save_input, saved_path
from dehusk.corpus.settings import Extraction, Settings
from dehusk.reasons import Code, Reason
from dehusk.sources import find, inputs, read, remote
from dehusk.sources.inputs import look_at
from dehusk.sources.json_lines import parsed
from dehusk.sources.kinds import ARCHIVE, KINDS, PAGE, ReadOptions
from tests.cli.conftest import Run, dehusk
from tests.helpers.archives import ARC_HEAD, COMPRESSORS, HTML, arc_record, joined, warc_record

__all__ = ["dehusk"]  # a fixture

PAGES = [HTML.format(number) for number in range(2)]
TEXTS = [f"text of page number {number}" for number in range(2)]
LINES = "".join(json.dumps({"html": page}) + "\n" for page in PAGES).encode()


def table() -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table({"html": PAGES}), file)
    return file.getvalue()


def index() -> bytes:
    """Return an index of the records of crawl.warc, which is beside it."""
    records = [warc_record(number) for number in range(2)]
    entries = [
        {"filename": "crawl.warc", "offset": str(offset), "length": str(len(record))}
        for offset, record in zip([0, len(records[0])], records, strict=True)
    ]
    return "".join(f"org,example)/ 20240502100000 {json.dumps(entry)}\n" for entry in entries).encode()


def wacz() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("datapackage.json", "{}")
        for number in range(2):
            archive.writestr(f"archive/{number}.warc.gz", gzip.compress(warc_record(number)))
    return file.getvalue()


# Its kind, a name that says so, the content, and how many pages there are.
SAMPLES: dict[str, tuple[str, str, bytes, int]] = {
    "warc": ("archive", "a.warc", b"".join(map(warc_record, range(2))), 2),
    "arc": ("archive", "a.arc", b"".join([ARC_HEAD, *map(arc_record, range(2))]), 2),
    "wacz": ("wacz", "a.wacz", wacz(), 2),
    "index": ("index", "a.cdxj", index(), 2),
    "table": ("table", "a.parquet", table(), 2),
    "lines": ("lines", "a.jsonl", LINES, 2),
    "page": ("page", "a.html", PAGES[0].encode(), 1),
}
WAYS = ("name", "content", "compressed", "compressed content", "standard input", "pipe", "compressed pipe")
every_sample = pytest.mark.parametrize("sample", SAMPLES)
every_way = pytest.mark.parametrize("way", WAYS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with the archive that the index names."""
    monkeypatch.chdir(tmp_path)
    Path("crawl.warc").write_bytes(SAMPLES["warc"][2])
    return tmp_path


@contextmanager
def sent(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make data what comes from standard input, which cannot go back."""
    reader, writer = os.pipe()
    threading.Thread(target=lambda: write(writer, data), daemon=True).start()
    with io.TextIOWrapper(os.fdopen(reader, "rb")) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield "-"


def write(descriptor: int, data: bytes) -> None:
    """Write data in pieces, the first of which show nothing, as a pipe may deliver it."""
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        for start in range(0, 6, 3):
            file.write(data[start : start + 3])
        file.write(data[6:])


@contextmanager
def prepared(sample: str, way: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give the location of a sample that reaches us in some way."""
    _, name, data, _ = SAMPLES[sample]
    packed = gzip.compress(data) if way.startswith("compressed") else data
    if way == "standard input":
        with sent(data, monkeypatch) as location:
            yield location
        return
    location = {"name": name, "compressed": f"{name}.gz", "content": "file", "compressed content": "f.dat"}.get(
        way, "p"
    )
    if "pipe" in way:
        os.mkfifo(location)
        writer = threading.Thread(target=lambda: write(os.open(location, os.O_WRONLY), packed), daemon=True)
        writer.start()
        yield location
        writer.join(10)
        assert not writer.is_alive()
    else:
        Path(location).write_bytes(packed)
        yield location


def in_order(output: str, count: int) -> bool:
    """Return whether an output has the texts of all pages, each once and in order."""
    starts = [output.find(text) for text in TEXTS[:count]]
    return -1 not in starts and starts == sorted(starts) and all(output.count(text) == 1 for text in TEXTS[:count])


@every_way
@every_sample
def test_pages_are_read_however_they_come(sample: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, _, _, count = SAMPLES[sample]
    with prepared(sample, way, monkeypatch) as location:
        (source,) = inputs([location])
        contents = [parsed(page).data for page in read([source], Limits())]
    assert source.kind is KINDS[kind]
    assert [data if isinstance(data, str) else data.decode() for data in contents] == PAGES[:count]


@pytest.mark.parametrize("way", [*(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[:-1]), WAYS[-1]])
@every_sample
@pytest.mark.parametrize("command", ["extract", "annotate"])
def test_commands_read_every_kind(
    command: str, sample: str, way: str, monkeypatch: pytest.MonkeyPatch, dehusk: Run
) -> None:
    with prepared(sample, way, monkeypatch) as location:
        options = ["--method", "alltext", "--jobs", "1", "--format", "text"]
        status, output, _ = dehusk(command, *options, location, stdin=None)
    assert (status, in_order(output, SAMPLES[sample][3])) == (0, True)


@every_way
@every_sample
def test_a_corpus_reads_every_kind(sample: str, way: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, _, _, count = SAMPLES[sample]
    with prepared(sample, way, monkeypatch) as location:
        saved = {}
        if way == "standard input" or "pipe" in way:
            saved[location] = str(saved_path(folder, 0))
            save_input(location, saved_path(folder, 0))
        parts = plan([location], 300, saved=saved)
    assert {part.kind for part in parts} == {kind}
    found = [
        page
        for part in parts
        for page in PartReader(part, ReadOptions())
        if page.record and page.record.kind != "warcinfo"
    ]
    assert in_order(" ".join(str(page.data) for page in found), count)
    assert not any(page.problem for page in found)


def test_one_writer_may_fill_pipes_one_after_the_other(dehusk: Run, folder: Path) -> None:
    pipes = [str(folder / name) for name in ("first", "second", "third")]
    for pipe in pipes:
        os.mkfifo(pipe)

    def fill() -> None:
        for number, pipe in enumerate(pipes):
            Path(pipe).write_text(HTML.format(number) + " " * 300_000)  # more than a pipe holds

    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    status, output, _ = dehusk("extract", "--method", "alltext", "--jobs", "1", *pipes)
    writer.join(60)
    assert (status, [output.count(f"page number {number}") for number in range(3)]) == (0, [1, 1, 1])


def test_a_corpus_from_pipes_is_resumed_without_them(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    settings = Settings(extraction=Extraction(method="alltext"))

    def stop(status: object) -> None:
        raise KeyboardInterrupt

    with prepared("warc", "pipe", monkeypatch) as location, pytest.raises(KeyboardInterrupt):
        build([location], folder / "corpus", settings, jobs=1, listener=stop)
    manifest = build([location], folder / "corpus", settings, jobs=1, resume=True)
    expected = build(["crawl.warc"], folder / "expected", settings, jobs=1)
    assert manifest["records"] == expected["records"] == 2
    assert manifest["rejected"] == expected["rejected"]
    assert [(each["location"], each["bytes"]) for each in manifest["inputs"]] == [
        (location, Path("crawl.warc").stat().st_size)
    ]


# What a file holds, what it is called, and the kind that it is taken for: a signature, then the name, then the text.
DISAGREEMENTS = [
    ("warc", "page.html", "archive"),
    ("warc", "crawl.gz", "archive"),  # not compressed, either
    ("warc", "crawl.jsonl", "archive"),
    ("arc", "notes.txt", "archive"),
    ("wacz", "crawl.zip", "wacz"),
    ("wacz", "page.html", "wacz"),
    ("table", "page.html", "table"),
    ("table", "a.warc", "table"),
    ("lines", "a.txt", "page"),
    ("lines", "a.html", "page"),
    ("lines", "a.json", "lines"),
    ("lines", "a.cdxj", "index"),
    ("index", "a.txt", "page"),
    ("index", "cdx-00017.gz", "index"),
    ("page", "a.jsonl", "lines"),
    ("page", "a.warc.gz", "archive"),
    ("page", "a.php", "page"),
]


@pytest.mark.parametrize(("sample", "name", "kind"), DISAGREEMENTS, ids=str)
def test_content_and_name_disagree(sample: str, name: str, kind: str) -> None:
    Path(name).write_bytes(SAMPLES[sample][2])
    assert look_at(name).kind is KINDS[kind]


@pytest.mark.parametrize("text", ["WARC/1.0 is a format of the web.", "{x} is a set.", "CDX is one, too", "PAR 1", ""])
def test_texts_that_only_look_like_another_kind_are_pages(text: str) -> None:
    Path("notes").write_text(text)
    assert look_at("notes").kind is KINDS["page"]


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_archives_whose_records_are_compressed_are_recognised(suffix: str) -> None:
    Path("download").write_bytes(joined(map(warc_record, range(2)), suffix))
    assert [parsed(page).data for page in read(["download"], Limits())] == [page.encode() for page in PAGES]


def test_the_first_block_may_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = os.urandom(300_000).hex()
    with sent(bz2.compress(json.dumps({"html": f"<p>{rest}"}).encode()), monkeypatch) as location:
        assert [parsed(page).data for page in read([location], Limits())] == [f"<p>{rest}"]


@pytest.mark.parametrize(
    ("name", "kind"), [("a.warc.lz4", "archive"), ("a.jsonl", "lines"), ("a.html", "page"), ("unnamed", "page")]
)
def test_what_cannot_be_read_is_what_its_name_says(name: str, kind: str) -> None:
    assert look_at(name).kind is KINDS[kind]
    Path(name).touch()
    assert look_at(name).kind is KINDS[kind]


def test_a_folder_stands_for_what_its_files_are_called() -> None:
    for name in ("a.html", "b.warc.gz", "c.parquet", "d.ndjson", "e.cdx", "f", "g.html.lz4"):
        Path(name).write_bytes(COMPRESSORS[".lz4"](b""))
    assert [Path(location).name for location in find(["."])] == [
        "a.html", "b.warc.gz", "c.parquet", "crawl.warc", "d.ndjson", "g.html.lz4"
    ]  # fmt: skip


@every_sample
@pytest.mark.parametrize(("way", "opens"), [("name", 2), ("content", 2), ("pipe", 1)])
def test_a_file_is_looked_at_once_and_read_once(
    sample: str, way: str, opens: int, monkeypatch: pytest.MonkeyPatch, dehusk: Run
) -> None:
    opened: Counter[str] = Counter()
    original: Callable[..., Any] = Path.open

    def counting(path: Path, *arguments: Any, **options: Any) -> Any:
        opened[str(path)] += 1
        return original(path, *arguments, **options)

    with prepared(sample, way, monkeypatch) as location:
        monkeypatch.setattr(Path, "open", counting)
        assert dehusk("extract", "--method", "alltext", "--jobs", "1", location).status == 0
    assert opened[location] == opens


@pytest.mark.parametrize(
    ("name", "opens"),
    [("a.warc.gz", 1), ("a.parquet", 1), ("a.jsonl", 0), ("a.cdxj", 0), ("a.html", 0), ("unnamed", 1)],
)
def test_a_plan_opens_a_remote_file_only_to_see_where_it_can_be_divided(
    name: str, opens: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: Counter[str] = Counter()
    for request in ("open_remote", "size"):
        original = getattr(remote, request)

        def counting(address: str, request: str = request, original: Callable[..., Any] = original) -> Any:
            requests[request] += 1
            return original(address)

        monkeypatch.setattr(remote, request, counting)
    address = f"memory://kinds/{name}"
    with fsspec.open(address, "wb") as file:
        file.write(PAGES[0].encode())
    plan([address], 10**6)
    assert (requests["open_remote"], requests["size"]) == (opens, 1)


@pytest.mark.parametrize(
    "text",
    [
        "PAR1 is a format.",
        "filedesc:// is how ARC files begin.",
        "WARC/1.0\nIs what a crawl begins with.",
        "WARC/1.0 <p>x",
    ],
)
def test_a_text_about_a_format_is_a_page(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(text)
    assert look_at(str(path)).kind is PAGE


@pytest.mark.parametrize(
    "beginning", ["WARC/1.1", "WARC/1.0\r\nWARC-Ty", "WARC/1.0\nwarc-type: response", "filedesc://a.arc 0.0.0.0 2"]
)
def test_an_archive_is_known_by_as_much_of_its_beginning_as_there_is(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(beginning.encode())
    assert look_at(str(path)).kind is ARCHIVE


def test_a_disk_without_space_for_what_is_unpacked_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> IO[bytes]:
        return cast(IO[bytes], Full())

    class Full(io.BytesIO):
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    monkeypatch.setattr("dehusk.sources.content.IN_MEMORY", 10)
    path = tmp_path / "a.warc.bz2"
    path.write_bytes(bz2.compress(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n"))
    (page,) = read([str(path)], Limits())
    assert page.problem == Reason(Code.NO_SPACE, os.strerror(errno.ENOSPC))
    (part,) = plan([str(path)], 1_000_000)
    with pytest.raises(OSError, match="No space left"):
        list(PartReader(part, ReadOptions()))

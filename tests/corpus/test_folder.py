"""A folder belongs to one run, which goes on only with the inputs that it began with; other tools read its shards."""

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import pandas as pd
import polars as pl
import pytest
from pyarrow import parquet

from dehusk.corpus import lock
from dehusk.corpus.build import Status, build
from dehusk.corpus.files import PartFiles
from dehusk.corpus.identity import STRETCH, identities
from dehusk.corpus.lock import locked
from dehusk.corpus.settings import Duplicates, Extraction, OutputSettings, Settings
from dehusk.errors import InputError, UsageError
from dehusk.file_locks import try_lock
from tests.helpers.archives import http, joined, warc_record
from tests.helpers.articles import article

SETTINGS = Settings(extraction=Extraction(method="bte"), output=OutputSettings(part_bytes=3000, shard_parts=1))


def crawl(path: Path, count: int = 8) -> list[str]:
    path.write_bytes(joined(warc_record(number, http(article(number).encode())) for number in range(count)))
    return [str(path)]


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "log.jsonl"
    }


def stop_after_a_part(folder: Path) -> Any:
    def stop(status: Status) -> None:
        if PartFiles(folder / "work", 0).summary.exists():
            raise KeyboardInterrupt

    return stop


def interrupted(inputs: list[str], folder: Path) -> None:
    """Begin a run and interrupt it after its first part."""
    with pytest.raises(KeyboardInterrupt):
        build(inputs, folder, SETTINGS, jobs=1, listener=stop_after_a_part(folder))


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_run_is_kept_out_and_the_first_ends_as_if_there_had_been_none(tmp_path: Path, resume: bool) -> None:
    inputs, folder, problems = crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus", list[str]()

    def begin_another(status: Status) -> None:
        with pytest.raises(UsageError) as kept_out:
            build(inputs, folder, SETTINGS, jobs=1, resume=resume)
        problems.append(str(kept_out.value))

    manifest = build(inputs, folder, SETTINGS, jobs=1, listener=begin_another)
    expected = f"{folder} is in use by another run (process {os.getpid()} on "
    assert problems
    assert all(problem.startswith(expected) for problem in problems)
    assert build(inputs, tmp_path / "alone", SETTINGS, jobs=1) == manifest
    assert files(folder) == files(tmp_path / "alone")


def test_the_lock_of_a_run_that_was_killed_is_no_lock(tmp_path: Path) -> None:
    inputs, folder = crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus"
    interrupted(inputs, folder)
    hold = "import sys; from pathlib import Path; from dehusk.corpus.lock import locked\n"
    hold += "with locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", hold, folder], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=rf"in use by another run \(process {process.pid} on "):
            build(inputs, folder, SETTINGS, jobs=1, resume=True)
        os.kill(process.pid, signal.SIGKILL)
    assert (folder / lock.NAME).exists()
    build(inputs, folder, SETTINGS, jobs=1, resume=True)
    build(inputs, tmp_path / "alone", SETTINGS, jobs=1)
    assert files(folder) == files(tmp_path / "alone")


def test_of_many_who_want_a_folder_one_has_it_at_a_time(tmp_path: Path) -> None:
    inside, most, turns = [0], [0], [0]
    guard = threading.Lock()

    def try_often() -> None:
        for _ in range(200):
            try:
                with locked(tmp_path / "corpus"):
                    with guard:
                        inside[0] += 1
                        most[0], turns[0] = max(most[0], inside[0]), turns[0] + 1
                    with guard:
                        inside[0] -= 1
            except (UsageError, InputError):  # the folder may be removed under the feet of another
                continue

    threads = [threading.Thread(target=try_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert turns[0]


def test_a_lock_on_a_file_that_is_gone_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [tmp_path / lock.NAME]

    def end_before(descriptor: int) -> bool | None:
        for path in ends:  # a run that had the lock ends after its file was opened by the next
            path.unlink()
        ends.clear()
        return try_lock(descriptor)

    monkeypatch.setattr(lock, "try_lock", end_before)
    with locked(tmp_path), pytest.raises(UsageError, match="in use by another run"), locked(tmp_path):
        pass


def test_where_there_are_no_locks_a_run_goes_on_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert build(crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus", SETTINGS, jobs=1)["records"] == 8


def test_a_run_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    settings = Settings(duplicates=Duplicates(earlier=(str(tmp_path / "missing"),)))
    with pytest.raises(InputError, match="missing has no manifest"):
        build(crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus", settings)
    assert not (tmp_path / "corpus").exists()


def test_a_run_that_was_killed_before_its_plan_was_complete_begins_again(tmp_path: Path) -> None:
    inputs, folder = crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus"
    (folder / "work").mkdir(parents=True)
    (folder / lock.NAME).touch()
    (folder / "work" / f".dehusk-{0:032x}.part").touch()
    assert build(inputs, folder, SETTINGS, jobs=1, resume=True)["records"] == 8


def test_files_of_others_are_not_removed(tmp_path: Path) -> None:
    inputs, folder = crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus"
    interrupted(inputs, folder)
    (folder / ".notes.part").write_text("mine")
    left = [folder / f".dehusk-{0:032x}.part", folder / "work" / f".dehusk-{0:032x}.part"]
    for path in left:
        path.touch()
    build(inputs, folder, SETTINGS, jobs=1, resume=True)
    assert (folder / ".notes.part").read_text() == "mine"
    assert not any(path.exists() for path in left)


def test_an_input_with_other_content_of_the_same_size_does_not_continue_a_run(tmp_path: Path) -> None:
    inputs, folder = crawl(tmp_path / "a.warc.gz"), tmp_path / "corpus"
    path = tmp_path / "a.warc.gz"
    interrupted(inputs, folder)
    status, data = path.stat(), path.read_bytes()
    path.write_bytes(data[:-3] + b"abc")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(UsageError, match=r"a\.warc\.gz has changed since .*corpus was begun; name another folder"):
        build(inputs, folder, SETTINGS, jobs=1, resume=True)
    path.write_bytes(data)  # at another time: what counts is the content
    assert build(inputs, folder, SETTINGS, jobs=1, resume=True)["records"] == 8


def test_pages_that_changed_are_counted(tmp_path: Path) -> None:
    pages = [tmp_path / f"{number}.html" for number in range(3)]
    for number, page in enumerate(pages):
        page.write_text(article(number))
    inputs = [*map(str, pages), *crawl(tmp_path / "a.warc.gz")]
    interrupted(inputs, tmp_path / "corpus")
    for page in pages[:2]:
        page.write_text(page.read_text().upper())
    with pytest.raises(UsageError, match=r"0\.html and 1 more input have changed"):
        build(inputs, tmp_path / "corpus", SETTINGS, jobs=1, resume=True)


@pytest.mark.parametrize("size", [0, 1, STRETCH, STRETCH + 1, 10 * STRETCH, 2_000_000])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_a_changed_byte_changes_the_identity(tmp_path: Path, size: int, place: str) -> None:
    path, data = tmp_path / "a", bytearray(os.urandom(size))
    path.write_bytes(data)
    before = identities([str(path)])
    shutil.copy(path, tmp_path / "b")
    assert list(identities([str(tmp_path / "b")]).values()) == list(before.values())
    if size:
        # The middle of a large file lies between the stretches, of which there is an even number.
        offset = {"first": 0, "middle": (size - STRETCH) * 3 // 7 if size > STRETCH else size // 2, "last": -1}[place]
        data[offset] ^= 1
        path.write_bytes(data)
        assert identities([str(path)]) != before


def test_a_store_is_asked_for_what_changes_with_the_content() -> None:
    store = fsspec.filesystem("memory")
    store.pipe("memory://identity/a", b"one")
    before = identities(["memory://identity/a", "memory://identity/missing"])
    assert list(before) == ["memory://identity/a"]
    store.pipe("memory://identity/a", b"two")
    assert identities(["memory://identity/a"]) != before


def test_other_tools_read_the_folder_of_the_shards(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    manifest = build(crawl(tmp_path / "a.warc.gz"), folder, SETTINGS, jobs=1)
    names = [shard["file"] for shard in manifest["shards"]]
    assert names == [f"data/shard-{number:05}.parquet" for number in range(len(names))]
    assert len(names) > 1
    titles = [f"Story {number}" for number in range(8)]
    assert parquet.read_table(folder / "data")["title"].to_pylist() == titles
    assert pd.read_parquet(folder / "data")["title"].to_list() == titles
    assert pl.read_parquet(folder / "data")["title"].to_list() == titles
    query = f"select title from '{folder}/data/*.parquet' order by file, \"offset\""
    assert [title for (title,) in duckdb.execute(query).fetchall()] == titles


def test_a_corpus_of_an_older_version_is_an_earlier_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "earlier"
    build(crawl(tmp_path / "a.warc.gz"), folder, SETTINGS, jobs=1)
    manifest = json.loads((folder / "manifest.json").read_text())
    for shard in manifest["shards"]:
        (folder / shard["file"]).rename(folder / Path(shard["file"]).name)
        shard["file"] = Path(shard["file"]).name
    (folder / "data").rmdir()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    settings = Settings(SETTINGS.records, SETTINGS.extraction, duplicates=Duplicates(earlier=(str(folder),)))
    rejected = build(crawl(tmp_path / "b.warc.gz"), tmp_path / "new", settings, jobs=1)["rejected"]
    assert rejected == {"earlier-duplicate": 8}

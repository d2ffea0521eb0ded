"""A corpus is complete to the last record, and the same whatever happened on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from benchmarks.planted_crawl import Crawl, Plan, write_crawl
from dehusk.corpus.build import build
from dehusk.corpus.settings import Extraction, Guards, OutputSettings, RecordSettings, Settings
from dehusk.errors import InputError, UsageError
from dehusk.processes import descendants
from dehusk.reasons import Code
from testing.planted_steps import dying, perform
from tests.helpers.articles import article

FAULTY = Plan(records=150, exact=5, near=10, damaged=2, others=6, large=3_000_000)
PLAN = replace(FAULTY, faults=False)  # without pages that sleep, so that runs can be repeated
SETTINGS = Settings(
    records=RecordSettings(max_bytes=1_000_000),
    extraction=Extraction(method="bte"),
    output=OutputSettings(part_bytes=6_000, shard_parts=5),
)
RUN = """
import sys
from pathlib import Path
from dehusk.corpus.build import build
from dehusk.corpus.settings import Settings
from testing.planted_steps import held
crawl, folder, settings, resume = sys.argv[1:]
files = sorted(map(str, Path(crawl).glob("*.warc.gz")))
build(files, Path(folder), Settings.read(Path(settings)), jobs=2, resume=bool(resume), worker=held)
"""


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Crawl]:
    folder = tmp_path_factory.mktemp("crawl")
    return folder, write_crawl(folder, [article(number) for number in range(120)], PLAN)


@pytest.fixture(scope="module")
def whole(crawl: tuple[Path, Crawl], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the corpus of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "corpus"
    build(inputs(crawl[0]), folder, SETTINGS, jobs=2)
    return folder


def inputs(crawl: Path) -> list[str]:
    return sorted(map(str, crawl.glob("*.warc.gz")))


def content(folder: Path) -> dict[str, bytes]:
    """Return all files of a corpus but its log."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl"}


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("data/*.parquet")) for row in parquet.read_table(path).to_pylist()]


def test_every_record_is_accounted_for(tmp_path: Path) -> None:
    planted = write_crawl(tmp_path / "crawl", [article(number) for number in range(120)], FAULTY)
    # Long enough to load what the first page needs, on a busy machine.
    settings = replace(SETTINGS, limits=Guards(seconds=15.0))
    folder = tmp_path / "corpus"
    manifest = build(inputs(tmp_path / "crawl"), folder, settings, jobs=2, worker=perform)
    found = manifest["rejected"]
    assert manifest["records"] == planted.records == FAULTY.records
    assert manifest["kept"] + sum(found.values()) == planted.records
    assert {code: found.get(code) for code in planted.planted} == dict(planted.planted)
    # Of the pages that were changed a little, one may be unchanged and some too different.
    assert found[Code.EXACT_DUPLICATE] in (FAULTY.exact, FAULTY.exact + 1)
    assert 0.7 * FAULTY.near <= found[Code.NEAR_DUPLICATE] <= FAULTY.near
    assert set(found) == {*planted.planted, Code.EXACT_DUPLICATE, Code.NEAR_DUPLICATE}
    assert json.loads((folder / "manifest.json").read_text()) == manifest
    assert sorted(f"data/{path.name}" for path in (folder / "data").iterdir()) == [
        shard["file"] for shard in manifest["shards"]
    ]
    log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert {entry["event"] for entry in log} >= {"start", "end"}
    # A record that is too slow is given up at once; one that kills its worker is tried again: it may not be to blame.
    deaths = Counter((entry["part"], entry["marker"]) for entry in log if entry["event"] == "worker died")
    assert sorted(deaths.values()) == [1, 3]


def test_rows_lead_to_their_bytes_and_to_their_twins(crawl: tuple[Path, Crawl], whole: Path) -> None:
    found = rows(whole)
    assert len(found) == PLAN.records - PLAN.others  # requests have none
    by_id = {row["id"]: row for row in found}
    assert len(by_id) == len(found)
    kept = next(row for row in found if not row["reason_code"])
    with open(kept["file"], "rb") as file:  # noqa: PTH123
        file.seek(kept["offset"])
        assert file.read(2) == b"\x1f\x8b"
    for row in found:
        if row["reason_code"] in (Code.EXACT_DUPLICATE, Code.NEAR_DUPLICATE):
            twin = by_id[row["duplicate_of"]]
            assert twin["reason_code"] is None
            assert twin["cluster"] == row["cluster"]
            assert row["similarity"] > 0.65
    charsets = {row["charset"] for row in found if not row["reason_code"]}
    assert len(charsets) >= 8


@contextmanager
def running(crawl: Path, folder: Path, *, resume: bool = False, parts: int = 1000) -> Iterator[Any]:
    """Run a build in a process of its own, and end it; after some parts it waits until the file `go` is there."""
    path = folder.parent / "settings.toml"
    path.write_text(SETTINGS.to_toml())
    command = [sys.executable, "-W", "ignore", "-c", RUN, str(crawl), str(folder), str(path), "yes" * resume]
    environment = {**os.environ, "HELD_PART": f"{parts} {folder.parent / 'go'}"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_parts(folder: Path, count: int) -> None:
    while len(list((folder / "work").glob("part-*.json"))) < count:
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
def test_a_worker_that_is_killed_makes_no_difference(crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with running(crawl[0], folder, parts=3) as process:
        wait_until_parts(folder, 3)
        _, worker, *_ = descendants(process.pid)
        os.kill(worker, signal.SIGKILL)
        (tmp_path / "go").touch()
        assert process.wait() == 0
    assert content(folder) == content(whole)


@pytest.mark.parametrize("moment", ["before the first record", "after the last one"])
def test_a_worker_may_die_at_any_moment(
    crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYING_MOMENT", f"{moment} {tmp_path / 'died'}")
    build(inputs(crawl[0]), tmp_path / "corpus", SETTINGS, jobs=1, worker=dying)
    assert (tmp_path / "died").exists()
    assert content(tmp_path / "corpus") == content(whole)


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_goes_on(crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    for parts in (2, 6):
        with running(crawl[0], folder, resume=parts > 2, parts=parts) as process:
            wait_until_parts(folder, parts)
            process.kill()
        assert not list(folder.glob("data/shard-*"))
    with running(crawl[0], folder, resume=True) as process:
        assert process.wait() == 0
    assert content(folder) == content(whole)


@pytest.mark.slow
def test_a_run_that_is_killed_between_shards_goes_on(crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with running(crawl[0], folder) as process:
        while not list(folder.glob("data/shard-*")) and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    for path in folder.glob("data/shard-*"):  # whole, whenever it was
        assert path.read_bytes() == (whole / "data" / path.name).read_bytes()
    with running(crawl[0], folder, resume=True) as process:
        assert process.wait() == 0
    assert content(folder) == content(whole)


def test_a_finished_corpus_is_left_alone(crawl: tuple[Path, Crawl], whole: Path) -> None:
    before = content(whole)
    assert build(inputs(crawl[0]), whole, SETTINGS, resume=True)["records"] == PLAN.records
    assert content(whole) == before
    with pytest.raises(UsageError, match="is not empty; name another folder"):
        build(inputs(crawl[0]), whole, SETTINGS)


def test_other_inputs_or_settings_do_not_continue_a_run(crawl: tuple[Path, Crawl], tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with running(crawl[0], folder, parts=1) as process:
        wait_until_parts(folder, 1)
        process.kill()
    with pytest.raises(UsageError, match="unfinished corpus; add --resume"):
        build(inputs(crawl[0]), folder, SETTINGS)
    # The parts stay the same with another method: only the settings differ.
    others = replace(SETTINGS, extraction=Extraction(method="alltext"))
    for files, settings in (
        (inputs(crawl[0])[1:], SETTINGS),
        (inputs(crawl[0]), Settings()),
        (inputs(crawl[0]), others),
    ):
        with pytest.raises(UsageError, match="begun with other inputs, settings or another version"):
            build(files, folder, settings, resume=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_disk_ends_the_run_and_leaves_nothing_half(
    crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no permission to mount")
    try:
        folder = disk / "corpus"
        with pytest.raises(InputError, match="run again with --resume") as stopped:
            build(inputs(crawl[0]), folder, SETTINGS, jobs=2)
        assert stopped.value.reason
        assert stopped.value.reason.code is Code.NO_SPACE
        assert not list(folder.glob("data/shard-*"))
        assert not list((folder / "work").glob(".*"))
        subprocess.run(["mount", "-o", "remount,size=50m", disk], check=True)
        build(inputs(crawl[0]), folder, SETTINGS, jobs=2, resume=True)
        assert content(folder) == content(whole)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_what_was_rejected_can_be_dropped(crawl: tuple[Path, Crawl], whole: Path, tmp_path: Path) -> None:
    settings = replace(SETTINGS, output=replace(SETTINGS.output, drop=True))
    manifest = build(inputs(crawl[0]), tmp_path / "corpus", settings, jobs=2)
    kept = [row["id"] for row in rows(whole) if not row["reason_code"]]
    assert [row["id"] for row in rows(tmp_path / "corpus")] == kept
    assert manifest["rejected"] == json.loads((whole / "manifest.json").read_text())["rejected"]

"""Every byte of an input is accounted for, wherever it is cut and whatever its reader does."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from dehusk.corpus.accounts import exit_status, losses
from dehusk.corpus.build import Status, build
from dehusk.corpus.settings import Extraction, OutputSettings, Settings
from dehusk.sources import patient
from dehusk.sources.kinds import KINDS
from testing import failing_store
from testing.toy_archives import ALARM, KILL, NOISE, PAUSES, RAISE, TOY, perform, toy_archive
from tests.helpers.articles import article

SETTINGS = Settings(extraction=Extraction(method="bte"), output=OutputSettings(part_bytes=8_000, shard_parts=5))


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, TOY.name, TOY)
    monkeypatch.setattr(patient, "PAUSES", PAUSES)
    monkeypatch.setenv("FAILING_STORE", "never")


def page(number: int) -> bytes:
    return article(number).encode()


def in_parts(part_bytes: int) -> Settings:
    return replace(SETTINGS, output=replace(SETTINGS.output, part_bytes=part_bytes))


def written(path: Path, blocks: list[bytes]) -> str:
    path.write_bytes(toy_archive(blocks))
    return str(path)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.rglob("*.parquet")) for row in parquet.read_table(path).to_pylist()]


def checksums(manifest: dict[str, Any]) -> list[str]:
    return [shard["sha256"] for shard in manifest["shards"]]


def test_the_corpus_does_not_depend_on_where_its_input_is_cut(tmp_path: Path) -> None:
    inner = toy_archive(map(page, range(20, 40)))
    innermost = toy_archive([page(50), toy_archive([page(51), inner, page(52)]), page(53)])
    blocks = [page(1), inner, page(2), NOISE, innermost, page(3), inner]
    location = written(tmp_path / "a.toy", blocks)
    found = {}
    for part_bytes in (700, 5_000, 10**6):
        manifest = build([location], tmp_path / str(part_bytes), in_parts(part_bytes), jobs=2, worker=perform)
        assert manifest["records"] == len(blocks) - 1
        found[part_bytes] = rows(tmp_path / str(part_bytes)), manifest["inputs"]
    assert found[700] == found[5_000] == found[10**6]
    (entry,) = found[700][1]
    assert entry["bytes"] == Path(location).stat().st_size == entry["record_bytes"] + entry["gap_bytes"]
    assert [gap["reason"] for gap in entry["gaps"]] == ["damaged: noise"]
    assert entry["lost"] is None


def test_where_a_reader_fails_it_goes_on_with_the_next_record(tmp_path: Path) -> None:
    blocks = [page(1), RAISE, page(2), RAISE, RAISE, page(3), KILL, page(4), ALARM, page(5), RAISE]
    location = written(tmp_path / "a.toy", blocks)
    for part_bytes in (700, 10**6):
        folder = tmp_path / str(part_bytes)
        manifest = build([location], folder, in_parts(part_bytes), jobs=1, worker=perform)
        codes = [row["reason_code"] for row in rows(folder)]
        expected = [None, "failed", None, "failed", "failed", None, "worker-died", None, "too-slow", None, "failed"]
        assert codes == expected
        (entry,) = manifest["inputs"]
        assert (entry["records"], entry["gap_count"]) == (len(blocks), 6)
        assert entry["gap_bytes"] == len(toy_archive([each for each in blocks if len(each) < 100]))
        assert entry["record_bytes"] + entry["gap_bytes"] == entry["bytes"] == Path(location).stat().st_size
        assert exit_status(manifest) == 1


def test_a_run_may_end_at_any_moment_also_while_parts_are_read_again(tmp_path: Path) -> None:
    inner = toy_archive(map(page, range(20, 30)))
    locations = [written(tmp_path / f"{name}.toy", [page(1), inner, page(2), inner, page(3)]) for name in "ab"]
    settings = in_parts(1_500)
    whole = build(locations, tmp_path / "whole", settings, jobs=2, worker=perform)
    events = [json.loads(line)["event"] for line in (tmp_path / "whole" / "log.jsonl").read_text().splitlines()]
    assert events.count("again") > 10
    folder, left = tmp_path / "corpus", 0

    def stop(status: Status) -> None:
        nonlocal left
        if threading.current_thread() is threading.main_thread():  # and not that which looks at the progress
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    manifest, moment = None, 0
    while manifest is None:
        moment += 3
        left = moment
        with suppress(KeyboardInterrupt):
            manifest = build(locations, folder, settings, jobs=2, worker=perform, listener=stop, resume=True)
    assert moment > 10
    assert manifest == whole


def test_errors_of_a_store_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = toy_archive(map(page, range(20, 30)))
    name = written(tmp_path / "a.toy", [page(1), inner, *map(page, range(2, 9))])
    (tmp_path / "b.html").write_bytes(page(9))
    locations = [f"oss://{name}", f"oss://{tmp_path / 'b.html'}"]
    whole = build(locations, tmp_path / "whole", SETTINGS, jobs=1, worker=failing_store.perform)
    monkeypatch.setenv("FAILING_STORE", "random 0.5")
    manifest = build(locations, tmp_path / "corpus", SETTINGS, jobs=1, worker=failing_store.perform)
    assert checksums(manifest) == checksums(whole)
    assert sum(entry.pop("retries") for entry in manifest["inputs"]) > 0
    assert [{**entry, "retries": 0} for entry in manifest["inputs"]] == whole["inputs"]
    assert exit_status(manifest) == 0


def test_a_store_that_is_down_costs_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, kept = (written(tmp_path / f"{name}.toy", list(map(page, range(9)))) for name in ("lost", "kept"))
    monkeypatch.setenv("FAILING_STORE", "down 4000 lost")
    locations = [f"oss://{lost}", f"oss://{kept}"]
    settings = replace(in_parts(6_000), duplicates=replace(SETTINGS.duplicates, exact=False, near=False))
    manifest = build(locations, tmp_path / "corpus", settings, jobs=1, worker=failing_store.perform)
    entry, other = manifest["inputs"]
    assert entry["lost"] == {"reason": "cannot be read: the store is down", "reason_code": "unreadable"}
    assert entry["gap_bytes"]
    assert entry["gap_bytes"] + entry["record_bytes"] == entry["bytes"]
    assert (other["lost"], other["gap_bytes"], other["records"]) == (None, 0, 9)
    assert manifest["rejected"]["unreadable"] >= 1
    assert exit_status(manifest) == 1
    words = "; ".join(losses(manifest))
    assert f"lost, in whole or in part: 1 input, oss://{lost} (cannot be read: the store is down); " in words


@pytest.mark.parametrize("name", ["a.toy", "a.html", "a.jsonl"])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda path: path.unlink(), "unreadable"),
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "changed"),
        (lambda path: path.write_bytes(path.read_bytes() + toy_archive([page(7)]) + b"\n"), "changed"),
    ],
    ids=["vanishes", "shrinks", "grows"],
)
def test_an_input_that_changes_is_reported(
    tmp_path: Path, name: str, change: Callable[[Path], object], code: str
) -> None:
    path = tmp_path / name
    line = json.dumps({"html": article(1)}).encode() + b"\n"
    path.write_bytes({"a.toy": toy_archive([page(1)] * 3), "a.html": page(1), "a.jsonl": line * 3}[name])
    (tmp_path / "z.html").write_bytes(page(3))
    changed = False

    def listener(status: Status) -> None:
        nonlocal changed
        if not changed:
            changed = True
            change(path)

    locations = [str(path), str(tmp_path / "z.html")]
    manifest = build(locations, tmp_path / "corpus", SETTINGS, jobs=1, worker=perform, listener=listener)
    entry, other = manifest["inputs"]
    assert entry["lost"]["reason_code"] == code
    assert entry["record_bytes"] + entry["padding"] + entry["gap_bytes"] == entry["bytes"]
    assert other["lost"] is None
    assert manifest["kept"] >= 1
    assert exit_status(manifest) == 1


def test_the_exit_status_says_whether_anything_could_be_read(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.warc.gz")
    manifest = build([gone], tmp_path / "none", SETTINGS, jobs=1, worker=perform)
    assert manifest["inputs"][0]["lost"]["reason"] == "cannot be read: No such file or directory"
    assert exit_status(manifest) == 2
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert exit_status(build([str(empty)], tmp_path / "empty", SETTINGS, jobs=1, worker=perform)) == 0
    (tmp_path / "a.html").write_text("<title>x</title>")
    assert exit_status(build([str(tmp_path / "a.html")], tmp_path / "short", SETTINGS, jobs=1, worker=perform)) == 0

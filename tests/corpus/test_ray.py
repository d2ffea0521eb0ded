"""On a Ray cluster a corpus is the same as on one machine, also when a process or a machine of it dies."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from benchmarks.planted_crawl import Plan, write_crawl
from dehusk.corpus.build import build
from dehusk.corpus.settings import Duplicates, Extraction, OutputSettings, RecordSettings, Settings
from testing.needed import skip_unless
from tests.helpers.articles import article

PLAN = Plan(records=150, exact=5, near=10, damaged=2, others=6, large=3_000_000, faults=False)
SETTINGS = Settings(
    records=RecordSettings(max_bytes=1_000_000),
    extraction=Extraction(method="bte"),
    duplicates=Duplicates(memory=50_000),  # several ranges
    output=OutputSettings(part_bytes=6_000, shard_parts=5),
)
# A network that has only loopback, since Ray opens ports; and processes that end with the first of them.
ALONE = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    write_crawl(folder, [article(number) for number in range(120)], PLAN)
    return folder


@pytest.fixture(scope="module")
def whole(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the corpus that one machine builds."""
    folder = tmp_path_factory.mktemp("whole") / "corpus"
    build(sorted(map(str, crawl.glob("*.warc.gz"))), folder, SETTINGS, jobs=2)
    return folder


@pytest.fixture(scope="module")
def built(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a cluster builds of which processes are killed."""
    linux = sys.platform == "linux"
    skip_unless(linux and subprocess.run([*ALONE, "true"], check=False).returncode == 0, "namespaces of its own")
    folder = tmp_path_factory.mktemp("ray")
    (folder / "settings.toml").write_text(SETTINGS.to_toml())
    command = [*ALONE, sys.executable, "-W", "ignore", "-m", "tests.helpers.ray_cluster"]
    ended = subprocess.run(
        [*command, crawl, folder, folder / "settings.toml"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.glob("data/*.parquet")) for row in parquet.read_table(path).to_pylist()]


def content(folder: Path) -> dict[str, bytes]:
    """Return all files of a corpus but its log."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl"}


def test_the_corpus_is_that_of_one_machine_whoever_dies(whole: Path, built: Path) -> None:
    assert json.loads((built / "report.json").read_text()) == {"killed": True, "nodes": 1}  # of two
    assert content(built / "killed") == content(whole)


def test_a_file_whose_task_keeps_dying_costs_what_is_left_of_it(whole: Path, built: Path) -> None:
    events = [json.loads(line) for line in (built / "hopeless/log.jsonl").read_text().splitlines()]
    (died,) = [event for event in events if event["event"] == "task died"]
    assert died["reason"] == "its task died 4 times (WorkerCrashedError)"
    lost = [row for row in rows(built / "hopeless") if row["file"] == died["file"]]
    assert died["reason_code"] == "task-died"
    assert {(row["reason_code"], row["reason"]) for row in lost} == {("task-died", died["reason"])}
    assert [row["offset"] for row in lost] == sorted(row["offset"] for row in lost)
    # Nothing else is different, but that a twin may be lost.
    of_crawl = ("id", "url", "file", "offset", "text", "page_text", "blocks")
    others = [[{name: row[name] for name in of_crawl} for row in rows(folder) if row["file"] != died["file"]]
              for folder in (whole, built / "hopeless")]  # fmt: skip
    assert others[0] == others[1]
    manifest = json.loads((built / "hopeless/manifest.json").read_text())
    assert manifest["rejected"]["task-died"] == len(lost)
    assert manifest["kept"] + sum(manifest["rejected"].values()) == manifest["records"]

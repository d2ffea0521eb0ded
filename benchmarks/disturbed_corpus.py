"""Corpora under disturbance: `python -m benchmarks.disturbed_corpus CRAWL FOLDER`, after `benchmarks.faulty_crawl`.

Runs are killed, find a full disk, lose inputs, or read from a store that fails at random. In the end the corpus must be
that of an undisturbed run, or what is missing must be named in the manifest, in the last line and by the status.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from benchmarks.faulty_corpus import Row, rows_of
from benchmarks.faulty_crawl import TRUTH
from dehusk.cli.commands import Argument, Option, run
from dehusk.corpus.build import build
from dehusk.corpus.settings import Guards, OutputSettings, Settings
from testing import disturbed_store

PART_BYTES: Final = 100_000
KILLS: Final = 6


@dataclass(frozen=True, slots=True)
class Scene:
    """What all trials share."""

    crawl: Path
    files: list[Path]
    folder: Path  # for corpora
    seconds: float  # that an undisturbed run takes
    reference: Path

    def command(self, output: Path, *options: str, files: Sequence[Path] | None = None) -> list[str]:
        """Return a command that builds a corpus."""
        toml = self.folder / "settings.toml"
        toml.write_text(f"[output]\npart_bytes = {PART_BYTES}\n", encoding="utf-8")
        inputs = map(str, self.files if files is None else files)
        command = [sys.executable, "-m", "dehusk", "corpus", *inputs, "--output", str(output), "--config", str(toml)]
        return [*command, "--jobs", "2", *options]

    def fresh(self, name: str) -> Path:
        """Return a folder that is not there."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        return self.folder / name


def shard_sums(folder: Path) -> dict[str, str]:
    """Return the sums of the shards of a corpus."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("shard-*"))}


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return the manifest of a corpus."""
    stored: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return stored


def named_losses(manifest: dict[str, Any]) -> set[str]:
    """Return the names of inputs that are said to be lost."""
    return {Path(each["location"]).name for each in manifest["inputs"] if each.get("lost")}


def same_corpus(scene: Scene, output: Path) -> Iterator[str]:
    """Yield whether a corpus differs from the undisturbed one."""
    if shard_sums(output) != shard_sums(scene.reference):
        yield f"{len(rows_of(output))} rows, undisturbed {len(rows_of(scene.reference))}; the shards differ"


def killed(scene: Scene) -> Iterator[str]:
    """Kill the run and all its processes again and again, and let it go on."""
    output = scene.fresh("killed")
    resume: tuple[str, ...] = ()
    for _ in range(KILLS):
        process = subprocess.Popen(
            scene.command(output, *resume), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(random.uniform(0.1, 0.9) * scene.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        resume = ("--resume",) if output.exists() else ()
    done = subprocess.run(scene.command(output, *resume), capture_output=True, text=True, check=False)
    if done.returncode != manifest_status(scene):
        yield f"status {done.returncode}: {done.stderr[-300:]}"
    yield from same_corpus(scene, output)


def manifest_status(scene: Scene) -> int:
    """Return the status that the undisturbed run ended with."""
    return int((scene.folder / "status").read_text())


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[bool]:
    """Mount a small disk on a folder; say whether that was allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def full_disk(scene: Scene) -> Iterator[str]:
    """Let the disk be full several times, with a little more room each time."""
    with small_disk(scene.fresh("disk"), "300k") as mounted:
        if not mounted:
            print("full_disk: no permission to mount")
            return
        output, resume = scene.folder / "disk" / "corpus", ()
        for size in ("300k", "900k", "2m", "200m"):
            subprocess.run(["mount", "-o", f"remount,size={size}", str(scene.folder / "disk")], check=True)
            done = subprocess.run(scene.command(output, *resume), capture_output=True, text=True, check=False)
            if "Traceback" in done.stderr:
                yield f"at {size}: {done.stderr[-600:]}"
            if size != "200m" and done.returncode != 2 and not (output / "manifest.json").exists():
                yield f"at {size}: status {done.returncode}: {done.stderr[-300:]}"
            resume = ("--resume",) if output.exists() else ()  # type: ignore[assignment]
        yield from same_corpus(scene, output)


def vanishing(scene: Scene) -> Iterator[str]:
    """Take an input away while the run is under way."""
    copies = scene.fresh("vanishing-crawl")
    shutil.copytree(scene.crawl, copies)
    files = [copies / path.name for path in scene.files]
    victims = [files[-1], files[-2]]
    output = scene.fresh("vanishing")
    process = subprocess.Popen(
        scene.command(output, files=files), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not list(output.rglob("plan.json")):
        time.sleep(0.01)
    for victim in victims:
        victim.unlink()
    said, errors = process.communicate()
    if not (output / "manifest.json").exists():
        yield f"no corpus, status {process.returncode}: {errors[-300:]}"
        return
    lost = named_losses(manifest_of(output))
    if bool(lost) != (process.returncode == 1) and not manifest_status(scene):
        yield f"status {process.returncode}, lost {lost}: {(said + errors)[-300:]}"
    yield from different_files(rows_of(output), rows_of(scene.reference), lost)


def different_files(rows: Sequence[Row], expected: Sequence[Row], lost: set[str]) -> Iterator[str]:
    """Yield the files whose rows are not those of the undisturbed run, although nobody says that they are lost."""
    sides: list[dict[str, list[Row]]] = [defaultdict(list), defaultdict(list)]
    for side, all_rows in zip(sides, (rows, expected), strict=True):
        for row in all_rows:
            side[Path(row["file"]).name].append(comparable(row))
    for name in sorted({*sides[0], *sides[1]} - lost):
        if sides[0][name] != sides[1][name]:
            pairs = zip(sides[0][name], sides[1][name], strict=False)
            first = next((pair for pair in pairs if pair[0] != pair[1]), ())
            yield f"{name}: {len(sides[0][name])} rows, undisturbed {len(sides[1][name])}: {str(first)[:300]}"


def comparable(row: Row) -> Row:
    """Return a row without what depends on where the files are."""
    return {**row, "file": Path(row["file"]).name, "id": None}


def from_store(scene: Scene, name: str, **options: Any) -> tuple[dict[str, Any], list[Row]]:
    """Build a corpus from a store that fails; return its manifest and rows."""
    os.environ[disturbed_store.VARIABLE] = json.dumps(options)
    output = scene.fresh(name)
    settings = Settings(output=OutputSettings(part_bytes=PART_BYTES), limits=Guards(seconds=4.0))
    # What a remote file holds is decided by its name, if that says anything.
    places = [disturbed_store.address(path) for path in scene.files if "called" not in path.name]
    manifest = build(places, output, settings, jobs=2, worker=disturbed_store.perform)
    return manifest, rows_of(output)


def stored(scene: Scene, name: str, **options: Any) -> Iterator[str]:
    """Read from a store that fails, and compare."""
    try:
        manifest, rows = from_store(scene, name, **options)
    except Exception as error:  # one store's error never ends the run
        yield f"{type(error).__name__}: {error}"
        return
    lost = named_losses(manifest) | {path.name for path in scene.files if "called" in path.name}
    if extra := named_losses(manifest) - set(options.get("broken", ())):
        print(f"{name}: lost and named: {extra}")
    if not set(options.get("broken", ())) <= lost:
        yield f"the manifest names {lost}, expected {options['broken']}"
    yield from different_files(rows, rows_of(scene.reference), lost)


def failing(scene: Scene) -> Iterator[str]:
    """Read from a store in which every twentieth read fails."""
    yield from stored(scene, "failing", rate=0.05)


def stalling(scene: Scene) -> Iterator[str]:
    """Read from a store that now and then waits for longer than a page may take."""
    yield from stored(scene, "stalling", rate=0.0, stall_rate=0.002, stall=6.0)


def refusing(scene: Scene) -> Iterator[str]:
    """Read from a store that never opens some files."""
    yield from stored(scene, "refusing", rate=0.0, broken=[scene.files[3].name, scene.files[-1].name])


def odd_places(scene: Scene) -> Iterator[str]:
    """Name places that hold nothing to read beside those that do."""
    places = scene.fresh("odd-places")
    (places / "folder.warc.gz").mkdir(parents=True)
    (places / "empty.warc.gz").touch()
    (places / "empty.jsonl").touch()
    (places / "empty.parquet").touch()
    (places / "loop.warc.gz").symlink_to(places / "loop.warc.gz")
    (places / "dangling.warc.gz").symlink_to(places / "nothing")
    os.mkfifo(places / "folder.warc.gz" / "pipe.warc.gz")
    output = scene.fresh("odd")
    files = [*scene.files[:3], places, *scene.files[3:]]
    try:
        limit = 60 + 9 * scene.seconds
        command = scene.command(output, files=files)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        yield "it hangs"
        return
    if not (output / "manifest.json").exists():
        yield f"no corpus, status {done.returncode}: {done.stderr[-300:]}"
        return
    ours = {path.name for path in scene.files}
    rows = [comparable(row) for row in rows_of(output) if Path(row["file"]).name in ours]
    if rows != [comparable(row) for row in rows_of(scene.reference)]:
        yield "the rows of the other files differ"


TRIALS: Final[dict[str, Callable[[Scene], Iterator[str]]]] = {
    each.__name__: each for each in (killed, full_disk, vanishing, failing, stalling, refusing, odd_places)
}


def prepared(crawl: Path, folder: Path, every: int) -> Scene:
    """Build the undisturbed corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(json.loads((crawl / TRUTH).read_text(encoding="utf-8")))
    files = [crawl / name for name in names[::every] if not name.endswith((".cdx", ".cdxj"))]
    scene = Scene(crawl, files, folder, 0.0, folder / "reference")
    scene.fresh("reference")
    began = time.monotonic()
    done = subprocess.run(scene.command(scene.reference), capture_output=True, text=True, check=False)
    (folder / "status").write_text(str(done.returncode))
    print(f"undisturbed: status {done.returncode}, {len(rows_of(scene.reference))} rows")
    return Scene(crawl, files, folder, time.monotonic() - began, scene.reference)


def main(
    crawl: Annotated[Path, Argument("CRAWL")],
    folder: Annotated[Path, Argument("FOLDER")],
    trial: Annotated[str, Option(help="Only this one")] = "",
    every: Annotated[int, Option(help="Take only every so manieth file")] = 5,
) -> None:
    """Disturb runs and compare what they leave with an undisturbed one."""
    scene = prepared(crawl, folder, every)
    problems = 0
    for name, perform in TRIALS.items():
        if trial in ("", name):
            found = list(perform(scene))
            problems += len(found)
            print(f"{name}: {'; '.join(found) or 'as undisturbed, or named'}", flush=True)
    sys.exit(bool(problems))


if __name__ == "__main__":
    run(main)

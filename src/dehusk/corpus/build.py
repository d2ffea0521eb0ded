"""Building a corpus on one machine: parts in worker processes, then duplicates, then shards; resumable at any point."""

import json
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dehusk import __version__
from dehusk.config import Limits
from dehusk.corpus.duplicates.find import Finder
from dehusk.corpus.earlier import earlier_shards
from dehusk.corpus.files import LOG, MANIFEST, PartFiles, read_json, write_json
from dehusk.corpus.marker import read_marker
from dehusk.corpus.parts import EARLIER, Part, plan
from dehusk.corpus.progress import ahead, repeated
from dehusk.corpus.saved_input import STANDARD_INPUT, find_input, save_input
from dehusk.corpus.settings import NAME, Settings
from dehusk.corpus.tasks import DUPLICATES, KEPT, PartTask, Shard, perform, work_folder
from dehusk.corpus.writers import check_format
from dehusk.errors import InputError, UsageError
from dehusk.models.registry import check_method
from dehusk.pool import AHEAD, Pool
from dehusk.sources.files import raw_input

ATTEMPTS: Final = 3  # to process a record that kills its worker: somebody else may have killed it
PLAN: Final = "plan.json"
LOG_EVERY: Final = 10.0  # seconds without an entry, after which the progress inside parts is one
FULL: Final = "no space left"


@dataclass(frozen=True, slots=True)
class Status:
    """How far a run is."""

    step: str  # parts, duplicates or shards
    done: int
    total: int
    bytes: int
    total_bytes: int
    counts: Counter[str]
    share: float = 0.0  # of the input that is done, also inside parts


Listener = Callable[[Status], None]
Worker = Callable[[tuple[Settings, str], Any], dict[str, Any]]


def build(
    locations: Sequence[str],
    folder: Path,
    settings: Settings | None = None,
    *,
    jobs: int | None = None,
    resume: bool = False,
    listener: Listener = lambda status: None,
    worker: Worker = perform,
) -> dict[str, Any]:
    """Build a corpus from files and return its manifest; `resume` goes on with what is there.

    `worker` runs in the worker processes; one of your own may add steps to the chain and then call `work.perform`.

    Whatever interrupts it, the corpus is the same as that of a run without interruptions.
    """
    settings = settings or Settings()
    # A wrong name is an error here, not in every worker.
    check_format(settings.output.format)
    check_method(settings.extraction.method)
    if settings.location.database:
        from dehusk.corpus.steps.location import database  # noqa: PLC0415  (brings the chain)

        database(settings.location.database)
    return _Run(list(locations), folder, settings, jobs, listener, worker).run(resume=resume)


class _Run:
    def __init__(
        self,
        locations: list[str],
        folder: Path,
        settings: Settings,
        jobs: int | None,
        listener: Listener,
        worker: Worker,
    ) -> None:
        self._locations, self._folder, self._settings = locations, folder, settings
        self._jobs, self._listener, self._worker = jobs, listener, worker
        self._work = work_folder(folder)
        self._counts: Counter[str] = Counter()
        self._bytes = 0
        self._todo: list[Part] = []  # parts that are not added up
        self._lock = threading.Lock()  # for what is added up, which another thread reports
        self._next_entry = 0.0  # of the log, about the progress inside parts

    def run(self, *, resume: bool) -> dict[str, Any]:
        manifest = self._folder / MANIFEST
        if resume and manifest.exists():
            found: dict[str, Any] = read_json(manifest)
            shutil.rmtree(self._work, ignore_errors=True)  # if that was all that was left to do
            return found
        parts = self._prepared(resume=resume)
        with self._logged(), self._pool() as pool:
            self._process(pool, parts)
            self._find_duplicates(parts)
            shards = self._write_shards(pool, parts)
        content = self._manifest(parts, shards)
        write_json(manifest, content)
        shutil.rmtree(self._work)
        return content

    def _prepared(self, *, resume: bool) -> list[Part]:
        """Create the folder, or check that it is the one of an interrupted run with the same inputs and settings."""
        if not self._locations:
            raise InputError("no input; name files, folders or patterns")
        plan_file, settings_file = self._work / PLAN, self._folder / NAME
        if plan_file.exists() and not resume:
            raise UsageError(f"{self._folder} has an unfinished corpus; go on with --resume, or name another folder")
        earlier = earlier_shards(self._settings.duplicates.earlier)
        saved = self._saved_input(begun=plan_file.exists()) if STANDARD_INPUT in self._locations else None
        parts = plan(self._locations, self._settings.output.part_bytes, earlier, saved)
        # As JSON has it: lists, not tuples.
        stored = json.loads(json.dumps({"version": __version__, "parts": [asdict(part) for part in parts]}))
        if plan_file.exists():
            if read_json(plan_file) != stored or settings_file.read_text("utf-8") != self._settings.to_toml():
                raise UsageError(
                    f"{self._folder} was begun with other inputs, settings or another version; name another folder"
                )
            return parts
        if saved is None:
            self._check_new()
        try:
            self._work.mkdir(parents=True, exist_ok=True)
            settings_file.write_text(self._settings.to_toml(), encoding="utf-8")
            write_json(plan_file, stored)
        except OSError as error:
            raise InputError(f"{self._folder}: {error.strerror}; expected a folder to create") from error
        return parts

    def _check_new(self) -> None:
        if self._folder.exists() and any(self._folder.iterdir()):
            raise UsageError(f"{self._folder} is not empty; name another folder")

    def _saved_input(self, *, begun: bool) -> Path:
        """Return where standard input is saved, which comes first: what was not saved whole cannot be read again."""
        if begun and (saved := find_input(self._work)):
            return saved.absolute()
        if self._work.exists():
            raise UsageError(
                f"{self._folder} was interrupted while standard input was being saved, which cannot be read again; "
                "name another folder and send it once more"
            )
        self._check_new()
        try:
            self._work.mkdir(parents=True)
            return save_input(raw_input(), self._work).absolute()
        except OSError as error:
            shutil.rmtree(self._work, ignore_errors=True)
            raise InputError(f"standard input could not be saved in {self._work}: {error.strerror}") from error

    def _pool(self) -> Pool:
        guards = self._settings.limits
        limits = Limits(seconds=guards.seconds, memory=guards.memory)
        state = (self._settings, str(self._work))
        return Pool((self._worker.__module__, self._worker.__name__, state), self._jobs, limits)

    def _process(self, pool: Pool, parts: list[Part]) -> None:
        total = sum(part.bytes for part in parts)
        todo = []
        for part in parts:
            finished = PartFiles(self._work, part.number).summary
            if finished.exists():
                self._add(read_json(finished))
            else:
                todo.append(part)
        done = len(parts) - len(todo)
        self._report("parts", done, len(parts), total)
        self._todo = todo
        with repeated(lambda: self._report_ahead(len(parts), total)):
            for task, answer in pool.map(PartTask(part) for part in todo):
                summary = self._insisted(pool, task.part, answer)
                with self._lock:
                    self._add(summary)
                    self._todo = self._todo[1:]
                    done += 1
                    self._report("parts", done, len(parts), total)

    def _report_ahead(self, count: int, total: int) -> None:
        """Report what is done inside parts; what was added up, as `_report` does."""
        with self._lock:
            found = ahead(self._work, self._todo[: AHEAD * (self._jobs or os.cpu_count() or 1)])
            done = total - sum(part.bytes for part in self._todo) + found.input_bytes
            status = Status(
                "parts",
                count - len(self._todo),
                count,
                self._bytes + found.bytes,
                total,
                self._counts + found.counts,
                done / max(total, 1),
            )
            self._listener(status)
            if time.monotonic() >= self._next_entry:
                self._log_status("progress", status)

    def _insisted(self, pool: Pool, part: Part, answer: dict[str, Any] | str) -> dict[str, Any]:
        """Return the summary of a part, processed again as often as one of its records kills its worker."""
        deaths: Counter[int] = Counter()
        given_up: dict[int, tuple[str, str]] = {}
        while isinstance(answer, str):
            files = PartFiles(self._work, part.number)
            if files.summary.exists():  # it died between finishing and saying so
                finished: dict[str, Any] = read_json(files.summary)
                return finished
            if answer.startswith(("failed:", "no worker process")):
                raise _stopped(part, answer)
            marker = read_marker(files.marker)
            deaths[marker] += 1
            self._log({"event": "worker died", "part": part.number, "marker": marker, "reason": answer})
            too_slow = answer.startswith("took longer")
            if too_slow or deaths[marker] >= ATTEMPTS:
                given_up[marker] = ("time" if too_slow else "died", answer)
            task = PartTask(part, tuple(sorted(given_up.items())))
            (_, answer) = next(iter(pool.map([task])))
        return answer

    def _find_duplicates(self, parts: list[Part]) -> None:
        output = self._work / DUPLICATES
        self._report("duplicates", 0, 1, 0)
        if not output.exists():
            try:
                Finder(self._work, [part.number for part in parts], self._settings.duplicates).run(output)
            except OSError as error:
                raise InputError(f"duplicates: {error.strerror or error}; run again with --resume") from error
        self._report("duplicates", 1, 1, 0)

    def _write_shards(self, pool: Pool, parts: list[Part]) -> list[dict[str, Any]]:
        count = self._settings.output.shard_parts
        parts = [part for part in parts if part.kind != EARLIER]
        shards = [
            Shard(place // count, tuple(part.number for part in parts[place : place + count]), str(self._folder))
            for place in range(0, len(parts), count)
        ]
        entries = {}
        todo = []
        for shard in shards:
            entry = self._entry(shard)
            # The file may be there without its entry: then it is written again, to the same bytes.
            if entry.exists() and shard.path(self._settings).exists():
                entries[shard.number] = read_json(entry)
            else:
                todo.append(shard)
        self._report("shards", len(entries), len(shards), 0)
        for shard, answer in pool.map(todo):
            entries[shard.number] = self._written(pool, shard, answer)
            self._report("shards", len(entries), len(shards), 0)
        return [entries[shard.number] for shard in shards]

    def _written(self, pool: Pool, shard: Shard, answer: dict[str, Any] | str) -> dict[str, Any]:
        """Return the entry of a shard, which is written again if its worker died."""
        for _ in range(ATTEMPTS - 1):
            if isinstance(answer, str) and not answer.startswith("failed:"):
                (_, answer) = next(iter(pool.map([shard])))
        if isinstance(answer, str):
            raise InputError(f"shard {shard.number} could not be written: {answer}; run again with --resume")
        write_json(self._entry(shard), answer)
        return answer

    def _entry(self, shard: Shard) -> Path:
        return self._work / f"shard-{shard.number:05}.json"

    def _manifest(self, parts: list[Part], shards: list[dict[str, Any]]) -> dict[str, Any]:
        """Return what a corpus consists of; nothing in it depends on when, where or how often it was built."""
        rejected: Counter[str] = Counter()
        for shard in shards:
            rejected.update(shard["counts"])
        rejected["kind"] = self._counts["kind"]
        kept = rejected.pop(KEPT, 0)
        return {
            "dehusk": __version__,
            "format": self._settings.output.format,
            "inputs": self._locations,
            "records": self._counts.total(),
            "kept": kept,
            "rejected": {reason: count for reason, count in sorted(rejected.items()) if count},
            "bytes": self._bytes,
            "shards": shards,
        }

    def _add(self, summary: dict[str, Any]) -> None:
        self._counts.update(summary["counts"])
        self._bytes += summary["bytes"]

    def _report(self, step: str, done: int, total: int, total_bytes: int) -> None:
        left = sum(part.bytes for part in self._todo)
        share = 1 - left / total_bytes if total_bytes else done / max(total, 1)
        status = Status(step, done, total, self._bytes, total_bytes, self._counts.copy(), share)
        self._log_status(step, status)
        self._listener(status)

    def _log_status(self, event: str, status: Status) -> None:
        self._next_entry = time.monotonic() + LOG_EVERY
        counts = {"counts": dict(status.counts), "bytes": status.bytes, "share": round(status.share, 4)}
        self._log({"event": event, "done": status.done, "of": status.total, **counts})

    @contextmanager
    def _logged(self) -> Iterator[None]:
        self._log({"event": "start", "version": __version__})
        try:
            yield
        except BaseException as error:
            self._log({"event": "stopped", "reason": f"{type(error).__name__}: {error}"})
            raise
        self._log({"event": "end"})

    def _log(self, entry: dict[str, Any]) -> None:
        try:
            with (self._folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"time": round(time.time(), 3), **entry}) + "\n")
        except OSError:  # a full disk ends the run elsewhere, with a message
            return


def _stopped(part: Part, answer: str) -> InputError:
    place = f"{part.locations[0]}, part {part.number}"
    if "No space left" in answer or "Errno 28" in answer:
        return InputError(f"{place}: {FULL}; make some and run again with --resume")
    return InputError(f"{place}: {answer}; run again with --resume")

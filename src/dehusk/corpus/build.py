"""Building a corpus: parts, then duplicates, then shards, each step on an engine; resumable at any point."""

import json
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from dehusk import __version__
from dehusk.corpus.accounts import Summary, input_entries, misfits
from dehusk.corpus.earlier import earlier_shards
from dehusk.corpus.engines.base import CorpusJob, Engine, Log, Worker
from dehusk.corpus.engines.local import LocalEngine
from dehusk.corpus.files import DATA, LOG, MANIFEST, WORK, PartFiles, read_json, write_atomically, write_json
from dehusk.corpus.identity import changed, identities
from dehusk.corpus.lock import NAME as LOCK
from dehusk.corpus.lock import locked
from dehusk.corpus.parts import EARLIER, Part, plan
from dehusk.corpus.progress import LOOKED_AT, ahead, repeated
from dehusk.corpus.saved_input import save_input, saved_path
from dehusk.corpus.settings import NAME, Settings
from dehusk.corpus.tasks import KEPT, Shard, perform
from dehusk.corpus.writers import check_format
from dehusk.errors import DehuskError, InputError, UsageError
from dehusk.models.registry import check_method
from dehusk.reasons import Code, reason_fields
from dehusk.sources.inputs import is_read_once
from dehusk.whole_files import remove_unfinished

PLAN: Final = "plan.json"
LOG_EVERY: Final = 10.0  # seconds without an entry, after which the progress inside parts is one


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


class EngineOptions(TypedDict, total=False):
    """Where a corpus is built, and by how many processes."""

    jobs: int | None  # worker processes; by default one per core, on a cluster per file
    worker: Worker  # what they run; one of your own may add steps to the chain and then call `work.perform`
    cluster: str | None  # the address of a Ray cluster, or "local" for one of this machine; by default there is none


def build(
    locations: Sequence[str],
    folder: Path,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    listener: Listener = lambda status: None,
    **options: Unpack[EngineOptions],
) -> dict[str, Any]:
    """Build a corpus from files and return its manifest; `resume` goes on with what is there.

    Whatever interrupts it, the corpus is the same as that of a run without interruptions. Of an input that cannot be
    read the manifest says what is missing; `accounts.exit_status` tells whether something is.
    """
    settings = settings or Settings()
    # What is wrong is an error here, not in every worker.
    check_format(settings.output.format)
    check_method(settings.extraction.method)
    settings.check()
    if settings.location.database:
        from dehusk.corpus.steps.location import database  # noqa: PLC0415  (brings the chain)

        database(settings.location.database)
    job = CorpusJob(settings, str(folder), options.get("worker", perform))

    def engine(log: Log) -> Engine:
        jobs, cluster = options.get("jobs"), options.get("cluster")
        if cluster is None:
            return LocalEngine(job, jobs, log)
        from dehusk.corpus.engines.on_ray import RayEngine  # noqa: PLC0415  (needs dehusk[ray])

        return RayEngine(job, jobs, log, cluster)

    return _Run(list(locations), folder, settings, engine, listener).run(resume=resume)


class _Run:
    def __init__(
        self,
        locations: list[str],
        folder: Path,
        settings: Settings,
        engine: Callable[[Log], Engine],
        listener: Listener,
    ) -> None:
        self._locations, self._folder, self._settings = locations, folder, settings
        self._engine, self._listener = engine, listener
        self._work = folder / WORK
        self._counts: Counter[str] = Counter()
        self._bytes = 0
        self._summaries: dict[int, Summary] = {}  # of the parts that are added up, by their numbers
        self._todo: dict[int, Part] = {}  # those that are not
        self._lock = threading.Lock()  # for what is added up, which another thread reports
        self._next_entry = 0.0  # of the log, about the progress inside parts

    def run(self, *, resume: bool) -> dict[str, Any]:
        manifest = self._folder / MANIFEST
        if resume and manifest.exists():
            finished: dict[str, Any] = read_json(manifest)
            shutil.rmtree(self._work, ignore_errors=True)  # if that was all that was left to do
            return finished
        if not self._locations:
            raise InputError("no input; name files, folders or patterns")
        with locked(self._folder):
            return self._run_alone(resume=resume)

    def _run_alone(self, *, resume: bool) -> dict[str, Any]:
        manifest = self._folder / MANIFEST
        parts = self._prepared(resume=resume)
        self._remove_leftovers()  # of a run that was killed
        try:
            with self._logged(), self._engine(self._log) as engine:
                self._process(engine, parts)
                self._process_misfits(engine, parts)
                self._report("duplicates", 0, 1, 0)
                engine.find_duplicates([part.number for part in parts])
                self._report("duplicates", 1, 1, 0)
                shards = self._write_shards(engine, parts)
        finally:
            self._remove_leftovers()
        content = self._manifest(parts, shards)
        write_json(manifest, content)
        # Without errors: a process that was given up for dead may still be writing there.
        shutil.rmtree(self._work, ignore_errors=True)
        return content

    def _remove_leftovers(self) -> None:
        """Remove what processes that were killed were writing."""
        for folder in (self._folder, self._work, self._folder / DATA):
            remove_unfinished(folder)

    def _prepared(self, *, resume: bool) -> list[Part]:
        """Create the folder, or check that it is the one of an interrupted run with the same inputs and settings."""
        plan_file = self._work / PLAN
        if plan_file.exists() and not resume:
            raise UsageError(
                f"{self._folder} has an unfinished corpus; add --resume, or name another folder", setting="output"
            )
        earlier = earlier_shards(self._settings.duplicates.earlier)
        saved = self._saved_inputs(begun=plan_file.exists())
        parts = plan(self._locations, self._settings.output.part_bytes, earlier, saved)
        # As JSON has it: lists, not tuples.
        settings = self._settings.to_toml()
        stored = json.loads(
            json.dumps({"version": __version__, "settings": settings, "parts": [asdict(part) for part in parts]})
        )
        inputs = identities(location for part in parts if not part.saved for location in part.locations)
        if plan_file.exists():
            self._check_same(read_json(plan_file), stored, inputs)
        elif not saved:
            self._check_new()
        try:
            self._work.mkdir(exist_ok=True)
            if not plan_file.exists():
                write_json(plan_file, {**stored, "inputs": inputs})
            with write_atomically(self._folder / NAME) as part:
                part.write_text(settings, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{self._folder}: {error.strerror}; expected a folder to create") from error
        return parts

    def _check_same(self, before: dict[str, Any], stored: dict[str, Any], inputs: dict[str, str]) -> None:
        """Raise UsageError if the run that is to go on had another plan, or inputs with other content."""
        if others := changed(before.pop("inputs", {}), inputs):
            more = f" and {len(others) - 1:,} more input{'s' * (len(others) > 2)} have" if len(others) > 1 else " has"
            raise UsageError(
                f"{min(others)}{more} changed since {self._folder} was begun; name another folder", setting="output"
            )
        if before != stored:
            raise UsageError(
                f"{self._folder} was begun with other inputs, settings or another version; name another folder",
                setting="output",
            )

    def _check_new(self) -> None:
        remove_unfinished(self._work)
        with suppress(OSError):  # there is none, or it is not empty
            self._work.rmdir()
        if any(path.name != LOCK for path in self._folder.iterdir()):
            raise UsageError(f"{self._folder} is not empty; name another folder", setting="output")

    def _saved_inputs(self, *, begun: bool) -> dict[str, str]:
        """Return where what cannot be read twice is saved, which comes first: what was not saved whole is lost."""
        once = [location for location in self._locations if is_read_once(location)]
        paths = {location: saved_path(self._work, index) for index, location in enumerate(once)}
        names = ", ".join("standard input" if location == "-" else location for location in once)
        if once and not begun:
            if self._work.exists():
                raise UsageError(
                    f"{self._folder} was interrupted while {names} was being saved, which cannot be read again; "
                    "name another folder and send it once more",
                    setting="output",
                )
            self._check_new()
            try:
                self._work.mkdir()
                for location, path in paths.items():
                    save_input(location, path)
            except OSError as error:
                shutil.rmtree(self._work, ignore_errors=True)
                raise InputError(f"{names} could not be saved in {self._work}: {error.strerror}") from error
        return {location: str(path) for location, path in paths.items()}

    def _process(self, engine: Engine, parts: list[Part]) -> None:
        total = sum(part.bytes for part in parts)
        for part in parts:
            finished = PartFiles(self._work, part.number).summary
            if finished.exists():
                self._add(read_json(finished))
            else:
                self._todo[part.number] = part
        self._report("parts", len(parts) - len(self._todo), len(parts), total)
        with repeated(lambda: self._report_ahead(len(parts), total)):
            for summary in engine.process(list(self._todo.values())):
                with self._lock:
                    self._add(summary)
                    del self._todo[summary["part"]]
                    self._report("parts", len(parts) - len(self._todo), len(parts), total)

    def _report_ahead(self, count: int, total: int) -> None:
        """Report what is done inside parts; what was added up, as `_report` does."""
        with self._lock:
            begun = ahead(self._work, list(islice(self._todo.values(), LOOKED_AT)))
            done = total - sum(part.bytes for part in self._todo.values()) + begun.input_bytes
            status = Status(
                "parts",
                count - len(self._todo),
                count,
                self._bytes + begun.bytes,
                total,
                self._counts + begun.counts,
                done / max(total, 1),
            )
            self._listener(status)
            if time.monotonic() >= self._next_entry:
                self._log_status("progress", status)

    def _add(self, summary: Summary) -> None:
        self._summaries[summary["part"]] = summary
        self._counts.update(summary["counts"])
        self._bytes += summary["bytes"]

    def _process_misfits(self, engine: Engine, parts: list[Part]) -> None:
        """Process again what did not begin where the part before it ended, until all parts of all inputs join."""
        while again := list(misfits(parts, self._summaries)):
            for part in again:
                summary = self._summaries.pop(part.number)
                self._log({"event": "again", "part": part.number, "start": part.start})
                self._counts.subtract(summary["counts"])
                self._bytes -= summary["bytes"]
                PartFiles(self._work, part.number).summary.unlink()
            self._process(engine, again)

    def _write_shards(self, engine: Engine, parts: list[Part]) -> list[dict[str, Any]]:
        count = self._settings.output.shard_parts
        parts = [part for part in parts if part.kind != EARLIER]
        shards = [
            Shard(first // count, tuple(part.number for part in parts[first : first + count]), str(self._folder))
            for first in range(0, len(parts), count)
        ]
        entries: dict[int, dict[str, Any]] = {}
        self._report("shards", 0, len(shards), 0)
        for shard, entry in engine.write(shards):
            entries[shard.number] = entry
            self._report("shards", len(entries), len(shards), 0)
        return [entries[shard.number] for shard in shards]

    def _manifest(self, parts: list[Part], shards: list[dict[str, Any]]) -> dict[str, Any]:
        """Return what a corpus consists of; nothing in it depends on when or where it was built.

        How often reading was tried again is in it, and what was lost.
        """
        rejected: Counter[str] = Counter()
        for shard in shards:
            rejected.update(shard["counts"])
        rejected[str(Code.OTHER_KIND)] = self._counts[Code.OTHER_KIND]  # which have no rows
        kept = rejected.pop(KEPT, 0)
        return {
            "dehusk": __version__,
            "format": self._settings.output.format,
            "inputs": input_entries(self._locations, parts, self._summaries),
            "records": self._counts.total(),
            "kept": kept,
            "rejected": {code: count for code, count in sorted(rejected.items()) if count},
            "bytes": self._bytes,
            "shards": shards,
        }

    def _report(self, step: str, done: int, total: int, total_bytes: int) -> None:
        left = sum(part.bytes for part in self._todo.values())
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
            reason = error.reason if isinstance(error, DehuskError) else None
            fields = {**reason_fields(reason), "reason": f"{type(error).__name__}: {error}"}
            self._log({"event": "stopped", **fields})
            raise
        self._log({"event": "end"})

    def _log(self, entry: dict[str, Any]) -> None:
        try:
            with (self._folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"time": round(time.time(), 3), **entry}) + "\n")
        except OSError:  # a full disk ends the run elsewhere, with a message
            return

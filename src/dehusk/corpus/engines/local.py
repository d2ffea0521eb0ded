"""The local engine: worker processes on this machine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, Self

from dehusk.config import Limits
from dehusk.corpus.duplicates.find import Finder
from dehusk.corpus.engines.base import Job, Log
from dehusk.corpus.files import PartFiles, read_json, write_json
from dehusk.corpus.marker import FIRST, read_marker
from dehusk.corpus.parts import Part
from dehusk.corpus.tasks import PartTask, Shard
from dehusk.errors import InputError
from dehusk.pool import Pool

ATTEMPTS: Final = 3  # to process a record that kills its worker: somebody else may have killed it
FULL: Final = "no space left"


class LocalEngine:
    """Processes parts and writes shards in worker processes, and finds duplicates in this one."""

    def __init__(self, job: Job, processes: int | None, log: Log) -> None:
        self._job, self._log = job, log
        guards = job.settings.limits
        setup = (job.worker.__module__, job.worker.__name__, (job.settings, str(job.work)))
        self._pool = Pool(setup, processes, Limits(seconds=guards.seconds, memory=guards.memory))

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.__exit__(*error)

    def process(self, parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """Process parts and yield the summary of each."""
        todo = []
        for part in parts:
            finished = PartFiles(self._job.work, part.number).summary
            if finished.exists():
                yield read_json(finished)
            else:
                todo.append(part)
        for task, answer in self._pool.map(PartTask(part) for part in todo):
            yield self._insisted(task.part, answer)

    def _insisted(self, part: Part, answer: dict[str, Any] | str) -> dict[str, Any]:
        """Return the summary of a part, processed again as often as one of its records kills its worker."""
        deaths: Counter[int] = Counter()
        given_up: dict[int, tuple[str, str]] = {}
        while isinstance(answer, str):
            files = PartFiles(self._job.work, part.number)
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
            (_, answer) = next(iter(self._pool.map([task])))
        return answer

    def give_up(self, parts: Sequence[Part], reason: str) -> Iterator[dict[str, Any]]:
        """Reject parts that cannot be processed, each as one record, and yield the summaries."""
        for part in parts:
            task = PartTask(part, ((FIRST, ("died", reason)),))
            yield self._insisted(part, next(iter(self._pool.map([task])))[1])

    def find_duplicates(self, parts: Sequence[int]) -> None:
        """Write the duplicates among all parts."""
        if self._job.duplicates.exists():
            return
        try:
            Finder(self._job.work, parts, self._job.settings.duplicates).run(self._job.duplicates)
        except OSError as error:
            raise InputError(f"duplicates: {error.strerror or error}; run again with --resume") from error

    def write(self, shards: Sequence[Shard]) -> Iterator[tuple[Shard, dict[str, Any]]]:
        """Write shards and yield each with its entry in the manifest."""
        todo = []
        for shard in shards:
            entry = self._job.entry(shard)
            # The file may be there without its entry: then it is written again, to the same bytes.
            if entry.exists() and shard.path(self._job.settings).exists():
                yield shard, read_json(entry)
            else:
                todo.append(shard)
        for shard, answer in self._pool.map(todo):
            yield shard, self._written(shard, answer)

    def _written(self, shard: Shard, answer: dict[str, Any] | str) -> dict[str, Any]:
        """Return the entry of a shard, which is written again if its worker died."""
        for _ in range(ATTEMPTS - 1):
            if isinstance(answer, str) and not answer.startswith("failed:"):
                (_, answer) = next(iter(self._pool.map([shard])))
        if isinstance(answer, str):
            raise InputError(f"shard {shard.number} could not be written: {answer}; run again with --resume")
        write_json(self._job.entry(shard), answer)
        return answer


def _stopped(part: Part, answer: str) -> InputError:
    place = f"{part.locations[0]}, part {part.number}"
    if "No space left" in answer or "Errno 28" in answer:
        return InputError(f"{place}: {FULL}; make some and run again with --resume")
    return InputError(f"{place}: {answer}; run again with --resume")

"""The local engine: worker processes on this machine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Self

from dehusk.config import Limits
from dehusk.corpus.engines.base import ATTEMPTS, REMEDIES, CorpusJob, Log, Remedy, stopped
from dehusk.corpus.files import PartFiles, read_json, write_json
from dehusk.corpus.marker import read_marker
from dehusk.corpus.parts import Part
from dehusk.corpus.tasks import GivenUp, PartTask, Shard
from dehusk.pool import Pool
from dehusk.reasons import Reason, reason_fields


class LocalEngine:
    """Processes parts and writes shards in worker processes, and finds duplicates in this one."""

    def __init__(self, job: CorpusJob, processes: int | None, log: Log) -> None:
        self._job, self._log = job, log
        guards = job.settings.limits
        self._pool = Pool[PartTask | Shard, dict[str, Any]](
            partial(job.worker, (job.settings, str(job.work))),
            processes,
            Limits(seconds=guards.seconds, memory=guards.memory),
        )

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
        for part, (_, answer) in zip(todo, self._pool.map(map(PartTask, todo)), strict=True):
            yield self._retry_part(part, answer)

    def _retry_part(self, part: Part, answer: dict[str, Any] | Reason) -> dict[str, Any]:
        """Return the summary of a part, processed again as often as one of its records kills its worker."""
        deaths: Counter[int] = Counter()
        given_up: dict[int, GivenUp] = {}
        while isinstance(answer, Reason):
            files = PartFiles(self._job.work, part.number)
            if files.summary.exists():  # it died between finishing and saying so
                finished: dict[str, Any] = read_json(files.summary)
                return finished
            remedy = REMEDIES.get(answer.code, Remedy.RETRY)
            marker, position = read_marker(files.marker)
            # Without the record that was given up it fails as before: it is not the record.
            if remedy is Remedy.STOP or marker in given_up:
                raise stopped(f"{part.locations[0]}, part {part.number}", answer)
            deaths[marker] += 1
            self._log({"event": "worker died", "part": part.number, "marker": marker, **reason_fields(answer)})
            if remedy is Remedy.REJECT or deaths[marker] >= ATTEMPTS:
                given_up[marker] = GivenUp(answer, position)
            task = PartTask(part, tuple(sorted(given_up.items())))
            (_, answer) = next(iter(self._pool.map([task])))
        return answer

    def give_up(self, parts: Sequence[Part], reason: Reason) -> Iterator[dict[str, Any]]:
        """Reject parts that cannot be processed, each input as one record, and yield the summaries."""
        for part in parts:
            task = PartTask(part, lost=reason)
            yield self._retry_part(part, next(iter(self._pool.map([task])))[1])

    def find_duplicates(self, parts: Sequence[int]) -> None:
        """Write the duplicates among all parts."""
        self._job.find_duplicates(parts)

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
        for shard, (_, answer) in zip(todo, self._pool.map(todo), strict=True):
            yield shard, self._retry_shard(shard, answer)

    def _retry_shard(self, shard: Shard, answer: dict[str, Any] | Reason) -> dict[str, Any]:
        """Return the entry of a shard, which is written again if its worker died."""
        for _ in range(ATTEMPTS - 1):
            if isinstance(answer, Reason) and REMEDIES.get(answer.code) is not Remedy.STOP:
                (_, answer) = next(iter(self._pool.map([shard])))
        if isinstance(answer, Reason):
            raise stopped(f"shard {shard.number} could not be written", answer)
        write_json(self._job.entry(shard), answer)
        return answer

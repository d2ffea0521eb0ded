"""The Ray engine: the same work as tasks on the machines of a cluster, all of which see the folder of the corpus.

A task is a file, a range of keys or a shard, and does with it what the local engine does. A task whose process or
machine dies is run again elsewhere and goes on behind the last part that was finished. Nothing else imports Ray.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, Self, TypeVar

import ray
from ray.exceptions import RayError, RayTaskError

from dehusk.corpus.duplicates.find import Finder, Search
from dehusk.corpus.engines.base import CorpusJob, Log, stopped
from dehusk.corpus.engines.local import LocalEngine
from dehusk.corpus.files import PartFiles
from dehusk.corpus.parts import Part
from dehusk.corpus.tasks import Shard
from dehusk.errors import DehuskError, InputError
from dehusk.reasons import Code, Reason, reason_fields

RETRIES: Final = 3
LOCAL: Final = "local"
AHEAD: Final = 1000  # tasks that Ray knows of: enough for a cluster to grow by
Item = TypeVar("Item")


class RayEngine:
    """Does the steps of a corpus on a Ray cluster."""

    def __init__(self, job: CorpusJob, processes: int | None, log: Log, address: str) -> None:
        """Take the address of a cluster, or `LOCAL` for one of this machine; `processes` is per file."""
        self._job, self._processes, self._log, self._address = job, processes, log, address
        self._connected = False

    def __enter__(self) -> Self:
        if not ray.is_initialized():
            # Read by Ray when a program connects. A task that swells is given up like one that dies: by default it is
            # tried for ever.
            os.environ.setdefault("RAY_task_oom_retries", str(RETRIES))
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            alone = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"} if self._address == LOCAL else {}
            try:
                ray.init(address=self._address, log_to_driver=False, logging_level="ERROR", **alone)
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise InputError(f"no Ray cluster at {self._address}: {error}; start one with `ray start`") from error
            self._connected = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._connected:
            ray.shutdown()

    def process(self, parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """Process parts, each file in one task, and yield the summaries."""
        files = [tuple(group) for _, group in groupby(parts, lambda part: part.locations)]
        processes = self._processes or _processes(len(files))
        task = ray.remote(num_cpus=processes, max_retries=RETRIES)(process_file)
        for group, answer in _answers(task, files, lambda group: (self._job, group, processes)):
            if isinstance(answer, Reason):
                yield from self._given_up(group, answer)
            else:
                summaries, events = answer
                for event in events:
                    self._log(event)
                yield from summaries

    def _given_up(self, parts: Sequence[Part], reason: Reason) -> Iterator[dict[str, Any]]:
        self._log({"event": "task died", "file": parts[0].locations[0], **reason_fields(reason)})
        with LocalEngine(self._job, 1, self._log) as engine:
            finished = [part for part in parts if PartFiles(self._job.work, part.number).summary.exists()]
            yield from engine.process(finished)
            yield from engine.give_up([part for part in parts if part not in finished], reason)

    def find_duplicates(self, parts: Sequence[int]) -> None:
        """Write the duplicates among all parts: each range of keys in one task, what connects them here."""
        memory = self._job.settings.duplicates.memory
        shared = ray.put(list(parts))
        task = ray.remote(num_cpus=1, memory=memory, max_retries=RETRIES)(search_range)

        def search_all(searches: Sequence[Search]) -> None:
            for _, answer in _answers(task, searches, lambda search: (self._job, shared, search)):
                if isinstance(answer, Reason):
                    raise stopped("duplicates", answer)

        self._job.find_duplicates(parts, search_all)

    def write(self, shards: Sequence[Shard]) -> Iterator[tuple[Shard, dict[str, Any]]]:
        """Write shards, each in one task, and yield them with their entries in the manifest."""
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(write_shard)
        for shard, answer in _answers(task, shards, lambda shard: (self._job, shard)):
            if isinstance(answer, Reason):
                raise stopped(f"shard {shard.number} could not be written", answer)
            yield shard, answer


def process_file(
    job: CorpusJob, parts: Sequence[Part], processes: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Process the parts of one file; return their summaries, and what is to be logged."""
    events: list[dict[str, Any]] = []
    with LocalEngine(job, processes, events.append) as engine:
        return list(engine.process(parts)), events


def search_range(job: CorpusJob, parts: Sequence[int], search: Search) -> None:
    """Search one range of keys for duplicates."""
    Finder(job.work, parts, job.settings.duplicates).search(search)


def write_shard(job: CorpusJob, shard: Shard) -> dict[str, Any]:
    """Write one shard and return its entry in the manifest."""
    with LocalEngine(job, 1, lambda event: None) as engine:
        ((_, entry),) = engine.write([shard])
    return entry


def _answers(
    task: Any, items: Iterable[Item], arguments: Callable[[Item], tuple[Any, ...]]
) -> Iterator[tuple[Item, Any]]:
    """Yield each item with the answer of its task, or with the reason why all attempts ended, as they come.

    Our own errors end the run: they say that it cannot go on.
    """
    todo, waiting = iter(items), dict[Any, Item]()
    while True:
        for item in islice(todo, AHEAD - len(waiting)):
            waiting[task.remote(*arguments(item))] = item
        if not waiting:
            return
        (ready,), _ = ray.wait(list(waiting))
        item = waiting.pop(ready)
        try:
            answer = ray.get(ready)
        except RayTaskError as error:
            cause = error.cause
            raise (
                cause if isinstance(cause, DehuskError) else InputError(f"{cause}; run again with --resume")
            ) from error
        except RayError as error:
            answer = Reason(Code.TASK_DIED, type(error).__name__, seen=RETRIES + 1)
        yield item, answer


def _processes(files: int) -> int:
    """Return the processes per file that use all cores, if there are fewer files than these."""
    machines = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    return max(1, min(max(machines, default=1), sum(machines) // max(files, 1)))

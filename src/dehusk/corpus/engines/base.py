"""What an engine does, and what it has to know."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol, Self

from dehusk.corpus.duplicates.find import Finder, Search
from dehusk.corpus.files import WORK
from dehusk.corpus.parts import Part
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import DUPLICATES, Shard, perform
from dehusk.errors import InputError
from dehusk.reasons import Code, Reason
from dehusk.worker import FULL

Worker = Callable[[tuple[Settings, str], Any], dict[str, Any]]
Log = Callable[[dict[str, Any]], None]


class Remedy(Enum):
    """What to do about a worker that failed."""

    STOP = "end the run: another attempt would fail as well"
    REJECT = "reject the record that it was at, at once"
    RETRY = "try again, and reject the record after `ATTEMPTS`: somebody else may have killed the worker"


ATTEMPTS: Final = 3
# By the code of its answer; what is not here is tried again.
REMEDIES: Final = {
    Code.FAILED: Remedy.STOP,
    Code.NO_SPACE: Remedy.STOP,
    Code.NO_WORKER: Remedy.STOP,
    Code.TOO_SLOW: Remedy.REJECT,
    Code.OUT_OF_MEMORY: Remedy.RETRY,
    Code.WORKER_DIED: Remedy.RETRY,
}


@dataclass(frozen=True, slots=True)
class CorpusJob:
    """The corpus to build, and what runs in the worker processes."""

    settings: Settings
    folder: str
    worker: Worker = perform

    @property
    def work(self) -> Path:
        """Where the parts are while the corpus is unfinished."""
        return Path(self.folder) / WORK

    def entry(self, shard: Shard) -> Path:
        """Return where the entry of a shard is kept until there is a manifest."""
        return self.work / f"shard-{shard.number:05}.json"

    def find_duplicates(
        self, parts: Sequence[int], search_all: Callable[[Sequence[Search]], None] | None = None
    ) -> None:
        """Write the duplicates among all parts, unless they are there; `search_all` as in `Finder.run`."""
        output = self.work / DUPLICATES
        if output.exists():
            return
        try:
            Finder(self.work, parts, self.settings.duplicates).run(output, search_all)
        except OSError as error:
            code = Code.NO_SPACE if error.errno in FULL else Code.FAILED
            raise stopped("duplicates", Reason(code, error.strerror or str(error))) from error


def stopped(work: str, reason: Reason) -> InputError:
    """Return the error that ends a run, which can go on once its cause is gone."""
    return InputError(f"{work}: {reason}; run again with --resume", reason=reason)


class Engine(Protocol):
    """Does the three steps of a corpus, each after the other; what is finished already, it leaves as it is."""

    def __enter__(self) -> Self:
        """Get ready."""

    def __exit__(self, *error: object) -> None:
        """End all processes."""

    def process(self, parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """Process parts and yield the summary of each, in any order."""

    def find_duplicates(self, parts: Sequence[int]) -> None:
        """Write the duplicates among all parts."""

    def write(self, shards: Sequence[Shard]) -> Iterator[tuple[Shard, dict[str, Any]]]:
        """Write shards and yield each with its entry in the manifest, in any order."""

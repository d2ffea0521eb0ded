"""What an engine does, and what it has to know."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from dehusk.corpus.parts import Part
from dehusk.corpus.settings import Settings
from dehusk.corpus.tasks import DUPLICATES, Shard, perform, work_folder

Worker = Callable[[tuple[Settings, str], Any], dict[str, Any]]
Log = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Job:
    """The corpus to build, and what runs in the worker processes."""

    settings: Settings
    folder: str
    worker: Worker = perform

    @property
    def work(self) -> Path:
        """Where the parts are while the corpus is unfinished."""
        return work_folder(Path(self.folder))

    @property
    def duplicates(self) -> Path:
        """The file with the duplicates that were found."""
        return self.work / DUPLICATES

    def entry(self, shard: Shard) -> Path:
        """Return where the entry of a shard is kept until there is a manifest."""
        return self.work / f"shard-{shard.number:05}.json"


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

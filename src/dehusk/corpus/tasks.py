"""Tasks: what workers are asked to do. Whoever asks imports neither the chain nor pyarrow, which takes a while."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from dehusk.corpus.files import DATA
from dehusk.corpus.parts import Part
from dehusk.corpus.settings import Settings
from dehusk.corpus.writers import writer
from dehusk.reasons import Reason

KEPT: Final = "kept"
DUPLICATES: Final = "duplicates.npy"  # in the work folder


class GivenUp(NamedTuple):
    """A record that kills its workers."""

    reason: Reason
    position: int = 0  # where it is, if it does while it is read


@dataclass(frozen=True, slots=True)
class PartTask:
    """A part, and the steps at which workers were killed, as their markers had them.

    A step is twice the index of a record, or 1 less while the record is read.
    """

    part: Part
    given_up: tuple[tuple[int, GivenUp], ...] = ()
    lost: Reason | None = None  # why nothing of it is to be read


@dataclass(frozen=True, slots=True)
class Shard:
    """The parts whose documents are in one file, and the folder that it is in."""

    number: int
    parts: tuple[int, ...]
    folder: str

    def path(self, settings: Settings) -> Path:
        """Return the path of the file."""
        return Path(self.folder) / DATA / f"shard-{self.number:05}{writer(settings.output.format).suffix}"


def perform(state: tuple[Settings, str], task: PartTask | Shard) -> dict[str, Any]:
    """Run in a worker: process a part, or write a shard, and return what is to be counted."""
    from dehusk.corpus import work  # noqa: PLC0415  (as above)

    return work.perform(state, task)

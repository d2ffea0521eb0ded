"""Tasks: what workers are asked to do. Whoever asks imports neither the chain nor pyarrow, which takes a while."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dehusk.corpus.files import WORK
from dehusk.corpus.parts import Part
from dehusk.corpus.settings import Settings
from dehusk.corpus.writers import writer

KEPT: Final = "kept"
DUPLICATES: Final = "duplicates.npy"  # in the folder of the work: what was found


@dataclass(frozen=True, slots=True)
class PartTask:
    """A part, and the places in it that killed their workers, each with the reason.

    A place is twice the number of a record, or 1 less if it was killed by reading the record.
    """

    part: Part
    given_up: tuple[tuple[int, tuple[str, str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Shard:
    """The parts whose documents are in one file, and the folder that it is in."""

    number: int
    parts: tuple[int, ...]
    folder: str

    def path(self, settings: Settings) -> Path:
        """Return the path of the file."""
        return Path(self.folder) / f"shard-{self.number:05}{writer(settings.output.format).suffix}"


def perform(state: tuple[Settings, str], task: PartTask | Shard) -> dict[str, Any]:
    """Run in a worker: process a part, or write a shard, and return what is to be counted."""
    from dehusk.corpus import work  # noqa: PLC0415  (as above)

    return work.perform(state, task)


def work_folder(folder: Path) -> Path:
    """Return where the parts of a corpus are while it is unfinished."""
    return folder / WORK

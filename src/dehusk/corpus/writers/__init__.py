"""Writers: the formats of a corpus, one file per format; each writes the rows of a shard to one file."""

from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from dehusk.errors import UsageError

# The name of a format → its module and class.
WRITERS: Final = {
    "parquet": ("dehusk.corpus.columns", "ParquetShard"),
    "jsonl": ("dehusk.corpus.writers.json_lines", "JsonLines"),
    "dolma": ("dehusk.corpus.writers.dolma", "Dolma"),
    "xml": ("dehusk.corpus.writers.xml", "Xml"),
    "text": ("dehusk.corpus.writers.text", "PlainText"),
    "wet": ("dehusk.corpus.writers.wet", "Wet"),
}


class Writer(Protocol):
    """Writes batches of rows to a file."""

    suffix: str

    def __init__(self, path: Path) -> None:
        """Create the file."""

    def write(self, batch: Any) -> None:
        """Write the rows of a batch."""

    def close(self) -> None:
        """End the file."""


def check_format(format: str) -> None:
    """Raise UsageError if there is no such format."""
    if format not in WRITERS:
        raise UsageError(f"no corpus format is called {format!r}; there are {', '.join(WRITERS)}", setting="format")


def writer(format: str) -> type[Writer]:
    """Return the writer of a format; raise UsageError if there is none."""
    check_format(format)
    module, name = WRITERS[format]
    writer_class: type[Writer] = getattr(import_module(module), name)
    return writer_class

"""Text pairs: raw and cleaned texts in two folders, paired by name, as the original's training program takes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError
from dehusk.gold.pages import GoldPage


@dataclass(frozen=True, slots=True)
class TextPage(GoldPage):
    """A page as plain text, in `html`, and its text cleaned by hand."""


def text_pairs(raw: Path, clean: Path) -> Iterator[TextPage]:
    """Yield each raw text with the cleaned one of the same name, whatever its ending, or None if there is none."""
    dumps, golds = _files(raw), _files(clean)
    if dumps.keys().isdisjoint(golds):
        raise InputError(f"{raw} and {clean} have no file of the same name; expected raw/page.txt and clean/page.txt")
    for stem, dump in dumps.items():
        gold = _read(golds[stem]) if stem in golds else None
        yield TextPage(raw.resolve().name, stem, "all", _read(dump), gold)


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; expected one with a file of plain text per page")
    return {path.stem: path for path in sorted(folder.iterdir()) if path.is_file()}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig", "replace")

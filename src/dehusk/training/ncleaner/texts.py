"""Texts: raw dumps and cleaned texts in two folders, paired by name, as the original's training program takes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError


@dataclass(frozen=True, slots=True)
class TextPair:
    """A page as plain text, and its text cleaned by hand; `html` holds the plain text."""

    corpus: str
    id: str
    html: str
    gold: str | None
    kind: None = None

    @property
    def site(self) -> str:
        """The file's own name: text tells no site."""
        return self.id


def text_pairs(raw: Path, clean: Path) -> Iterator[TextPair]:
    """Yield the raw texts, each with the cleaned one of its name, whatever its ending, or None where there is none."""
    dumps, golds = _files(raw), _files(clean)
    if dumps.keys().isdisjoint(golds):
        raise InputError(f"{raw} and {clean} have no file of the same name; expected raw/page.txt and clean/page.txt")
    for stem, dump in dumps.items():
        gold = _read(golds[stem]) if stem in golds else None
        yield TextPair(raw.resolve().name, stem, _read(dump), gold)


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; expected one with a file of plain text a page")
    return {path.stem: path for path in sorted(folder.iterdir()) if path.is_file()}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig", "replace")

"""Examples: the segments of pages with gold, the share of each that the gold wants, and the gold itself."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dehusk.errors import InputError
from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner.language import language_of
from dehusk.methods.ncleaner.segments import cut, obvious_boilerplate
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.training.columns import Floats, Ints
from dehusk.training.examples import NO_GOLD, PageInfo, label_blocks, make_in_workers, nothing_to_train_on, parse
from dehusk.training.progress import Tick


@dataclass(frozen=True, slots=True)
class TextPage(GoldPage):
    """A page as plain text, in `html`, and its text cleaned by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class NcleanerExample(PageInfo):
    """The segments of a page, its gold, and the language of its words."""

    language: str
    text: str
    start: Ints
    end: Ints
    easy: BoolArray  # which segments a pattern recognises as boilerplate
    words: Ints  # of each segment
    shares: Floats  # the share of each segment's words that are gold; NaN if it has no words
    gold: str

    @property
    def segments(self) -> list[str]:
        """The text of every segment."""
        return [self.text[a:b] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]


def examples(
    pages: Iterable[GoldPage], jobs: int, tick: Tick = lambda: None
) -> tuple[list[NcleanerExample], Counter[str]]:
    """Return the examples of all pages, and how many pages were left out by reason."""
    skipped: Counter[str] = Counter()
    made = list(make_in_workers(make_examples, pages, jobs, skipped, tick))
    if not any(example.gold.strip() for example in made):
        raise nothing_to_train_on(skipped)
    return made, skipped


def make_examples(source: GoldPage) -> tuple[list[NcleanerExample], str]:
    """Return the example of a page, or what is wrong with it; runs in a worker."""
    if source.gold is None:
        return [], NO_GOLD
    page = Page.from_text(str(source.html)) if isinstance(source, TextPage) else parse(source.html)
    blocks = cut(page)
    labels = label_blocks(page, blocks.start, blocks.end, source.gold)
    if isinstance(labels, str):
        return [], labels
    info = source.corpus, source.id, source.site, language_of(page) or ""
    spans = page.text, blocks.start, blocks.end
    easy = obvious_boilerplate(blocks.strings(), plain=page.tree is None)
    return [NcleanerExample(*info, *spans, easy, labels.words, labels.shares.astype(np.float32), source.gold)], ""


def text_pairs(raw: Path, clean: Path) -> Iterator[TextPage]:
    """Yield each raw text with the cleaned one of the same name, whatever its ending, or None if there is none.

    The texts are in two folders, as the original's training program takes them.
    """
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

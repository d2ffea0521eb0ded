"""ncleaner: two models of n-grams of characters, one of clean text and one of dirty; nothing else is looked at.

Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008. A segment is boilerplate if the dirty model
finds it likelier than the clean one, in bits a character. docs/ncleaner.md says how well it does.

A folder holds a table a language, and a non-lexical one, called "all", for every other language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import ModelError, UsageError
from dehusk.methods.ncleaner.language import language_of
from dehusk.methods.ncleaner.segments import cut, easy
from dehusk.methods.ncleaner.table import STEP, Table
from dehusk.model_files import open_description, read_arrays
from dehusk.page import Page
from dehusk.scores import Scores

FORMAT: Final = 1
MODELS: Final = Path(__file__).parents[2] / "models"
OTHERWISE: Final = "all"  # the table for languages that have none of their own


@dataclass(frozen=True, slots=True, eq=False)
class Ncleaner:
    """The method; `Ncleaner.load(folder)` reads other tables than those shipped."""

    tables: Mapping[str, Table] = field(repr=False)
    name: str = "ncleaner"
    folder: Path | None = None
    shift: float = 0.0  # bits added to the bias of every table

    def __post_init__(self) -> None:
        if OTHERWISE not in self.tables:
            raise ModelError(f"{self.name} lacks the table {OTHERWISE!r}, for other languages; train it anew")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the tables of a folder and what is known of them."""
        arrays = read_arrays(folder / "weights.npz")
        with open_description(folder, FORMAT, "dehusk train ncleaner") as about:
            tables = {name: _table(name, facts, arrays) for name, facts in about["tables"].items()}
            return cls(tables, str(about["name"]), folder)

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes read the file themselves, once, in place of getting all tables through a pipe.
        if self.folder is not None:
            return _shifted, (self.folder, self.shift)
        return type(self), (self.tables, self.name, None, self.shift)

    def with_bias(self, bits: float) -> Self:
        """Return the method with so many bits more to show: above 0 for precision, below for recall.

        >>> page = Page.from_text("Read more")
        >>> strict, usual = (method.score(page, cut(page)).values for method in (shipped().with_bias(0.3), shipped()))
        >>> strict > usual
        array([ True])
        """
        if not abs(bits) <= 10:
            raise UsageError(f"a bias is some bits a character, such as 0.2; got {bits}")
        return replace(self, shift=self.shift + bits)

    def segment(self, page: Page) -> Blocks:
        """Cut into paragraphs, headings and list items."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each segment what the table of the page's language says of it, and 1 where a pattern is enough."""
        table = self.table_for(page)
        values = table.scores(table.bits(blocks.text, blocks.start, blocks.end) - self.shift)
        values[easy(blocks.strings())] = 1
        return Scores(blocks, values, self.name)

    def table_for(self, page: Page) -> Table:
        """Return the table of a page's language."""
        return self.tables.get(language_of(page) or "") or self.tables[OTHERWISE]


def _table(name: str, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[np.generic]]) -> Table:
    keys, bits = arrays[f"{name}.keys"], arrays[f"{name}.bits"].astype(np.float32) * STEP
    return Table.of(
        np.cumsum(keys.astype(np.int64)),  # differences take a third of the room
        bits,
        int(facts["n"]),
        lexical=bool(facts["lexical"]),
        bias=float(facts["bias"]),
        slope=float(facts["slope"]),
        neighbours=float(facts["neighbours"]),
    )


@cache
def loaded(folder: Path) -> Ncleaner:
    """Return the tables of a folder, read once."""
    return Ncleaner.load(folder)


def _shifted(folder: Path, shift: float) -> Ncleaner:
    return replace(loaded(folder), shift=shift)


def shipped() -> Ncleaner:
    """Return the tables that come with dehusk."""
    return loaded(MODELS / "ncleaner")

"""ncleaner: two models of character n-grams, one of clean text and one of dirty text, and nothing else.

Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008. A segment is boilerplate if it is likelier
in the dirty model than in the clean one, in bits per character. docs/methods/ncleaner.md has its results.

A folder holds one table per language, and a non-lexical one, called "all", for every other language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import ModelError, UsageError
from dehusk.methods.base import TrainedMethod
from dehusk.methods.ncleaner.language import language_of
from dehusk.methods.ncleaner.segments import cut, obvious_boilerplate, without_link_marks
from dehusk.methods.ncleaner.table import STEP, NgramTable
from dehusk.methods.settings import Setting
from dehusk.model_files import open_description, read_arrays
from dehusk.page import Page
from dehusk.scores import Scores

FORMAT: Final = 1
OTHERWISE: Final = "all"  # the table for languages without one of their own


@dataclass(frozen=True, slots=True, eq=False)
class Ncleaner(TrainedMethod):
    """The method; `Ncleaner.load(folder)` reads tables other than the shipped ones."""

    tables: Mapping[str, NgramTable] = field(repr=False)
    name: str = "ncleaner"
    folder: Path | None = None
    shift: float = 0.0  # bits added to the bias of every table
    order: int | None = None  # the longest n-grams that are used; None: all
    adjustable: ClassVar = ("shift", "order")

    def __post_init__(self) -> None:
        if OTHERWISE not in self.tables:
            raise ModelError(f"{self.name} lacks the table {OTHERWISE!r}, for other languages; retrain it")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the tables of a folder and their model.json."""
        arrays = read_arrays(folder / "weights.npz")
        with open_description(folder, FORMAT, "dehusk train ncleaner") as about:
            tables = {name: _table(name, facts, arrays) for name, facts in about["tables"].items()}
            return cls(tables, str(about["name"]), folder)

    def segment(self, page: Page) -> Blocks:
        """Cut into paragraphs, headings and list items."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score each segment with the table of the page's language; obvious boilerplate gets 1."""
        table = self.table_for(page)
        values = table.scores(self._bits(table, page, blocks) - self.shift)
        values[obvious_boilerplate(blocks.strings(), plain=page.tree is None)] = 1
        return Scores(blocks, values, self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each segment the bits per character by which it is likelier clean, or the pattern that it fits."""
        table = self.table_for(page)
        least = table.bias + self.shift
        easy = obvious_boilerplate(blocks.strings(), plain=page.tree is None)
        bits = self._bits(table, page, blocks)
        return [
            ("- it matches a boilerplate pattern",)
            if pattern
            else (f"{'+' if value > least else '-'} {value:+.2f} bits per character; {least:+.2f} are needed",)
            for value, pattern in zip(bits.tolist(), easy.tolist(), strict=True)
        ]

    def _bits(self, table: NgramTable, page: Page, blocks: Blocks) -> NDArray[np.float64]:
        text = blocks.text if page.tree is not None else without_link_marks(blocks.text)
        return table.bits(text, blocks.start, blocks.end, self.order)

    def table_for(self, page: Page) -> NgramTable:
        """Return the table for a page's language."""
        return self.tables.get(language_of(page) or "") or self.tables[OTHERWISE]

    def _with_order(self, order: int) -> Self:
        longest = max(table.order for table in self.tables.values())
        if not 1 <= order <= longest:
            raise UsageError(f"n must lie between 1 and {longest}, the longest n-grams of these tables; got {order}")
        return replace(self, order=order)

    settings: ClassVar = (
        Setting(
            "bias",
            "bits per character added to the bias: above 0 for precision, below for recall",
            "a number between -10 and 10",
            "0",
            float,
            lambda method, bits: replace(method, shift=method.shift + bits),
            lambda bits: -10 <= bits <= 10,
        ),
        Setting(
            "n",
            "the longest n-grams that are used, in characters, as if it had been trained with them",
            "a whole number from 1 to the longest n-grams of the tables (6 in those that come with dehusk)",
            "the longest",
            int,
            _with_order,
        ),
    )


def _table(name: str, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[np.generic]]) -> NgramTable:
    keys, bits = arrays[f"{name}.keys"], arrays[f"{name}.bits"].astype(np.float32) * STEP
    return NgramTable.of(
        np.cumsum(keys.astype(np.int64)),  # differences take a third of the space
        bits,
        int(facts["n"]),
        lexical=bool(facts["lexical"]),
        bias=float(facts["bias"]),
        slope=float(facts["slope"]),
        neighbours=float(facts["neighbours"]),
    ).with_mode(facts.get("mode"))

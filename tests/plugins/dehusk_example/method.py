"""short: blocks of few characters are boilerplate."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from dehusk import Blocks, Page, Scores
from dehusk.blocks import cut
from dehusk.methods.settings import Setting
from dehusk.model_files import open_description
from dehusk.models.registry import Entry


@dataclass(frozen=True)
class Short:
    """Scores short blocks as boilerplate."""

    name: str = "short"
    limit: int = 20  # characters
    settings: ClassVar = (
        Setting("limit", "blocks with fewer characters are dropped", "a whole number", "20", int,
                lambda method, limit: replace(method, limit=limit)),
    )  # fmt: skip

    @classmethod
    def load(cls, folder: Path) -> "Short":
        """Read a limit that was learnt from pages."""
        with open_description(folder, 1, "python -m dehusk_example.train") as model:
            return cls(limit=int(model["limit"]))

    def segment(self, page: Page) -> Blocks:
        """Cut at block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score short blocks 1 and all others 0."""
        return Scores(blocks, np.where(blocks.end - blocks.start < self.limit, 1.0, 0.0), self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return the length of each block."""
        lengths = (blocks.end - blocks.start).tolist()
        return [(f"{'-' if length < self.limit else '+'} {length} characters",) for length in lengths]


SHORT = Entry("short", Short, "a run between block-level elements", "drops blocks of few characters")

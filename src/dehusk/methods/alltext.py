"""alltext: keeps everything. A baseline whose recall no other method can exceed."""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks import Blocks, cut
from dehusk.page import Page
from dehusk.scores import Scores


@dataclass(frozen=True, slots=True)
class AllText:
    """Scores every block 0."""

    name: str = "alltext"

    def segment(self, page: Page) -> Blocks:
        """Cut the page at its block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score everything as main text."""
        return Scores(blocks, np.zeros(len(blocks)), self.name)

"""alltext: keeps everything. The baseline whose recall is the ceiling of every other method."""

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
        """Call nothing boilerplate."""
        return Scores(blocks, np.zeros(len(blocks)), self.name)

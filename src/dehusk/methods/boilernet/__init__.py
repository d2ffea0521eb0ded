"""boilernet: a recurrent network over the text nodes of a page, which sees their tags and words and nothing else.

Leonhardt, Anand, Khosla: Boilerplate Removal using a Neural Sequence Labeling Model. WWW 2020 Companion. What it sees
is in `dehusk.methods.boilernet.features`, how it was trained in `dehusk.training.boilernet`, how well it does in
docs/boilernet.md.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import ModelError
from dehusk.methods.boilernet.features import Entries, Vocabulary, boilernet_features, cut
from dehusk.methods.boilernet.onnx import Network
from dehusk.model_files import open_description
from dehusk.page import Page
from dehusk.scores import Scores

FORMAT: Final = 1
MODELS: Final = Path(__file__).parents[2] / "models"
NETWORK: Final = "network.onnx"
# Leaves that are read at once, and how many more on either side of them, so that memory is bounded. The network was
# trained on no longer stretches.
WINDOW: Final = 2048
AROUND: Final = 128
# Words and tags that are read at once, twice what any training page has in a window: each takes the large network two
# kilobytes, and a page of nothing but long leaves has a hundred times as many as others.
ENTRIES: Final = 60_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Boilernet:
    """The method; `Boilernet.load(folder)` reads another network than those shipped."""

    network: Network = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    threshold: float
    name: str
    folder: Path

    def __post_init__(self) -> None:
        if self.network.width != self.vocabulary.width:
            raise ModelError(
                f"{self.folder}: the network has {self.network.width} inputs, its vocabulary {self.vocabulary.width}; "
                "train it anew"
            )
        if not 0 < self.threshold < 1:
            raise ModelError(f"{self.folder}: the threshold must lie between 0 and 1, got {self.threshold}")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the network of a folder and what is known of it."""
        with open_description(folder, FORMAT, "dehusk train boilernet") as about:
            vocabulary = Vocabulary.of(about["tags"], about["words"])
            threshold, name = float(about["threshold"]), str(about["name"])
        return cls(Network.load(folder / NETWORK), vocabulary, threshold, name, folder)

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes read the file themselves, once: a session cannot leave its process.
        return loaded, (self.folder,)

    def segment(self, page: Page) -> Blocks:
        """Cut the page into its text nodes."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each text node what the network says, moved so that its best threshold comes to lie at 0.5."""
        found = boilernet_features(blocks, self.vocabulary)
        stretches = (self._read(found, *stretch, AROUND) for stretch in windows(len(blocks)))
        output = np.concatenate([np.zeros(0, np.float32), *stretches])
        values: Floats = np.interp(output, (0, self.threshold, 1), (0, 0.5, 1))
        return Scores(blocks, values, self.name)

    def _read(self, found: Entries, first: int, last: int, around: int) -> NDArray[np.float32]:
        """Return what the network says of some leaves, having read a few more on either side."""
        begin = max(0, first - around)
        part = found.part(begin, min(last + around, found.leaves))
        if len(part) > ENTRIES and last - first > 1:
            middle = (first + last) // 2
            halves = (first, middle), (middle, last)
            return np.concatenate([self._read(found, *half, around // 2) for half in halves])
        return self.network.run(part.rows, part.columns, part.values, part.leaves)[first - begin : last - begin]


def windows(count: int) -> list[tuple[int, int]]:
    """Return the stretches that a page of so many leaves is read in, of equal length.

    >>> windows(5000)
    [(0, 1666), (1666, 3333), (3333, 5000)]
    """
    parts = -(-count // WINDOW)
    return list(pairwise(count * part // parts for part in range(parts + 1))) if count else []


@cache
def loaded(folder: Path) -> Boilernet:
    """Return the network of a folder, read once."""
    return Boilernet.load(folder)


def shipped() -> Boilernet:
    """Return the large network, with numbers of 8 bits."""
    return loaded(MODELS / "boilernet")


def small() -> Boilernet:
    """Return the small network, for bulk and for browsers."""
    return loaded(MODELS / "boilernet-small")

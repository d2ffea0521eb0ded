"""boilernet: a recurrent network over the text nodes of a page, from their tags and words alone.

Leonhardt, Anand, Khosla: Boilerplate Removal using a Neural Sequence Labeling Model. WWW 2020 Companion. The inputs are
defined in `dehusk.methods.boilernet.features`, training is in `dehusk.training.boilernet`, results are in
docs/methods/boilernet.md.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import ModelError
from dehusk.methods.base import TrainedMethod
from dehusk.methods.boilernet.features import BoilernetVocabulary, Entries, boilernet_features, cut, leaves_outside
from dehusk.methods.boilernet.onnx import OnnxNetwork
from dehusk.model_files import open_description
from dehusk.page import Page
from dehusk.scores import Scores

FORMAT: Final = 1
NETWORK: Final = "network.onnx"
# Leaves that are read at once, to bound the memory, and additional ones on either side as context. The network was
# trained on windows of at most this length.
WINDOW: Final = 2048
CONTEXT: Final = 128
# Words and tags that are read at once, twice as many as any training page has per window. Each takes two kilobytes in
# the large network, and a page of long leaves has a hundred times as many as others.
MAX_ENTRIES: Final = 60_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a network reads a page; model.json has all fields if they differ from these."""

    logs: bool = True  # logarithms of one plus each count, else the counts, as in the paper
    unread: frozenset[str] = frozenset()  # tags whose text it does not see, and which is dropped
    window: int = WINDOW

    @classmethod
    def of(cls, about: dict[str, Any]) -> Self:
        """Return what model.json says.

        >>> Reading.of({"logs": False, "unread": ["button"]})
        Reading(logs=False, unread=frozenset({'button'}), window=2048)
        """
        unread, window = about.get("unread", []), int(about.get("window", WINDOW))
        if window < 1:
            raise ValueError(f"a window must have at least 1 text node, got {window}")
        return cls(bool(about.get("logs", True)), frozenset(map(str, unread)), window)


@dataclass(frozen=True, slots=True, eq=False)
class Boilernet(TrainedMethod):
    """The method; `Boilernet.load(folder)` reads a network other than the shipped ones."""

    network: OnnxNetwork = field(repr=False)
    vocabulary: BoilernetVocabulary = field(repr=False)
    threshold: float
    name: str
    folder: Path
    reading: Reading = Reading()

    def __post_init__(self) -> None:
        if self.network.width != self.vocabulary.width:
            raise ModelError(
                f"{self.folder}: the network has {self.network.width} inputs, its vocabulary {self.vocabulary.width}; "
                "retrain it"
            )
        if not 0 < self.threshold < 1:
            raise ModelError(f"{self.folder}: the threshold must lie between 0 and 1, got {self.threshold}")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the network of a folder and its model.json."""
        with open_description(folder, FORMAT, "dehusk train boilernet") as about:
            vocabulary = BoilernetVocabulary.of(about["tags"], about["words"])
            threshold, name, reading = float(about["threshold"]), str(about["name"]), Reading.of(about)
        return cls(OnnxNetwork.load(folder / NETWORK), vocabulary, threshold, name, folder, reading)

    def segment(self, page: Page) -> Blocks:
        """Cut the page into its text nodes."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score each text node with the network's output, scaled so that its best threshold is at 0.5."""
        read = leaves_outside(blocks, self.reading.unread)
        entries = boilernet_features(blocks, self.vocabulary, logs=self.reading.logs).only(read)
        outputs = (self._read(entries, *each, CONTEXT) for each in windows(entries.leaves, self.reading.window))
        output = np.concatenate([np.zeros(0, np.float32), *outputs])
        values: Floats = np.ones(len(blocks))
        values[read] = np.interp(output, (0, self.threshold, 1), (0, 0.5, 1))
        return Scores(blocks, values, self.name)

    def _read(self, entries: Entries, first: int, last: int, context: int) -> NDArray[np.float32]:
        """Return the network's output for some leaves, read with some context on either side."""
        begin = max(0, first - context)
        part = entries.part(begin, min(last + context, entries.leaves))
        if len(part) > MAX_ENTRIES and last - first > 1:
            middle = (first + last) // 2
            halves = (first, middle), (middle, last)
            return np.concatenate([self._read(entries, *half, context // 2) for half in halves])
        return self.network.run(part.rows, part.columns, part.values, part.leaves)[first - begin : last - begin]


def windows(count: int, longest: int = WINDOW) -> list[tuple[int, int]]:
    """Return the windows, of equal length, in which a page with that many leaves is read.

    >>> windows(5000)
    [(0, 1666), (1666, 3333), (3333, 5000)]
    """
    parts = -(-count // longest)
    return list(pairwise(count * part // parts for part in range(parts + 1))) if count else []

"""Packed: the text nodes of many pages as columns, words and chains of tags as numbers, in one file.

It holds every word, not only those of a vocabulary, so that each experiment can choose its own from its own training
pages; and it needs neither pages nor parser, so that a machine with a GPU can be sent it alone.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.weights import DAMAGED

FORMAT: Final = 1
UNREADABLE: Final = (*DAMAGED, KeyError, TypeError)
ARRAYS: Final = ("size", "chain", "distinct", "word", "count", "labels", "nodes", "sizes")
MOST: Final = 65535  # of one word in one leaf that are counted

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class About:
    """Where an example is from, and how many text nodes were labelled that the page's tree does not have."""

    corpus: str
    id: str
    split: str
    site: str
    lost_boilerplate: int = 0
    lost_content: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page's text nodes."""

    about: About
    chains: tuple[str, ...]  # the tags above each, from the outermost on, parted by blanks
    words: tuple[tuple[str, ...], ...]
    labels: Floats  # how much of each is boilerplate; NaN where nobody knows
    nodes: NDArray[np.uint16]  # how many labelled nodes that is, since others may have parsed the page otherwise
    sizes: Floats  # in words, as texts are measured


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Pages, their leaves one after the other, and of every leaf its words one after the other."""

    about: tuple[About, ...]
    chains: tuple[str, ...]
    words: tuple[str, ...]
    licences: Mapping[str, str]
    skipped: Mapping[str, int]
    size: Ints  # leaves a page
    chain: Ints  # of a leaf the number of its chain
    distinct: Ints  # of a leaf how many different words it has
    word: Ints  # their numbers
    count: NDArray[np.uint16]  # how often each stands in the leaf
    labels: Floats
    nodes: NDArray[np.uint16]
    sizes: Floats

    @classmethod
    def of(cls, found: Iterable[Example], licences: Mapping[str, str], skipped: Mapping[str, int]) -> Self:
        """Pack examples."""
        chains: dict[str, int] = {}
        words: dict[str, int] = {}
        pages = [_columns(example, chains, words) for example in found]
        if not pages:
            reasons = "".join(f" ({count}: {reason})" for reason, count in skipped.items())
            raise InputError(f"no page can be trained on{reasons}; give pages with labelled text nodes or gold text")
        about, *columns = zip(*pages, strict=True)
        size = np.array([len(column) for column in columns[0]], np.int32)
        arrays = (np.concatenate(column) for column in columns)
        return cls(about, tuple(chains), tuple(words), licences, dict(skipped), size, *arrays)

    @property
    def start(self) -> NDArray[np.int64]:
        """Where each page's leaves begin, and at last where all end."""
        return np.concatenate(([0], np.cumsum(self.size, dtype=np.int64)))

    def only(self, leaves: NDArray[np.bool_]) -> Self:
        """Return the same pages with some of their leaves alone."""
        ends = np.concatenate(([0], np.cumsum(leaves)))[self.start]
        words = np.repeat(leaves, self.distinct)
        columns = {name: getattr(self, name)[leaves] for name in ("chain", "distinct", "labels", "nodes", "sizes")}
        size = np.diff(ends).astype(np.int32)
        return replace(self, size=size, word=self.word[words], count=self.count[words], **columns)

    def save(self, path: Path) -> None:
        """Write all into one file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        facts = {
            "format": FORMAT,
            "about": [astuple(each) for each in self.about],
            "chains": self.chains,
            "words": self.words,
            "licences": dict(self.licences),
            "skipped": dict(self.skipped),
        }
        told = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        # Under another name first, so that a run that is broken off leaves no half of a file.
        half = path.with_suffix(".part")
        with half.open("wb") as file:
            np.savez_compressed(file, facts=told, **{name: getattr(self, name) for name in ARRAYS})
        half.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        try:
            # Opened here, since numpy leaves a damaged file open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                facts: dict[str, Any] = json.loads(bytes(file["facts"]))
                if facts["format"] != FORMAT:
                    raise InputError(f"{path} was made by another version; remove it")
                about = tuple(About(*each) for each in facts["about"])
                named = tuple(facts["chains"]), tuple(facts["words"]), facts["licences"], facts["skipped"]
                return cls(about, *named, *(file[name] for name in ARRAYS))
        except UNREADABLE as error:
            raise InputError(f"{path} does not hold boilernet's examples: {error}; remove it") from error


def _columns(example: Example, chains: dict[str, int], words: dict[str, int]) -> tuple[Any, ...]:
    """Return an example as columns, its strings entered into the dictionaries."""
    counted = [Counter(leaf) for leaf in example.words]
    return (
        example.about,
        np.array([chains.setdefault(chain, len(chains)) for chain in example.chains], np.int32),
        np.array([len(leaf) for leaf in counted], np.int32),
        np.array([words.setdefault(word, len(words)) for leaf in counted for word in leaf], np.int32),
        np.array([min(number, MOST) for leaf in counted for number in leaf.values()], np.uint16),
        example.labels,
        example.nodes,
        example.sizes,
    )

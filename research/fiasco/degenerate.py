"""Degenerate pages: how often the rule of the paper yields one target for nearly everything, and with our repair."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.compressed import decompressed
from dehusk.gold.corpora import open_corpus
from dehusk.methods.fiasco import NEARLY_ALL, share_of_page
from dehusk.methods.fiasco.targets import FEW, find_targets
from dehusk.page import Page
from dehusk.training.examples import parse

SETS: Final = ("cleaneval", "googletrends2017", "canola", "wcxb-dev", "webkb")
OLD: Final = "webkb"


@dataclass(frozen=True, slots=True)
class Shape:
    """What the targets of a set's pages are like, in per cent of its pages."""

    one: float  # one target holds nearly all text
    half: float  # one target holds more than half
    few: float  # there are few targets
    median: float  # number of targets

    @classmethod
    def of(cls, pages: Iterable[Page], *, repair: bool) -> "Shape":
        """Count the pages."""
        rows = []
        for page in pages:
            targets = find_targets(page, repair=repair)
            largest = float(share_of_page(page, targets).max(initial=0))
            rows.append((largest > NEARLY_ALL, largest > 0.5, len(targets) <= FEW, len(targets)))
        columns = np.array(rows, np.float64).T
        one, half, few = (100 * columns[:3].mean(axis=1)).tolist()
        return cls(one, half, few, float(np.median(columns[3])))


def pages_of(name: str, sample: int = 400) -> list[Page]:
    """Return pages with text, none of them from a test part; webkb has no gold at all, and old pages."""
    sources = _old_pages(sample) if name == OLD else (page.html for page in open_corpus(name).pages("train", sample))
    return [page for page in map(parse, sources) if page.text.strip()]


def _old_pages(sample: int) -> Iterator[str | bytes]:
    path = Path(os.environ.get("DEHUSK_DATA", "")) / "data" / "pages" / f"{OLD}.jsonl.zst"
    with path.open("rb") as file:
        for index, line in enumerate(decompressed(file, path)):
            if index % 20 == 0 and index < 20 * sample:
                yield json.loads(line)["html"]

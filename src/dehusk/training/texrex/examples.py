"""Examples: the blocks of pages with gold as texrex sees them, beside the share of each that the gold wants."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.config import Limits
from dehusk.errors import InputError
from dehusk.gold.labelled import Labelled
from dehusk.gold.labels import gold_shares
from dehusk.methods.languages import language_by_words
from dehusk.methods.texrex.features import NAMES, cut, texrex_features
from dehusk.page import as_page
from dehusk.training.makers import NO_BLOCKS, NO_GOLD, UNALIGNED, Tick, made_in_workers
from dehusk.weights import DAMAGED
from dehusk.word_boundaries import word_totals

FORMAT: Final = 1
UNREADABLE: Final = (*DAMAGED, KeyError, TypeError)

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class About:
    """Where an example is from, and the language that texrex takes it for."""

    corpus: str
    id: str
    site: str
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page's blocks."""

    about: About
    matrix: Floats  # one row a block
    shares: Floats  # of each block's words, how many are gold; NaN where it has no words
    words: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """The blocks of many pages as columns, each with the number of its page."""

    about: tuple[About, ...]
    matrix: Floats
    shares: Floats
    words: Floats
    page: NDArray[np.int32]
    licences: Mapping[str, str]
    skipped: Mapping[str, int]

    def save(self, path: Path) -> None:
        """Write all into one file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        facts = {
            "format": FORMAT,
            "features": NAMES,
            "about": [(each.corpus, each.id, each.site, each.language) for each in self.about],
            "licences": dict(self.licences),
            "skipped": dict(self.skipped),
        }
        told = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        # Under another name first, so that a run that is broken off leaves no half of a file.
        half = path.with_suffix(".part")
        with half.open("wb") as file:
            np.savez(file, matrix=self.matrix, shares=self.shares, words=self.words, page=self.page, facts=told)
        half.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Packed":
        """Read what `save` wrote."""
        try:
            # Opened here, since numpy leaves a damaged file open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                facts: dict[str, Any] = json.loads(bytes(file["facts"]))
                if facts["format"] != FORMAT or tuple(facts["features"]) != NAMES:
                    raise InputError(f"{path} was made by another version; remove it")
                about = tuple(About(*each) for each in facts["about"])
                matrix, shares, words, page = (file[name] for name in ("matrix", "shares", "words", "page"))
                return cls(about, matrix, shares, words, page, facts["licences"], facts["skipped"])
        except UNREADABLE as error:
            raise InputError(f"{path} does not hold texrex's examples: {error}; remove it") from error


def packed(pages: Iterable[Labelled], licences: Mapping[str, str], jobs: int, tick: Tick = lambda: None) -> Packed:
    """Return the examples of all pages; what is no good is counted by reason."""
    skipped: Counter[str] = Counter()
    examples: list[Example] = list(made_in_workers(__name__, pages, jobs, skipped, tick))
    if not examples:
        raise InputError("no page can be trained on; give a corpus with gold text")
    sizes = [len(example.shares) for example in examples]
    return Packed(
        tuple(example.about for example in examples),
        np.concatenate([example.matrix for example in examples]),
        np.concatenate([example.shares for example in examples]),
        np.concatenate([example.words for example in examples]),
        np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        licences,
        dict(skipped),
    )


def made(_: None, source: Labelled) -> tuple[Example | str]:
    """Run in a worker: return a page's example, or what is wrong with it; in a tuple, since a str means a failure."""
    if source.gold is None:
        return (NO_GOLD,)
    page = as_page(source.html, url=None, charset=None, limits=Limits())
    blocks = cut(page)
    if not len(blocks):
        return (NO_BLOCKS,)
    if source.gold.strip():
        found = gold_shares(page.text, blocks.start, blocks.end, source.gold)
        if not found.usable:
            return (UNALIGNED,)
        shares = found.shares
    else:
        shares = np.zeros(len(blocks))
    totals = word_totals(page.text)
    words = totals[blocks.end] - totals[blocks.start]
    matrix = np.ascontiguousarray(texrex_features(page, blocks).T)
    about = About(source.corpus, source.id, source.site, language_by_words(page) or "")
    return (Example(about, matrix, shares.astype(np.float32), words.astype(np.float32)),)

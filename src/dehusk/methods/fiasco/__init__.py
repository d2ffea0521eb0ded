"""fiasco: subtrees of the page, judged by what they say, how they are built and how they look.

Bauer et al.: FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück. WAC3, 2007. Target nodes
are found in `targets`, described in `features` and judged by the support vector machine in `machine`; training is in
`dehusk.training.fiasco`, and docs/methods/fiasco.md has results.

Text outside any target has no score and stays, and so does a target that holds nearly all text of its page and could
not be divided: it is a page, not a text block, and no machine has learnt to judge it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut_at
from dehusk.errors import ModelError
from dehusk.methods.fiasco.features import WITHOUT_VISUAL, columns, features
from dehusk.methods.fiasco.machine import Machine
from dehusk.methods.fiasco.reasons import reasons
from dehusk.methods.fiasco.targets import Targets, find_targets
from dehusk.methods.fiasco.words import Lexicon
from dehusk.model_files import open_description, read_arrays, shipped_folder
from dehusk.page import Page
from dehusk.page.walk_flags import NEW_BLOCK
from dehusk.scores import Scores

FORMAT: Final = 1
NEARLY_ALL: Final = 0.8  # of a page's text, in one target

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fiasco:
    """The method; `Fiasco.load(folder)` reads a machine other than the shipped one."""

    machine: Machine = field(repr=False)
    lexicon: Lexicon = field(repr=False)
    families: tuple[str, ...]
    name: str = "fiasco"
    folder: Path | None = None

    def __post_init__(self) -> None:
        expected, found = len(columns(self.families)), len(self.machine.scaling.low)
        if expected != found:
            raise ModelError(
                f"{self.name} was trained on {found} features, this version computes {expected}; retrain it"
            )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the machine of a folder, its lexicon and its model.json."""
        arrays = read_arrays(folder / "weights.npz")
        with open_description(folder, FORMAT, "dehusk train fiasco") as about:
            families = tuple(map(str, about["families"]))
            if unknown := set(families) - set(WITHOUT_VISUAL):
                raise ValueError(f"it was trained with {', '.join(sorted(unknown))} features, which need a browser")
            return cls(_machine(arrays, about), _lexicon(arrays), families, str(about["name"]), folder)

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes read the file themselves, once, instead of receiving all weights through a pipe.
        if self.folder is not None:
            return loaded, (self.folder,)
        return type(self), (self.machine, self.lexicon, self.families, self.name)

    def segment(self, page: Page) -> Blocks:
        """Cut where a target begins or ends, and at block-level elements."""
        return cut(page, find_targets(page))

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give every block the score of its target, NaN where there is none."""
        targets = find_targets(page)
        if not len(targets):
            return Scores(blocks, np.full(len(blocks), np.nan), self.name)
        values = self.machine.scores(self.matrix(page, targets))
        values[share_of_page(page, targets) > NEARLY_ALL] = np.nan
        return Scores(blocks, np.append(values, np.nan)[targets.of_leaf[blocks.first_leaf]], self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the element of its target, and the features that moved the decision most."""
        targets = find_targets(page)
        facts = reasons(page, targets, self.machine, columns(self.families), self.matrix(page, targets))
        for number in np.flatnonzero(share_of_page(page, targets) > NEARLY_ALL).tolist():
            facts[number] = ("+ holds nearly all text of the page, so it is not judged",)
        outside = ("+ outside any target node, so it is not judged",)
        return [facts[number] if number >= 0 else outside for number in targets.of_leaf[blocks.first_leaf].tolist()]

    def matrix(self, page: Page, targets: Targets) -> Doubles:
        """Return the features of the targets that the machine was trained on."""
        known = columns(WITHOUT_VISUAL)
        wanted = [known.index(name) for name in columns(self.families)]
        return features(page, targets, self.lexicon)[:, wanted]


def cut(page: Page, targets: Targets) -> Blocks:
    """Cut a page where targets begin or end, and at block-level elements.

    >>> page = Page.from_html("<ul><li><a href=/>One</a> <a href=/>Two</a></ul><p>Text <b>of</b> three")
    >>> cut(page, find_targets(page)).strings()
    ['One', 'Two', 'Text of three']
    """
    return cut_at(page, (page.leaves.gap == NEW_BLOCK) | (np.diff(targets.of_leaf, prepend=-2) != 0))


def share_of_page(page: Page, targets: Targets) -> Doubles:
    """Return the share of the page's text that each target holds."""
    lengths, inside = page.leaves.end - page.leaves.start, targets.of_leaf >= 0
    shares: Doubles = np.bincount(targets.of_leaf[inside], lengths[inside], len(targets)) / max(1, lengths.sum())
    return shares


def _machine(arrays: Mapping[str, NDArray[np.generic]], about: Mapping[str, Any]) -> Machine:
    return Machine.of(arrays, about["machine"])


def _lexicon(arrays: Mapping[str, NDArray[np.generic]]) -> Lexicon:
    # Differences of sorted keys take less space.
    return Lexicon.of_keys(np.cumsum(arrays["word_keys"].astype(np.int64)), arrays["word_flags"].astype(np.uint8))


@cache
def loaded(folder: Path) -> Fiasco:
    """Return the machine of a folder, read once."""
    return Fiasco.load(folder)


def shipped() -> Fiasco:
    """Return the shipped machine, which needs no browser."""
    return loaded(shipped_folder("fiasco"))

"""fiasco: subtrees of the page, judged by what they say, how they are built and how they look.

Bauer et al.: FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück. WAC3, 2007. Target nodes
are found in `targets`, described in `features` and judged by the support vector machine in `machine`; training is in
`dehusk.training.fiasco`, and docs/methods/fiasco.md has results.

Text outside any target has no score and stays, and so does a target that holds nearly all text of its page and could
not be divided: it is a page, not a text block, and no machine has learnt to judge it. On a page of which next to
nothing would be kept, what is likeliest main text is.
"""

from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut_at
from dehusk.errors import ModelError
from dehusk.extras import install_command
from dehusk.methods.base import Capabilities, Picture, TrainedMethod
from dehusk.methods.fiasco.features import FAMILIES, WITHOUT_VISUAL, columns, target_features
from dehusk.methods.fiasco.machine import Machine
from dehusk.methods.fiasco.reasons import reasons
from dehusk.methods.fiasco.targets import Targets, find_targets
from dehusk.methods.fiasco.words import Lexicon
from dehusk.model_files import open_description, read_arrays
from dehusk.page import Page
from dehusk.page.walk_flags import NEW_BLOCK
from dehusk.scores import Scores

FORMAT: Final = 1
NEARLY_ALL: Final = 0.8  # of a page's text, in one target
# Of a page's text, which is kept at least: list pages are all links. On training pages 0.15 leaves F1 as it is (0.837
# for 0.838) and halves the pages of which nothing wanted is kept; 0.3 costs a point.
LEAST_KEPT: Final = 0.15

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fiasco(TrainedMethod):
    """The method; `Fiasco.load(folder)` reads a machine other than the shipped one."""

    capabilities: ClassVar = Capabilities()
    machine: Machine = field(repr=False)
    lexicon: Lexicon = field(repr=False)
    families: tuple[str, ...]
    name: str = "fiasco"
    folder: Path | None = None

    def __post_init__(self) -> None:
        expected, actual = len(columns(self.families)), len(self.machine.scaling.low)
        if expected != actual:
            raise ModelError(
                f"{self.name} was trained on {actual} features, this version computes {expected}; retrain it"
            )

    @staticmethod
    def load(folder: Path) -> "Fiasco":
        """Read the machine of a folder, its lexicon and its model.json."""
        arrays = read_arrays(folder / "weights.npz")
        with open_description(folder, FORMAT, "dehusk train fiasco") as about:
            families = tuple(map(str, about["families"]))
            if unknown := set(families) - set(FAMILIES):
                raise ValueError(f"unknown families of features: {', '.join(sorted(unknown))}")
            # Differences of sorted keys take less space.
            keys = np.cumsum(arrays["word_keys"].astype(np.int64))
            lexicon = Lexicon.of_keys(keys, arrays["word_flags"].astype(np.uint8))
            kind = VisualFiasco if "visual" in families else Fiasco
            return kind(Machine.of(arrays, about["machine"]), lexicon, families, str(about["name"]), folder)

    def segment(self, page: Page) -> Blocks:
        """Cut where a target begins or ends, and at block-level elements."""
        return cut(page, find_targets(page))

    @property
    def advice(self) -> str:
        """What an extra would add to this method, and the command that installs it; "" if there is nothing to add."""
        if self.capabilities.renders or find_spec("cv2"):
            return ""
        return (
            f"fiasco does not see pages as rendered; fiasco-visual of dehusk[visual] does: {install_command('visual')}"
        )

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give every block the score of its target, NaN where there is none."""
        targets = find_targets(page)
        if not len(targets):
            return Scores(blocks, np.full(len(blocks), np.nan), self.name)
        judge, matrix = self.judge(page, targets)
        shares = share_of_page(page, targets)
        values = with_least(judge.machine.scores(matrix), shares)
        values[shares > NEARLY_ALL] = np.nan
        return Scores(blocks, np.append(values, np.nan)[targets.of_leaf[blocks.first_leaf]], self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the element of its target, and the features that moved the decision most."""
        targets = find_targets(page)
        judge, matrix = self.judge(page, targets)
        facts = reasons(page, targets, judge.machine, columns(judge.families), matrix)
        for target in np.flatnonzero(share_of_page(page, targets) > NEARLY_ALL).tolist():
            facts[target] = ("+ holds nearly all text of the page, so it is not judged",)
        outside = ("+ outside any target node, so it is not judged",)
        return [facts[target] if target >= 0 else outside for target in targets.of_leaf[blocks.first_leaf].tolist()]

    def picture(self, page: Page) -> Picture | None:
        """Return the page as Chromium lays it out, with the regions of the targets, what they measure and score."""
        from dehusk.methods.fiasco import visual  # noqa: PLC0415  (an extra)
        from dehusk.rendering.cache import Cache  # noqa: PLC0415

        layout = Cache.usual().load(page.html) if self.capabilities.renders and find_spec("cv2") else None
        if layout is None:
            return None
        targets = find_targets(page)
        judge, matrix = self.judge(page, targets)
        return visual.picture(page, targets, layout, judge.machine.scores(matrix))

    def judge(self, page: Page, targets: Targets) -> tuple["Fiasco", Doubles]:
        """Return who judges a page, and the features: the shipped machine if this one would have to see the page."""
        seen = visual_features(page, targets) if self.capabilities.renders else None
        if self.capabilities.renders and seen is None:
            return Fiasco.shipped().judge(page, targets)
        matrix, names = target_features(page, targets, self.lexicon), columns(WITHOUT_VISUAL)
        if seen is not None:
            matrix, names = np.concatenate([matrix, seen], axis=1), columns(FAMILIES)
        return self, matrix[:, [names.index(name) for name in columns(self.families)]]


class VisualFiasco(Fiasco):
    """A machine that also knows how targets look, where Chromium has laid out the page."""

    __slots__ = ()
    capabilities: ClassVar = Capabilities(renders=True)


def visual_features(page: Page, targets: Targets) -> Doubles | None:
    """Return the visual features of a page whose layout is in the cache; None if it is not, or is of no use."""
    from dehusk.methods.fiasco import visual  # noqa: PLC0415  (an extra)
    from dehusk.rendering.cache import Cache  # noqa: PLC0415

    layout = Cache.usual().load(page.html) if find_spec("cv2") else None
    matrix = visual.features(page, targets, layout) if layout is not None else None
    # All zeros if Chromium has read another page from the source than we have.
    return matrix if matrix is not None and matrix.any() else None


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


def with_least(scores: Doubles, shares: Doubles) -> Doubles:
    """Return scores, lowered on a page of which too little would be kept, so that the likeliest `LEAST_KEPT` is.

    >>> with_least(np.array([0.6, 0.9, 0.8]), np.array([0.3, 0.6, 0.1])).round(2)
    array([0.5 , 0.88, 0.75])
    >>> with_least(np.array([0.1, 0.9, 0.8]), np.array([0.3, 0.6, 0.1]))
    array([0.1, 0.9, 0.8])
    """
    order = np.argsort(scores, kind="stable")
    total = np.cumsum(shares[order])
    enough = min(int(np.searchsorted(total, LEAST_KEPT)), len(order) - 1)
    last = float(scores[order[enough]])
    if last < 0.5:
        return scores
    lowered: Doubles = np.interp(scores, (0, last, max(1.0, last + 1e-9)), (0, np.nextafter(0.5, 0), 1))
    return lowered

"""kernel: our own model and the default. Small networks that see each block among its neighbours, likes and page.

What they see is in `features`, how they compute in `network`, how they were trained in `dehusk.training.kernel`, and
how well they do in docs/kernel.md.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut
from dehusk.errors import ModelError
from dehusk.features.fast_tokens import any_bits
from dehusk.features.tokens import Vocabulary
from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.bins import unfit
from dehusk.methods.kernel.fast_decision import best_f1, moved
from dehusk.methods.kernel.features import NAMES, View, view
from dehusk.methods.kernel.network import Network, inputs, run_all, together
from dehusk.methods.kernel.reasons import reasons
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.scores import KINDS, Scores, Verdict
from dehusk.weights import read_about, read_arrays

FORMAT: Final = 3
FOLDER: Final = Path(__file__).parents[2] / "models" / "kernel"
# Between the page's own cut and 0.5, scores are squeezed into a strip this wide beside 0.5, so that all others stay
# the probabilities that they are.
STRIP: Final = 0.02
SURE_KIND: Final = 0.4  # below this no kind is likelier than all others by enough to be told
COMMENT_TOKENS: Final = ("comment", "comments", "commentlist", "disqus", "reply", "replies")
CONTROLS: Final = sum(1 << ABOVE.index(tag) for tag in ("form", "button", "label", "select", "option"))
NOSCRIPT: Final = 1 << ABOVE.index("noscript")
BARE_WORDS: Final = 60  # below which a page without links is taken whole
BARE: Final = 0.6
LINK_SHARE: Final = NAMES.index("link_share")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tuning:
    """A few numbers chosen after the training, on pages that the weights had not seen."""

    scale: float  # what a logit is multiplied with, to become that of a probability
    offset: float
    cut: tuple[float, float]  # blocks are kept from here on: a constant and a factor of the expected F1
    least: float  # a page with no block likelier than this has no main text
    confidence: tuple[float, float]  # a constant and a factor that make the expected F1 the measured one

    def likely(self, logits: NDArray[np.floating[Any]]) -> Floats:
        """Return how likely each block is main text: 0.8 means right in eight of ten."""
        exponent = np.minimum(-self.scale * logits.astype(np.float64) - self.offset, 30)
        likely: Floats = 1 / (1 + np.exp(exponent))
        return likely

    def decided(self, likely: Floats, expected: float) -> Floats:
        """Move what the page's own cut keeps above 0.5, and nothing else.

        The F1 of a choice is expected to be best when blocks are kept from half of that F1 on: where the model is
        unsure of a whole page, being unsure of a block is no reason to drop it. What blocks have in common moves
        that a little, and by how much was tried.
        """
        if likely.max() < self.least:
            return np.minimum(likely, 0.5)
        constant, factor = self.cut
        cut = min(constant + factor * expected, 0.5)
        if not 0 < cut < 0.5:
            return likely
        decided = np.empty_like(likely)
        moved(likely, cut, 0.5 + STRIP, decided)
        return decided

    def confident(self, expected: float) -> float:
        """Return the F1 that a page is likely to get, given the one that its scores promise."""
        constant, factor = self.confidence
        return min(max(constant + factor * expected, 0.0), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """The method; `Kernel.load(folder)` reads other weights than those shipped."""

    tells_comments: ClassVar[bool] = True
    networks: tuple[Network, ...] = field(repr=False)  # trained apart, asked together
    vocabulary: Vocabulary = field(repr=False)
    tuning: Tuning
    folder: Path
    comment_bits: NDArray[np.int64] = field(repr=False)
    name: str = "kernel"

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the weights and what is known of them."""
        with read_about(folder, FORMAT, "dehusk train kernel") as about:
            told: dict[str, Any] = about["tuning"]
            tuning = Tuning(**{**told, "cut": tuple(told["cut"]), "confidence": tuple(told["confidence"])})
        arrays = read_arrays(folder / "weights.npz")
        try:
            words = bytes(arrays["vocabulary"]).decode("utf-8").split("\n")
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; install dehusk again or train it anew") from error
        except UnicodeDecodeError as error:
            raise unfit() from error
        networks, vocabulary = together(map(Network.of, _apart(arrays))), Vocabulary.of(words)
        for network in networks:
            network.check(len(words))
        return cls(networks, vocabulary, tuning, folder, vocabulary.bits(COMMENT_TOKENS))

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes read the file themselves, once, in place of getting all weights through a pipe.
        return loaded, (self.folder,)

    def segment(self, page: Page) -> Blocks:
        """Cut at block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each block the probability that it is boilerplate, and the page its kind and confidence."""
        if not len(blocks):
            return Scores(blocks, np.zeros(0), self.name, Verdict("other", 0.0), np.zeros(0, np.bool_))
        seen = view(page, blocks, self.vocabulary)
        logits, kinds = run_all(self.networks, inputs(self.networks, seen, len(self.vocabulary)))
        likely = self.tuning.likely(logits)
        if _is_bare(blocks, seen):
            likely = np.maximum(likely, BARE)
        expected = expected_f1(likely, seen.words)
        kept = self.tuning.decided(likely, expected)
        kind = _kind(kinds)
        confidence = self.tuning.confident(expected) if kept.max() > 0.5 else 0.0
        comments = self._comments(seen, kept) if kind != "forum" else np.zeros(len(blocks), np.bool_)
        return Scores(blocks, 1.0 - kept, self.name, Verdict(kind, confidence), comments)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for every block the few facts that decided, the weightiest first."""
        if not len(blocks):
            return []
        seen = view(page, blocks, self.vocabulary)
        return reasons(self.networks, inputs(self.networks, seen, len(self.vocabulary)), seen, self.vocabulary)

    def _comments(self, seen: View, kept: Floats) -> BoolArray:
        """Tell readers' comments: text that is not kept, below something that calls itself comments."""
        below = np.empty(len(seen), np.bool_)
        if not any_bits(seen.tokens.both, len(self.comment_bits), self.comment_bits, below):
            return below
        # Of what stands there, links and forms are how comments are worked with, not what was said.
        said = (seen.matrix[LINK_SHARE] < 0.5) & ((seen.above & CONTROLS) == 0)
        comments: BoolArray = below & said & (kept <= 0.5)
        return comments


def _apart(arrays: dict[str, NDArray[np.generic]]) -> list[dict[str, NDArray[np.generic]]]:
    """Return the arrays of each network, which stand in the file behind the network's number.

    >>> _apart({"vocabulary": np.ones(1), "0/out": np.zeros(2), "1/out": np.ones(2)})
    [{'out': array([0., 0.])}, {'out': array([1., 1.])}]
    """
    found: dict[str, dict[str, NDArray[np.generic]]] = {"0": {}}  # without any, the first is said to lack something
    for name, array in arrays.items():
        number, slash, rest = name.partition("/")
        if slash:
            found.setdefault(number, {})[rest] = array
    return list(found.values())


def _is_bare(blocks: Blocks, seen: View) -> bool:
    """Tell a few words without a single link, such as an example or a mail: there is nothing to strip them of.

    The network has met such pages only as those that a script should have filled, and their words in `noscript`.
    """
    return not blocks.link_chars.any() and seen.words.sum() < BARE_WORDS and not (seen.above & NOSCRIPT).any()


def expected_f1(likely: Floats, words: NDArray[np.float32]) -> float:
    """Return the F1, counted in words, that the best choice of blocks is expected to reach.

    >>> round(expected_f1(np.array([1.0, 0.0]), np.array([10, 5], np.float32)), 3)
    1.0
    """
    return best_f1(likely, words)


def _kind(logits: NDArray[np.float32]) -> str:
    weights = np.exp(logits - logits.max())
    best = int(weights.argmax())
    return KINDS[best] if weights[best] >= SURE_KIND * weights.sum() else "other"


@cache
def loaded(folder: Path) -> Kernel:
    """Return the kernel of a folder, read once."""
    return Kernel.load(folder)


def shipped() -> Kernel:
    """Return the kernel with the weights that come with dehusk."""
    return loaded(FOLDER)

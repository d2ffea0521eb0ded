"""kernel: our own method and the default. Small networks that see each block with its neighbours and its page.

What they see is in `features`, how they compute in `network`, how their outputs become scores in `decision`, how they
were trained in `dehusk.training.kernel`, and how well they do in docs/methods/kernel.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp
from pathlib import Path
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks, cut
from dehusk.errors import ModelError
from dehusk.features.fast_tokens import any_bits
from dehusk.features.tokens import TokenVocabulary
from dehusk.features.tree import ABOVE
from dehusk.methods.base import Capabilities, TrainedMethod
from dehusk.methods.kernel.bins import inconsistent_weights
from dehusk.methods.kernel.decision import Tuning
from dehusk.methods.kernel.fast_scoring import Doubles, expected_f1
from dehusk.methods.kernel.features import ROWS, PageFeatures, page_features
from dehusk.methods.kernel.network import Ensemble, KernelNetwork, PlainEnsemble, inputs, share_bins
from dehusk.model_files import open_description, read_arrays
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.scores import KINDS, Scores, Verdict

make_ensemble: Callable[[Sequence[KernelNetwork], int, Tuning], Ensemble]
try:
    from dehusk.methods.kernel import ensemble
except ImportError:  # there was no compiler
    make_ensemble = PlainEnsemble
else:
    make_ensemble = ensemble.Ensemble

FORMAT: Final = 3
SURE_KIND: Final = 0.4  # the probability that a kind of page must have to be reported
COMMENT_TOKENS: Final = ("comment", "comments", "commentlist", "disqus", "reply", "replies")
CONTROLS: Final = sum(1 << ABOVE.index(tag) for tag in ("form", "button", "label", "select", "option"))
NOSCRIPT: Final = 1 << ABOVE.index("noscript")
BARE_WORDS: Final = 60  # a page without links and with fewer words is kept whole
BARE: Final = 0.6  # the probability that its blocks get at least


@dataclass(frozen=True, slots=True, eq=False)
class Kernel(TrainedMethod):
    """The method; `Kernel.load(folder)` reads weights other than the shipped ones."""

    capabilities: ClassVar = Capabilities(comments=True, refines=True)
    networks: tuple[KernelNetwork, ...] = field(repr=False)  # trained separately, averaged
    ensemble: Ensemble = field(repr=False)  # the networks, ready to run
    vocabulary: TokenVocabulary = field(repr=False)
    tuning: Tuning
    folder: Path
    comment_bits: NDArray[np.int64] = field(repr=False)
    name: str = "kernel"

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the weights and their description."""
        with open_description(folder, FORMAT, "dehusk train kernel") as description:
            tuning = Tuning.of(description["tuning"])
        arrays = read_arrays(folder / "weights.npz")
        try:
            words = bytes(arrays["vocabulary"]).decode("utf-8").split("\n")
        except KeyError as error:
            raise ModelError(f"the kernel's weights lack {error}; reinstall dehusk or retrain it") from error
        except UnicodeDecodeError as error:
            raise inconsistent_weights() from error
        networks, vocabulary = share_bins(map(KernelNetwork.of, _by_network(arrays))), TokenVocabulary.of(words)
        for network in networks:
            network.check(len(words))
        ready = make_ensemble(networks, len(words), tuning)
        return cls(networks, ready, vocabulary, tuning, folder, vocabulary.bits(COMMENT_TOKENS))

    def segment(self, page: Page) -> Blocks:
        """Cut at block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each block the probability that it is boilerplate, and the page its kind and confidence."""
        if not len(blocks):
            return Scores(blocks, np.zeros(0), self.name, Verdict("other", 0.0), np.zeros(0, np.bool_))
        features = page_features(page, blocks, self.vocabulary)
        likely, kinds = self.ensemble.run(features)
        if _is_bare(blocks, features):
            likely = np.maximum(likely, BARE)
        expected = expected_f1(likely, features.words)
        kept = self.tuning.decide(likely, expected)
        kind = _kind(kinds)
        confidence = self.tuning.confident(expected) if kept.max() > 0.5 else 0.0
        comments = self._comments(features, kept) if kind != "forum" else np.zeros(len(blocks), np.bool_)
        return Scores(blocks, 1.0 - kept, self.name, Verdict(kind, confidence), comments)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for every block the few facts that decided, the most important first."""
        if not len(blocks):
            return []
        from dehusk.methods.kernel.reasons import reasons  # noqa: PLC0415  (rarely needed, and every start waits)

        features = page_features(page, blocks, self.vocabulary)
        given = inputs(self.networks, features, len(self.vocabulary))
        return reasons(self.networks, given, features, self.vocabulary)

    def _comments(self, features: PageFeatures, kept: Doubles) -> BoolArray:
        """Return which blocks are readers' comments: not kept, and inside of an element named like comments."""
        below = np.empty(len(features), np.bool_)
        if not any_bits(features.tokens.both, len(self.comment_bits), self.comment_bits, below):
            return below
        # Links and forms there are for handling comments; they are none.
        prose = (features.matrix[ROWS["link_density"]] < 0.5) & ((features.above & CONTROLS) == 0)
        comments: BoolArray = below & prose & (kept <= 0.5)
        return comments


def _by_network(arrays: dict[str, NDArray[np.generic]]) -> list[dict[str, NDArray[np.generic]]]:
    """Return the arrays of each network: their names in the file begin with the network's number.

    >>> _by_network({"vocabulary": np.ones(1), "0/out": np.zeros(2), "1/out": np.ones(2)})
    [{'out': array([0., 0.])}, {'out': array([1., 1.])}]
    """
    networks: dict[str, dict[str, NDArray[np.generic]]] = {"0": {}}  # in a file without any, the first lacks something
    for name, array in arrays.items():
        index, slash, rest = name.partition("/")
        if slash:
            networks.setdefault(index, {})[rest] = array
    return list(networks.values())


def _is_bare(blocks: Blocks, features: PageFeatures) -> bool:
    """Return whether a page is a few words without a single link, such as an example or a mail: all of it is main text.

    The training pages of this kind were to be filled by a script, and had their words in `noscript`.
    """
    few = features.words.sum() < BARE_WORDS
    return bool(few and not blocks.link_chars.any() and not (features.above & NOSCRIPT).any())


def _kind(logits: NDArray[np.float32]) -> str:
    values = logits.tolist()  # so few that arrays would take longer
    largest = max(values)
    total = sum(exp(value - largest) for value in values)
    return KINDS[values.index(largest)] if total * SURE_KIND <= 1 else "other"

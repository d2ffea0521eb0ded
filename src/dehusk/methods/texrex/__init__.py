"""texrex: one perceptron per language over 37 features per block; nothing is deleted, every block gets a score.

Schäfer: Accurate and efficient general-purpose boilerplate detection for crawled web corpora. Language Resources and
Evaluation 51, 2017. Table 1 of the paper is in `features`, the nets are in `fann`, their training is in
`dehusk.training.texrex` and their results are in docs/methods/texrex.md.

`quirks` in the model.json of a folder tells whether its nets were trained on the original program's numbers or on the
paper's definitions, and so which of them are computed. The author's own nets run unchanged: `Texrex.of_fann`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import Blocks
from dehusk.errors import ModelError
from dehusk.methods.base import TrainedMethod
from dehusk.methods.languages import language_by_words
from dehusk.methods.texrex.fann import Perceptron, read_net
from dehusk.methods.texrex.features import NAMES, cut, texrex_features
from dehusk.methods.texrex.reasons import reasons
from dehusk.model_files import open_description, read_arrays
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.reasons import Code, Reason
from dehusk.scores import Scores

FORMAT: Final = 1
OTHERWISE: Final = "all"  # the net for languages without one of their own
# Languages that may share a net.
GERMANIC: Final = ("en", "de", "sv", "nl", "da", "no", "nb", "nn", "is", "af", "fo", "lb", "fy")
# From the author's job files: blocks above the threshold are boilerplate, and pages below the minimums are discarded.
# Here they are kept, and the document gives the reason.
FANN_THRESHOLD: Final = 0.55
MIN_CHARACTERS: Final = 500
MIN_CHARACTER_SHARE: Final = 0.25
MIN_BLOCK_SHARE: Final = 0.1

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LanguageNet:
    """A perceptron, and the output above which a block is boilerplate."""

    perceptron: Perceptron
    threshold: float

    def __post_init__(self) -> None:
        if self.perceptron.inputs != len(NAMES):
            raise ModelError(f"a net has {self.perceptron.inputs} inputs, texrex computes {len(NAMES)}; retrain it")
        if not 0 < self.threshold < 1:
            raise ModelError(f"a net's threshold must lie between 0 and 1, got {self.threshold}; retrain it")

    def scores(self, matrix: NDArray[np.float32]) -> Floats:
        """Return outputs as scores from 0 to 1, with the threshold at 0.5."""
        output = self.perceptron.run(matrix).astype(np.float64)
        scores: Floats = np.interp(output, (0, self.threshold, 1), (0, 0.5, 1))
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class Texrex(TrainedMethod):
    """The method; `Texrex.load(folder)` reads nets other than the shipped ones.

    `languages` maps languages to nets; all others use the net "all".
    """

    nets: Mapping[str, LanguageNet] = field(repr=False)
    languages: Mapping[str, str]
    quirks: bool
    name: str = "texrex"
    folder: Path | None = None

    def __post_init__(self) -> None:
        missing = {OTHERWISE, *self.languages.values()} - set(self.nets)
        if missing:
            raise ModelError(f"{self.name} lacks the nets {', '.join(sorted(missing))}; retrain it")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the nets of a folder and their model.json."""
        arrays = read_arrays(folder / "weights.npz")
        with open_description(folder, FORMAT, "dehusk train texrex") as about:
            weights = {name: each.astype(np.float32) for name, each in arrays.items()}
            nets = {
                name: LanguageNet(
                    Perceptron(weights[f"{name}.hidden"], weights[f"{name}.output"], about["hidden"], about["output"]),
                    float(threshold),
                )
                for name, threshold in about["thresholds"].items()
            }
            return cls(nets, dict(about["languages"]), bool(about["quirks"]), str(about["name"]), folder)

    @classmethod
    def of_fann(cls, folder: Path) -> Self:
        """Read the nets of FANN that texrex's author shipped, or others: NAME.LANGUAGE.net, plain or as .net.xz.

        "iso" is for all languages, and so is a net that is alone. They were trained on the original program's numbers,
        so those are computed.
        """
        paths = [path for path in sorted(folder.iterdir()) if path.name.endswith((".net", ".net.xz"))]
        nets = {language_of_net(path): LanguageNet(read_net(path), FANN_THRESHOLD) for path in paths}
        if len(nets) == 1:
            nets = dict.fromkeys((OTHERWISE, *nets), *nets.values())
        if OTHERWISE not in nets:
            raise ModelError(f"{folder} has no net for all languages, such as boilerplate.iso.net; add it")
        return cls(nets, language_nets(nets), quirks=True, name="texrex-fann")

    def segment(self, page: Page) -> Blocks:
        """Cut where one of texrex's containers begins or ends."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score each block with the net of the page's language; the reason is that of the document rules."""
        if not len(blocks):
            return Scores(blocks, np.zeros(0), self.name)
        values = self.net_for(page).scores(texrex_features(page, blocks, quirks=self.quirks))
        return Scores(blocks, values, self.name, reason=discard_reason(blocks, values < 0.5))

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return for each block the output of the net as it is, and the features that moved it most."""
        if not len(blocks):
            return []
        name = self.net_name(page)
        matrix = texrex_features(page, blocks, quirks=self.quirks)
        return reasons(self.nets[name].perceptron, self.nets[name].threshold, name, matrix)

    def net_for(self, page: Page) -> LanguageNet:
        """Return the net for a page's language."""
        return self.nets[self.net_name(page)]

    def net_name(self, page: Page) -> str:
        """Return which net is for a page's language."""
        return self.languages.get(language_by_words(page) or "", OTHERWISE)


def discard_reason(blocks: Blocks, clean: BoolArray) -> Reason | None:
    """Return why texrex would discard a page: too few clean characters or too small a share; None if it would not.

    >>> blocks = Blocks.of(("Home", 4), ("A plain sentence.", 0))
    >>> str(discard_reason(blocks, np.array([False, True])))
    'little main text: 17 of 21 characters, 1 of 2 blocks'
    """
    if not clean.any():
        return None  # such a page has a reason of its own
    length = blocks.end - blocks.start
    kept, total, count = int(length[clean].sum()), int(length.sum()), int(np.count_nonzero(clean))
    enough = kept >= max(MIN_CHARACTERS, MIN_CHARACTER_SHARE * total) and count >= MIN_BLOCK_SHARE * len(blocks)
    if enough:
        return None
    shares = f"{kept:,} of {total:,} characters, {count:,} of {len(blocks):,} blocks"
    return Reason(Code.LITTLE_MAIN_TEXT, shares, limit=total, seen=kept)


def language_of_net(path: Path) -> str:
    """Return the language in the name of a FANN file, "all" if it is for all.

    >>> language_of_net(Path("boilerplate.en.net.xz")), language_of_net(Path("boilerplate.iso.net"))
    ('en', 'all')
    """
    name = path.name.removesuffix(".xz").removesuffix(".net").rpartition(".")[2]
    return OTHERWISE if name == "iso" else name.lower()


def language_nets(nets: Mapping[str, object]) -> dict[str, str]:
    """Return the net of each language: its own, or that of the Germanic languages.

    >>> language_nets({"all": 0, "de": 0, "fr": 0})
    {'de': 'de', 'fr': 'fr'}
    """
    own = {name: name for name in sorted(nets) if name not in (OTHERWISE, "germanic")}
    return (dict.fromkeys(GERMANIC, "germanic") if "germanic" in nets else {}) | own

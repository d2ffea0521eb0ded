"""pyplexity: sentences that a language model finds unlikely are boilerplate; no labels are needed to learn that.

Fernández-Pichel, Prada-Corral, Losada, Pichel and Gamallo: An unsupervised perplexity-based method for boilerplate
removal. Natural Language Engineering, 2023. How likely a sentence is says `dehusk.lm.model`; how well that does, and
where it differs from the paper's program, docs/pyplexity.md.

A page is judged by the model of its language. A page in a language that has none is not judged: its scores are NaN and
its document says why.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np

from dehusk.blocks import Blocks
from dehusk.errors import ModelError
from dehusk.lm import shipped as models
from dehusk.lm.model import LanguageModel, loaded
from dehusk.metadata.language import language_of
from dehusk.methods.languages import COMMON, declared, language_by_words, sampled
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.page import Page
from dehusk.scores import Scores

OTHERWISE: Final = "en"  # where nobody can tell the language: most pages of which that is true hold next to no text
# Languages whose commonest words are no other's that has a model, and how many of a page's words must be of them: what
# menus and notices in English bring to a page in Polish is less, running text on a page full of menus is more.
TOLD_BY_WORDS: Final = frozenset({"en", "de", "sv"})
SHARE: Final = 0.12
LEAST: Final = 200  # characters from which on a language that has no model is believed to be one
SURE: Final = 0.5
PARTS: Final = 5  # of a page that the detector is shown, so that a menu does not decide


@dataclass(frozen=True, slots=True)
class Pyplexity:
    """The method; `Pyplexity.load(folder)` judges every page by a model of your own."""

    own: LanguageModel | None = None
    name: str = "pyplexity"

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Take the model of a folder, whatever language a page is in."""
        return cls(loaded(folder))

    def segment(self, page: Page) -> Blocks:
        """Cut the page into sentences."""
        return cut_sentences(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Give each sentence what the model of the page's language thinks of it."""
        if not len(blocks):
            return Scores(blocks, np.zeros(0), self.name)
        try:
            model = self.own or models.model(language(page))
        except ModelError as error:
            return Scores(blocks, np.full(len(blocks), np.nan), self.name, reason=str(error))
        return Scores(blocks, model.measured(blocks.strings())[1], self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Say the perplexity of each sentence, and by which model; nothing where there is none."""
        try:
            model = self.own or models.model(language(page))
        except ModelError:
            return [()] * len(blocks)
        perplexities, scores = model.measured(blocks.strings())
        return [
            (f"{'-' if score >= 0.5 else '+'} perplexity {found:,.0f} by the model {model.name}",)
            for found, score in zip(perplexities.tolist(), scores.tolist(), strict=True)
        ]


def language(page: Page) -> str:
    """Return the language that a page is judged in.

    >>> language(Page.from_text("Es ist nicht das Wetter, und der Wind ist es auch nicht."))
    'de'
    """
    said = language_by_words(page)
    if said in TOLD_BY_WORDS and _share(page, said) >= SHARE:
        return said
    # py3langid takes half a second to load, so it is asked only where a few words do not tell.
    text = page.text
    step = max(1, len(text) // PARTS)
    sample = " ".join(text[place : place + 300] for place in range(step // 2, len(text), step))
    claim = declared(page)
    found = language_of(sample, [(claim, "html lang")] if claim else ())
    known = found.code in models.names()
    return found.code if known or (found.confidence >= SURE and len(text) >= LEAST) else OTHERWISE


def _share(page: Page, code: str) -> float:
    """Return how many of a page's words are among the commonest of a language."""
    words, common = sampled(page.text).lower().split(), COMMON[code].split()
    return sum(word in common for word in words) / max(1, len(words))


def shipped() -> Pyplexity:
    """Return the method with the models that are shipped."""
    return Pyplexity()

"""pyplexity: sentences that a language model finds unlikely are boilerplate; it is trained without labels.

Fernández-Pichel, Prada-Corral, Losada, Pichel and Gamallo: An unsupervised perplexity-based method for boilerplate
removal. Natural Language Engineering, 2023. `dehusk.lm.model` computes perplexities; research/pyplexity/README.md has
the results and the differences from the paper's program.

A page is scored by the model of its language. Without a model for that language its scores are NaN, and the document
gives the reason.

`pyplexity-plain` is the paper's method: a sentence is boilerplate from a perplexity of 8,000 on, whatever its length
and its language. `pyplexity` has what was tuned: a cut-off of its own for each model, and doubt about short sentences.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final, Self

import numpy as np

from dehusk.blocks import Blocks
from dehusk.errors import ModelError
from dehusk.lm import shipped as models
from dehusk.lm.model import FLOOR, LanguageModel
from dehusk.metadata.language import language_of
from dehusk.methods.languages import COMMON_WORDS, declared_language, language_by_words, sample
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.methods.settings import Setting
from dehusk.page import Page
from dehusk.reasons import Code, Reason
from dehusk.scores import Scores

OTHERWISE: Final = "en"  # for pages whose language cannot be detected: most of them have next to no text
# Languages that share no common words with others that have a model, and the minimum share of these words on a page:
# English menus and notices on a Polish page stay below it, running text on a page full of menus lies above.
DISTINCT_BY_WORDS: Final = frozenset({"en", "de", "sv"})
MIN_SHARE: Final = 0.12
# A language without a model is only accepted with this many characters and this confidence.
MIN_CHARACTERS: Final = 200
MIN_CONFIDENCE: Final = 0.5
# The paper's choice for general bigrams, and the default of its program.
PAPERS_LIMIT: Final = 8000.0
PARTS: Final = 5  # slices of a page that the detector gets, so that a menu does not decide


@dataclass(frozen=True, slots=True)
class Pyplexity:
    """The method; `Pyplexity.load(folder)` scores every page with a model of your own."""

    own: LanguageModel | None = None
    name: str = "pyplexity"
    limit: float | None = None  # the perplexity of boilerplate; None: the model's own cut-off, with doubt

    @classmethod
    def shipped(cls, name: str = "pyplexity") -> Self:
        """Return the method with the shipped models, or pyplexity-plain, which has the paper's limit on perplexity."""
        models.folder()  # without them it is an error here, not a reason on every page
        return cls(name=name, limit=PAPERS_LIMIT if name == "pyplexity-plain" else None)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Use the model of a folder, whatever language a page is in."""
        return cls(LanguageModel.loaded(folder))

    def segment(self, page: Page) -> Blocks:
        """Cut the page into sentences."""
        return cut_sentences(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Score each sentence with the model of the page's language."""
        if not len(blocks):
            return Scores(blocks, np.zeros(0), self.name)
        try:
            model = self.model_for(page)
        except ModelError as error:
            return Scores(blocks, np.full(len(blocks), np.nan), self.name, reason=Reason(Code.NO_MODEL, str(error)))
        return Scores(blocks, model.measured(blocks.strings())[1], self.name)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        """Return the perplexity of each sentence and the model that it is from; nothing without a model."""
        try:
            model = self.model_for(page)
        except ModelError:
            return [()] * len(blocks)
        perplexities, scores = model.measured(blocks.strings())
        return [
            (f"{'-' if score >= 0.5 else '+'} perplexity {perplexity:,.0f} by the model {model.name}",)
            for perplexity, score in zip(perplexities.tolist(), scores.tolist(), strict=True)
        ]

    def model_for(self, page: Page) -> LanguageModel:
        """Return the model that scores a page, with the limit if there is one."""
        model = self.own or models.model(language(page))
        return model if self.limit is None else replace(model, cutoff=self.limit, doubt=0.0)

    settings: ClassVar = (
        Setting(
            "model",
            "the language model for every page",
            "the name of a language model, or the folder of one",
            "that of the page's language",
            str,
            lambda method, model: replace(method, own=models.find(model)),
        ),
        Setting(
            "limit",
            "the perplexity from which a sentence is dropped, whatever its length",
            f"a number above 1 and below {1 / FLOOR:,.0f}",
            f"the model's own, with doubt about short sentences; {PAPERS_LIMIT:,.0f} for pyplexity-plain",
            float,
            lambda method, limit: replace(method, limit=limit),
            lambda limit: 1 < limit < 1 / FLOOR,
        ),
    )


def language(page: Page) -> str:
    """Return the language whose model scores a page.

    >>> language(Page.from_text("Es ist nicht das Wetter, und der Wind ist es auch nicht."))
    'de'
    """
    by_words = language_by_words(page)
    if by_words in DISTINCT_BY_WORDS:
        words, common = sample(page.text).lower().split(), COMMON_WORDS[by_words].split()
        if sum(word in common for word in words) / max(1, len(words)) >= MIN_SHARE:
            return by_words
    # py3langid takes half a second to load, so it is used only if common words do not decide.
    text = page.text
    step = max(1, len(text) // PARTS)
    slices = " ".join(text[start : start + 300] for start in range(step // 2, len(text), step))
    declared = declared_language(page)
    detected = language_of(slices, [(declared, "html lang")] if declared else ())
    known = detected.code in models.names()
    confident = detected.confidence >= MIN_CONFIDENCE and len(text) >= MIN_CHARACTERS
    return detected.code if known or confident else OTHERWISE

"""Perplexity: how unlikely sentences are under a language model: one, those of a text, or of a stream of texts."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np

from dehusk.blocks import Blocks
from dehusk.config import Limits
from dehusk.errors import ModelError
from dehusk.lm import shipped
from dehusk.lm.model import LanguageModel
from dehusk.lm.sentences import spans
from dehusk.methods.pyplexity import Pyplexity, language
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.models.registry import adjusted
from dehusk.page import Page, Source, as_page
from dehusk.reasons import Code, Reason, cut_off

BATCH: Final = 100_000  # characters of texts that are scored together
# Terminal colours from green over yellow to red, for the likeliest to the unlikeliest sentences.
COLOURS: Final = (34, 70, 106, 142, 178, 214, 208, 202, 196, 160)


class Sentence(NamedTuple):
    """A sentence, its position in the text, and what the model makes of it."""

    text: str
    start: int
    end: int
    perplexity: float
    score: float  # from 0 to 1; from 0.5 on it is too unlikely for running text

    @property
    def kept(self) -> bool:
        """Whether the method would keep it."""
        return self.score < 0.5


@dataclass(frozen=True, slots=True)
class Perplexity:
    """One language model, given by its name (`en`, `en-science`, `de`…) or by its folder.

    >>> english = Perplexity("en")
    >>> english.of("This is a normal sentence.") < 1000 < english.of("h1dfuia HTML BODY LINK URL COUISUDOANL")
    True
    """

    model: LanguageModel

    def __init__(self, model: str | Path | LanguageModel = "en") -> None:
        object.__setattr__(self, "model", model if isinstance(model, LanguageModel) else shipped.find(model))

    @classmethod
    def for_text(cls, text: str) -> Self:
        """Use the model for the language of a text."""
        return cls(language(Page.from_text(text)))

    def of(self, sentence: str) -> float:
        """Return the perplexity of one sentence, from 1 to 1,000,000."""
        return float(self.model.measured([sentence])[0][0])

    def sentences(self, text: str) -> list[Sentence]:
        """Return the sentences of a text.

        >>> text = "It rained all day and nobody went out. Login FAQ §4"
        >>> [sentence.kept for sentence in Perplexity("en").sentences(text)]
        [True, False]
        """
        return next(self._score([text]))

    def stream(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text; a few texts are read ahead, so that short ones are scored together.

        >>> [len(sentences) for sentences in Perplexity("en").stream(["One. Two.", "", "Three."])]
        [2, 0, 1]
        """
        batch: list[str] = []
        length = 0
        for text in texts:
            batch.append(text)
            length += len(text)
            if length > BATCH:
                yield from self._score(batch)
                batch, length = [], 0
        yield from self._score(batch)

    def _score(self, texts: list[str]) -> Iterator[list[Sentence]]:
        cuts = [list(spans(text)) for text in texts]
        sentences = [text[start:end] for text, cut in zip(texts, cuts, strict=True) for start, end in cut]
        rows = zip(sentences, *(column.tolist() for column in self.model.measured(sentences)), strict=True)
        for cut in cuts:
            yield [
                Sentence(sentence, start, end, perplexity, score)
                for (start, end), (sentence, perplexity, score) in zip(cut, rows, strict=False)
            ]


class OutputOptions(NamedTuple):
    """How to score texts and write the result."""

    model: str | None = None  # None: that of each text's language
    limit: float | None = None  # in perplexity; None: the model's own cut-off
    format: str = "text"
    colour: bool = False


def scorer(model: str | None, limit: float | None) -> Pyplexity:
    """Return the method with a language model, by default that of each text's language, and a limit."""
    settings = {"model": model, "limit": limit}
    return adjusted(Pyplexity(), {name: value for name, value in settings.items() if value is not None})


def score_source(options: OutputOptions, source: Source) -> tuple[str, Reason | None, bool]:
    """Run in a worker: return the scored sentences of a text or page, what was wrong with it, and whether it failed."""
    page = as_page(source, limits=Limits())
    if page.refused:
        return "", page.reason, True
    blocks = cut_sentences(page)
    sentences = blocks.strings()
    try:
        model = scorer(options.model, options.limit).model_for(page)
    except ModelError as error:
        return "", Reason(Code.NO_MODEL, str(error)), True
    costs, words = model.sums(sentences)
    columns = np.exp2(costs / words).tolist(), model.scores(costs, words).tolist()
    rows = list(zip(sentences, *columns, strict=True))
    reason = page.reason or _shortcoming(blocks)
    if options.format == "json":
        whole = float(np.exp2(costs.sum() / words.sum())) if rows else None
        return json.dumps(_record(model, whole, rows), ensure_ascii=False), reason, False
    return "\n".join(_line(*row, colour=options.colour) for row in rows), reason, False


def _shortcoming(sentences: Blocks) -> Reason | None:
    """Return what is wrong with the sentences of a text: there are none, or more than the limit."""
    if not len(sentences):
        return Reason(Code.NO_TEXT)
    return None if sentences.complete else cut_off(len(sentences), "sentences")


def _record(model: LanguageModel, whole: float | None, rows: list[tuple[str, float, float]]) -> dict[str, Any]:
    return {
        "model": model.name,
        "perplexity": None if whole is None else round(whole, 1),
        "sentences": [
            {"text": text, "perplexity": round(perplexity, 1), "score": round(score, 4), "kept": score < 0.5}
            for text, perplexity, score in rows
        ],
    }


def _line(text: str, perplexity: float, score: float, *, colour: bool) -> str:
    line = f"{perplexity:>9,.0f} {'+' if score < 0.5 else '-'} {' '.join(text.split())}"
    return f"\x1b[38;5;{COLOURS[min(9, int(score * 10))]}m{line}\x1b[0m" if colour else line

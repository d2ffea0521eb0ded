"""Perplexity: how unlikely sentences are under a language model; of one, of a text, or of a stream of texts."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np

from dehusk.blocks import Blocks
from dehusk.config import Limits
from dehusk.errors import ModelError
from dehusk.extractor import Source
from dehusk.lm import shipped
from dehusk.lm.model import LanguageModel, loaded
from dehusk.lm.sentences import spans
from dehusk.methods.pyplexity import language
from dehusk.methods.pyplexity.sentences import cut_sentences
from dehusk.page import Page, as_page

AHEAD: Final = 100_000  # characters that are read before the model is asked
# From the likeliest sentences to the unlikeliest, as terminals number their colours: green, yellow, red.
COLOURS: Final = (34, 70, 106, 142, 178, 214, 208, 202, 196, 160)


class Sentence(NamedTuple):
    """A sentence, where it stands in its text, and what the model thinks of it."""

    text: str
    start: int
    end: int
    perplexity: float
    score: float  # from 0 to 1, 0.5 where it is too unlikely to be running text

    @property
    def kept(self) -> bool:
        """Whether the method would keep it."""
        return self.score < 0.5


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Asks one language model, by its name (`en`, `en-science`, `de`…) or by the folder that it lies in.

    >>> english = Perplexity("en")
    >>> english.of("This is a normal sentence.") < 1000 < english.of("h1dfuia HTML BODY LINK URL COUISUDOANL")
    True
    """

    model: LanguageModel

    def __init__(self, model: str | Path | LanguageModel = "en") -> None:
        object.__setattr__(self, "model", model if isinstance(model, LanguageModel) else find(model))

    @classmethod
    def for_text(cls, text: str) -> Self:
        """Take the model of a text's language."""
        return cls(language(Page.from_text(text)))

    def of(self, sentence: str) -> float:
        """Return the perplexity of one sentence, from 1 to 1,000,000."""
        return float(self.model.measured([sentence])[0][0])

    def sentences(self, text: str) -> list[Sentence]:
        """Return the sentences of a text.

        >>> [found.kept for found in Perplexity("en").sentences("It rained all day and nobody went out. Login FAQ §4")]
        [True, False]
        """
        return next(self._together([text]))

    def stream(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, a few texts read ahead, so that short ones are asked about together.

        >>> [len(found) for found in Perplexity("en").stream(["One. Two.", "", "Three."])]
        [2, 0, 1]
        """
        ahead: list[str] = []
        length = 0
        for text in texts:
            ahead.append(text)
            length += len(text)
            if length > AHEAD:
                yield from self._together(ahead)
                ahead, length = [], 0
        yield from self._together(ahead)

    def _together(self, texts: list[str]) -> Iterator[list[Sentence]]:
        places = [list(spans(text)) for text in texts]
        found = [text[start:end] for text, own in zip(texts, places, strict=True) for start, end in own]
        rows = zip(found, *(column.tolist() for column in self.model.measured(found)), strict=True)
        for own in places:
            yield [
                Sentence(sentence, start, end, perplexity, score)
                for (start, end), (sentence, perplexity, score) in zip(own, rows, strict=False)
            ]


def find(model: str | Path) -> LanguageModel:
    """Return a model that is shipped, or one of your own."""
    if isinstance(model, str) and (model in shipped.names() or not _there(model)):
        return shipped.model(model)
    return loaded(Path(model))


def _there(place: str) -> bool:
    """Tell whether a name is that of a folder; one that is empty or too long is not."""
    try:
        return bool(place) and Path(place).exists()
    except OSError:
        return False


class Wanted(NamedTuple):
    """How texts are to be scored and written."""

    model: str | None = None  # None: that of each text's language
    format: str = "text"
    colour: bool = False


def scored(wanted: Wanted, source: Source) -> tuple[str, str, bool]:
    """Run in a worker: return the sentences of a text or page with what they cost, why not, and whether it failed."""
    page = as_page(source.data, url=source.url, charset=source.charset, limits=Limits(), plain=source.plain)
    if page.refused:
        return "", page.reason, True
    blocks = cut_sentences(page)
    sentences = blocks.strings()
    try:
        model = shipped.model(language(page)) if wanted.model is None else find(wanted.model)
    except ModelError as error:
        return "", str(error), True
    costs, words = model.sums(sentences)
    columns = np.exp2(costs / words).tolist(), model.scores(costs, words).tolist()
    rows = list(zip(sentences, *columns, strict=True))
    reason = page.reason or _shortcoming(blocks)
    if wanted.format == "json":
        whole = float(np.exp2(costs.sum() / words.sum())) if rows else None
        return json.dumps(_record(model, whole, rows), ensure_ascii=False), reason, False
    return "\n".join(_line(*row, colour=wanted.colour) for row in rows), reason, False


def _shortcoming(sentences: Blocks) -> str:
    """Return what is amiss with the sentences of a text: there are none, or more than its limit."""
    if not len(sentences):
        return "no text"
    return "" if sentences.complete else f"cut off after {len(sentences):,} sentences"


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

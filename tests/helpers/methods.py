"""Methods for tests; a module of its own, since a worker has to import it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dehusk import Blocks, Page, Scores
from dehusk.methods.alltext import AllText
from dehusk.methods.base import Capabilities
from dehusk.scores import Verdict
from tests.helpers.trouble import answer


@dataclass(frozen=True)
class Obedient:
    """A method that does what the text of the page says, then keeps all of it."""

    name: str = "obedient"

    def segment(self, page: Page) -> Blocks:
        answer(None, page.text)
        return AllText().segment(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        return AllText().score(page, blocks)


@dataclass(frozen=True)
class Talkative:
    """A method that gives all a method can, by how blocks begin: "Menu" and "Reader" are boilerplate."""

    name: str = "talkative"
    capabilities: ClassVar = Capabilities(comments=True)

    def segment(self, page: Page) -> Blocks:
        return AllText().segment(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        readers = _begin(blocks, "Reader")
        values = np.where(_begin(blocks, "Menu"), 0.97, np.where(readers, 0.8, 0.03))
        return Scores(blocks, values, self.name, Verdict("article", 0.875), readers)

    def explain(self, page: Page, blocks: Blocks) -> list[tuple[str, ...]]:
        length = [f"{len(text.split())} words" for text in blocks.strings()]
        return [
            (f"- {words}", "- it is a menu") if menu else (f"+ {words}",)
            for words, menu in zip(length, _begin(blocks, "Menu"), strict=True)
        ]


def _begin(blocks: Blocks, word: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([text.startswith(word) for text in blocks.strings()], np.bool_)

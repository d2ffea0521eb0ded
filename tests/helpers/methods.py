"""Methods for tests; a module of its own, since a worker has to import it."""

from dataclasses import dataclass

from dehusk import Blocks, Page, Scores
from dehusk.methods.alltext import AllText
from tests.helpers.trouble import answer


@dataclass(frozen=True)
class Obedient:
    """A method that does what the page says before it keeps all of it."""

    name: str = "obedient"

    def segment(self, page: Page) -> Blocks:
        answer(None, page.text)
        return AllText().segment(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        return AllText().score(page, blocks)

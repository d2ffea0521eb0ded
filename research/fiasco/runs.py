"""Runs: the pages of the experiment and what was found on them, kept in files of the work folder."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk.gold.corpora import open_corpus
from dehusk.methods.fiasco.features import WITHOUT_VISUAL
from dehusk.training.columns import Bools, Floats
from dehusk.training.examples import parse
from dehusk.training.fiasco import grid
from dehusk.training.fiasco.examples import FiascoPacked, VisualPacked, pack
from dehusk.training.fiasco.keywords import General, choose
from dehusk.training.fiasco.pipeline import find_general, find_lexicon
from dehusk.training.fiasco.svm import SvmRecipe, matrix_with
from research import Progress
from research.cache import write_atomically
from research.fiasco import alignments, nodes, paper, words
from research.fiasco.dice import SIMILAR
from research.fiasco.nodes import Judged

SET: Final = "canola"  # instead of FIASCO's gold standard, which is lost
PAPERS: Final = SvmRecipe(paper.COST, paper.GAMMA)
GRID_DRAWN: Final = 1500


@dataclass(frozen=True)
class Runs:
    """The targets of canola's training pages, and what machines say about them."""

    work: Path
    progress: Progress

    @cached_property
    def packed(self) -> FiascoPacked:
        """The targets with all four families; pages are rendered first if `dehusk train fiasco --visual` has not."""
        path = self.work / f"{SET}.npz"
        if not path.exists():
            self.progress(f"features of {SET}")
            pages = open_corpus(SET).pages("train")
            pack(pages, {SET: open_corpus(SET).licence}, find_lexicon(), 1, layouts=True).save(path)
        return VisualPacked.load(path)

    @cached_property
    def general(self) -> General:
        """Word frequencies of general English."""
        return find_general()

    def rates(self) -> list[float]:
        """Return how well each page can be aligned by Dice: the share of gold paragraphs that resemble a subtree."""

        def measured() -> list[float]:
            self.progress("alignment by Dice")
            gold = {page.id: page for page in open_corpus(SET).pages("train")}
            pages = [gold[info.id] for info in self.packed.info]
            return [alignments.alignment_rate(parse(page.html), page.gold or "", SIMILAR) for page in pages]

        return list(self.cached("rates", measured))

    def chosen_pages(self, *, well_aligned: bool) -> Bools:
        """Return all pages, or as large a share of the best aligned ones as in the paper's table 3."""
        if not well_aligned:
            return np.ones(len(self.packed.info), np.bool_)
        rates = np.array(self.rates())
        order = np.argsort(-rates, kind="stable")[: round(paper.WELL_ALIGNED * len(rates))]
        chosen = np.zeros(len(rates), np.bool_)
        chosen[order] = True
        return chosen

    def judged(
        self, row: str, recipe: SvmRecipe, *, by_site: bool, well_aligned: bool = False, count: int = nodes.DRAWN
    ) -> Judged:
        """Return what ten folds say about the targets of one row of tables 2 and 3."""
        rows = nodes.drawn(self.packed, self.chosen_pages(well_aligned=well_aligned), count)
        folds = nodes.folds_of(self.packed, rows, by_site=by_site)
        name = f"{row}-{'site' if by_site else 'node'}-{'aligned' if well_aligned else 'all'}"
        name += f"-{count}-{recipe.cost:g}-{recipe.gamma:g}"

        def measured() -> list[bool]:
            self.progress(name)
            judged = nodes.judged(self.packed, rows, folds, paper.ROWS[row], self.general, recipe)
            return [bool(each) for each in judged.dirty]

        dirty = np.array(self.cached(name, measured), np.bool_)
        return Judged(dirty, self.packed.shares[rows] < 0.5, self.packed.page[rows])

    def grid(self, *, by_site: bool) -> grid.Cells:
        """Return the accuracy for each cost and gamma, three folds, all features."""
        self.progress(f"grid, folds by {'site' if by_site else 'node'}")
        path = self.work / f"grid-{'site' if by_site else 'node'}.json"
        return grid.search(*self._grid_examples(by_site=by_site), path)

    def _grid_examples(self, *, by_site: bool) -> tuple[Floats, Bools, nodes.Ints]:
        """Return features, labels and folds."""
        rows = nodes.drawn(self.packed, self.chosen_pages(well_aligned=False), GRID_DRAWN, seed=1)
        inside = np.zeros(len(self.packed.page), np.bool_)
        inside[rows] = True
        chosen = choose(self.packed, inside, self.general)
        matrix = matrix_with(self.packed, chosen, paper.ROWS["All"])[rows]
        folds = nodes.folds_of(self.packed, rows, by_site=by_site, folds=grid.FOLDS)
        return matrix, self.packed.shares[rows] < 0.5, folds

    def best(self, *, by_site: bool) -> SvmRecipe:
        """Return the recipe with the cost and gamma that are best on the grid."""
        return grid.best(self.grid(by_site=by_site), replace(PAPERS))

    def others(self) -> dict[str, float]:
        """Return the accuracy in per cent of a polynomial kernel and of trees, folds by node, as on the grid."""

        def measured() -> dict[str, float]:
            self.progress("polynomial kernel and trees")
            return nodes.other_classifiers(*self._grid_examples(by_site=False))

        return dict(self.cached("others", measured))

    def words(self, system: str) -> list[list[int]]:
        """Return for each page the words that are kept and gold, kept, and gold."""

        def measured() -> list[list[int]]:
            self.progress(f"words, {system}")
            if system == "alltext":
                counts = words.all_text(self.packed, SET)
            else:
                recipe = replace(self.best(by_site=True), examples=12_000, families=WITHOUT_VISUAL)
                counts = words.cleaned(self.packed, self.general, recipe, SET)
            return [list(astuple(each)) for each in counts]

        return list(self.cached(f"words {system}", measured))

    def cached(self, name: str, measure: Callable[[], Any]) -> Any:
        """Return a result, computed once."""
        path = self.work / f"{name.replace(' ', '-').replace(',', '')}.json"
        if not path.exists():
            data = json.dumps(measure()).encode()
            write_atomically(path, lambda file: file.write(data))
        return json.loads(path.read_bytes())

    def counts(self) -> Counter[str]:
        """Return how many targets are clean and dirty."""
        known = ~np.isnan(self.packed.shares)
        return Counter(np.where(self.packed.shares[known] < 0.5, "dirty", "clean").tolist())

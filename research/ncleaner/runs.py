"""Runs: the pages of the experiment and the results of systems on them, kept in files of the work folder."""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from dehusk import formats
from dehusk.blocks import Blocks, cut
from dehusk.errors import InputError
from dehusk.evaluation.metrics import Aligned, MatchCounts, aligned
from dehusk.extractor import Extractor
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from dehusk.methods.ncleaner import OTHERWISE, Ncleaner
from dehusk.methods.ncleaner.segments import obvious_boilerplate
from dehusk.methods.ncleaner.table import Floats, NgramTable
from dehusk.model_files import shipped_folder
from dehusk.page import Page, as_page
from dehusk.pool import Pool
from dehusk.reasons import Reason
from dehusk.scores import Scores
from dehusk.training import figures
from dehusk.training.examples import LIMITS
from dehusk.training.ncleaner.examples import NcleanerExample, examples
from dehusk.training.ncleaner.fit import (
    PAPER,
    NcleanerRecipe,
    WordFigures,
    as_table,
    count_ngrams,
    fit_bits,
    fold_of,
    segment_bits,
    word_figures,
)
from dehusk.training.ncleaner.tables import TableOptions, make_table
from research import Progress
from research.cache import write_atomically
from research.dump import lynx
from research.ncleaner.entropy import cross_entropies

TRAINING: Final = "canola"  # instead of FIASCO's gold standard, which is lost
TEST: Final = "ncleaner674"
FOLDS: Final = 10
PAPERS: Final = PAPER
PAPERS_SHAPES: Final = replace(PAPERS, lexical=False, mode=3)
SIZES: Final = (2, 5, 10, 20, 40, 80, 120)  # pages of the learning curve, before all of them
FEW_LANGUAGES: Final = ("de", "pl", "ru", "zh")
FEW_SIZES: Final = (10, 30, 50)
JOBS: Final = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Drops only what matches a pattern of boilerplate: ncleaner without its models."""

    name: str = "heuristics"

    def segment(self, page: Page) -> Blocks:
        """Cut at block-level elements."""
        return cut(page)

    def score(self, page: Page, blocks: Blocks) -> Scores:
        """Return 1 for blocks that match a pattern, 0 for all others."""
        return Scores(blocks, obvious_boilerplate(blocks.strings()).astype(np.float64), self.name)


@dataclass(frozen=True)
class Runs:
    """The pages of the experiment, and the results so far."""

    work: Path
    progress: Progress

    @cached_property
    def training(self) -> list[NcleanerExample]:
        """The training pages of canola as segments."""
        return self._examples(TRAINING, "train")

    @cached_property
    def testing(self) -> list[NcleanerExample]:
        """CleanEval's test pages as segments."""
        return self._examples("cleaneval", TEST)

    @cached_property
    def other_languages(self) -> list[NcleanerExample]:
        """The training pages that are not in English, as segments."""
        pages = (each for corpus in ("fundus", "daniel-dev") for each in open_corpus(corpus).pages("train"))
        self.progress("segments of pages in other languages")
        return examples((each for each in pages if each.language in FEW_LANGUAGES), JOBS)[0]

    def _examples(self, corpus: str, part: str) -> list[NcleanerExample]:
        self.progress(f"segments of {corpus}, {part}")
        return examples(open_corpus(corpus).pages(part), JOBS)[0]

    def internal(self, name: str) -> list[MatchCounts]:
        """Return the word counts of one of table 2's systems on each page of canola, ten folds by site."""
        rows = self._cached(f"internal {name}", lambda: [each.words for each in self._internal(name)])
        return [MatchCounts(*row) for row in rows]

    def _internal(self, name: str) -> list[Aligned]:
        pages = list(open_corpus(TRAINING).pages("train"))
        if name in ("Baseline", "Heuristics only"):
            chosen: dict[int, Any] = dict.fromkeys(range(FOLDS), "alltext" if name == "Baseline" else Heuristics())
        else:
            recipe = PAPERS_SHAPES if name == "Non-lexical" else PAPERS
            chosen = {fold: only(self.paper_table(recipe, fold)) for fold in range(FOLDS)}
        tasks = [Task(page, chosen[fold_of(page.site, FOLDS)], marked=False) for page in pages]
        return measured(tasks)

    def paper_table(self, recipe: NcleanerRecipe, without: int | None = None) -> NgramTable:
        """Return a table trained with the paper's recipe on all pages of canola but those of one fold."""
        pages = [each for each in self.training if fold_of(each.site, FOLDS) != without]
        return as_table(fit_bits([count_ngrams(pages, recipe)], recipe), recipe, slope=16.0)

    def external(
        self, name: str, method: "str | Ncleaner", dump: str = ""
    ) -> tuple[list[MatchCounts], list[MatchCounts]]:
        """Return the counts of words and of marks of one system on each of CleanEval's test pages."""
        rows = self._cached(f"external {name}", lambda: self._external(method, dump))
        return [MatchCounts(*row[:3]) for row in rows], [MatchCounts(*row[3:]) for row in rows]

    def _external(self, method: "str | Ncleaner", dump: str) -> list[Any]:
        pages = open_corpus("cleaneval").pages(TEST)
        marked = method != "alltext"
        return [
            (*_row(each.words), *_row(each.marks)) for each in measured([Task(p, method, marked, dump) for p in pages])
        ]

    def entropies(self) -> Floats:
        """Return the cross-entropy of canola's pages by order and q."""
        return np.array(self._cached("cross-entropy", lambda: cross_entropies(self.training).tolist()))

    def curve(self) -> list[tuple[int, int, WordFigures]]:
        """Return figure 4: number of training pages, their clean words, and the scores on CleanEval's test pages."""
        rows = self._cached("learning curve", self._curve)
        return [(pages, words, WordFigures(*shares)) for pages, words, shares in rows]

    def _curve(self) -> list[Any]:
        shuffled = sorted(self.training, key=_digest)
        rows = []
        for size in (*SIZES, len(shuffled)):
            pages = shuffled[:size]
            table = as_table(fit_bits([count_ngrams(pages, PAPERS)], PAPERS), PAPERS)
            shares = word_figures(self.testing, [segment_bits(table, each) for each in self.testing], 0.0)
            rows.append((len(pages), sum(len(each.gold.split()) for each in pages), astuple(shares)))
        return rows

    def few_pages(self) -> dict[str, list[float]]:
        """Return for each of `FEW_LANGUAGES` the F-score of everything, then of tables of `FEW_SIZES` pages."""
        rows = self._cached("few pages", lambda: [(each, self._few_pages(each)) for each in FEW_LANGUAGES])
        return dict(rows)

    def _few_pages(self, language: str) -> list[float]:
        pages = [each for each in self.other_languages if each.language == language]
        everything = word_figures(pages, [np.ones(len(each.start)) for each in pages], 0.0)
        return [
            everything.f1,
            *(self._with_few(pages, TableOptions().recipe(language, size), size) for size in FEW_SIZES),
        ]

    def _with_few(self, pages: list[NcleanerExample], recipe: NcleanerRecipe, size: int) -> float:
        """Return the F-score of pages, each scored by a table of `size` pages of other folds."""
        shuffled = sorted(pages, key=_digest)
        scored, bits = [], []
        for fold in range(figures.FOLDS):
            known = [each for each in shuffled if fold_of(each.site) != fold][:size]
            fitted = make_table(known, recipe)
            table = as_table(fitted.ngrams, recipe)
            rest = [each for each in pages if fold_of(each.site) == fold]
            scored += rest
            bits += [segment_bits(table, each) - fitted.bias for each in rest]
        return word_figures(scored, bits, 0.0).f1

    def _cached(self, name: str, compute: Callable[[], Sequence[Any]]) -> list[Any]:
        digest = hashlib.sha256((shipped_folder("ncleaner") / "weights.npz").read_bytes())
        for corpus in (TRAINING, "cleaneval"):
            digest.update(open_corpus(corpus).sha256.encode())
        stem = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
        path = self.work / f"{stem}-{digest.hexdigest()[:8]}.json"
        if not path.exists():
            self.progress(name)
            rows = [_row(each) if isinstance(each, MatchCounts) else each for each in compute()]
            write_atomically(path, lambda file: file.write(json.dumps(rows).encode()))
        stored: list[Any] = json.loads(path.read_text(encoding="utf-8"))
        return stored


@dataclass(frozen=True, slots=True)
class Task:
    """A page to clean: with which method, whether with marks, and from which dump of its text, if not from HTML."""

    page: GoldPage
    method: Any
    marked: bool
    dump: str = ""  # one of `DUMPS`


# Dumps of a page as plain text. Ours has an empty line between blocks, and nothing that says what they were.
DUMPS: Final[dict[str, Callable[[Page], str]]] = {
    "ours": lambda page: "\n\n".join(cut(page).strings()),
    "Lynx": lambda page: lynx(page.html),
    "Lynx without links": lambda page: lynx(page.html, "-nolist"),
}


def only(table: NgramTable) -> Ncleaner:
    """Return ncleaner with one table for all languages."""
    return Ncleaner({OTHERWISE: table})


def measured(tasks: Sequence[Task]) -> list[Aligned]:
    """Return the counts of each task, computed in worker processes."""
    answers = []
    with Pool(compared, JOBS, LIMITS) as pool:
        for task, answer in pool.map(tasks):
            if isinstance(answer, Reason):
                raise InputError(f"{task.page.corpus} {task.page.id} could not be measured: {answer}")
            answers.append(answer[0])
    return answers


def compared(task: Task) -> tuple[Aligned]:
    """Clean a page, in a worker, and compare it with its gold, with marks if both have them."""
    page = as_page(task.page.html, url=None, charset=None, limits=LIMITS)
    if task.dump:
        page = Page.from_text(DUMPS[task.dump](page))
    document = Extractor(task.method).extract(page)
    output = formats.render(document, "cleaneval") if task.marked else document.text
    return (aligned(output, task.page.gold_marked or task.page.gold or ""),)


def _digest(example: NcleanerExample) -> bytes:
    """Return a key that shuffles pages, the same every time."""
    return hashlib.sha256(example.id.encode()).digest()


def _row(counts: MatchCounts) -> tuple[int, int, int]:
    return counts.tp, counts.fp, counts.fn

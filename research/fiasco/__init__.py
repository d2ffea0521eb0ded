"""fiasco: the tables of its paper.

FIASCO's gold standard is lost. The training pages of canola replace it: about as many pages (169 for 158), in English,
labelled by several people. Layouts of the pages come from the cache, which `dehusk train fiasco --visual` fills.
Results that take long are kept in the folder `fiasco-work`, and the plot is written there.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dehusk.evaluation.metrics import MatchCounts
from research import Line, PaperTable, Progress, charts_of
from research.fiasco import alignments, degenerate, nodes, paper, words
from research.fiasco.degenerate import Shape
from research.fiasco.nodes import Judged, clean_figures, gain
from research.fiasco.runs import PAPERS, SET, Runs

PAPER: Final = (
    "Bauer et al.: FIASCO: Filtering the Internet by Automatic Subtree Classification. WAC3 2007, tables 2, 3"
)
WORK: Final = Path("fiasco-work")
FIGURES: Final = ("accuracy %", "precision", "recall", "F")
REDUCTION: Final = ("reduction of error", "low", "high")


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield all tables, and draw the grid."""
    charts = charts_of("fiasco")
    runs = Runs(WORK, progress)
    yield _degenerate(progress)
    yield from _alignments(progress)
    yield _grid(runs)
    for well_aligned, published in ((False, paper.TABLE_2), (True, paper.TABLE_3)):
        for by_site in (False, True):
            yield from _families(runs, published, by_site=by_site, well_aligned=well_aligned)
    yield _sizes(runs)
    yield _words(runs)
    progress(f"plot, in {WORK}")
    charts.draw(runs, WORK)


def _degenerate(progress: Progress) -> PaperTable:
    lines = []
    for name in degenerate.SETS:
        progress(f"targets of {name}")
        pages = degenerate.pages_of(name)
        for repair in (False, True):
            shape = Shape.of(pages, repair=repair)
            label = f"{name}, {len(pages)} pages, {'repaired' if repair else 'as in the paper'}"
            lines.append(Line(label, (None,) * 4, (shape.one, shape.half, shape.few, shape.median)))
    columns = ("% one target > 80 %", "% one > 50 %", "% at most 4", "median of targets")
    return PaperTable("Pages whose text is in one target or few, per cent", columns, tuple(lines))


def _alignments(progress: Progress) -> Iterator[PaperTable]:
    for name in alignments.SETS:
        progress(f"alignments of {name}")
        pages = alignments.labelled(alignments.pages_of(name))
        gold = alignments.joined(each.gold for each in pages)
        rows = {"ours": alignments.joined(each.ours for each in pages)}
        for index, threshold in enumerate(alignments.THRESHOLDS):
            rows[f"Dice, {threshold:g}"] = alignments.joined(each.dice[index] for each in pages)
        lines = [Line(row, (None,) * 4, clean_figures(clean, gold)) for row, clean in rows.items()]
        title = f"Section 5.1: {len(gold):,} targets of {len(pages)} pages of {name}, against labels of nodes"
        yield PaperTable(title, FIGURES, tuple(lines))


def _grid(runs: Runs) -> PaperTable:
    lines = []
    for by_site in (False, True):
        cells, best = runs.grid(by_site=by_site), runs.best(by_site=by_site)
        folds = "site" if by_site else "node"
        low, high = 100 * min(cells.values()), 100 * max(cells.values())
        published = (None, None) if by_site else (paper.GRID["the worst cell"], paper.GRID["the best cell"])
        lines.append(Line(f"folds by {folds}: C {best.cost:g}, gamma {best.gamma:g}", published, (low, high)))
    for name, figure in runs.others().items():
        lines.append(Line(name, (None, paper.GRID.get(name)), (None, figure)))
    return PaperTable("Section 4.1: accuracy, three folds, per cent", ("worst cell", "best cell"), tuple(lines))


def _families(
    runs: Runs, published: dict[str, paper.Figures], *, by_site: bool, well_aligned: bool
) -> Iterator[PaperTable]:
    recipe = runs.best(by_site=False)
    judged = {row: runs.judged(row, recipe, by_site=by_site, well_aligned=well_aligned) for row in paper.ROWS}
    title = f"Table {3 if well_aligned else 2}, folds by {'site' if by_site else 'node'}"
    yield PaperTable(title, FIGURES, tuple(Line(row, published[row], each.figures()) for row, each in judged.items()))
    lines = [Line(row, (_published(published[row]), None, None), _reduction(each)) for row, each in judged.items()]
    yield PaperTable(f"{title}: reduction of error relative to the commoner class", REDUCTION, tuple(lines))
    pairs = {
        "parts of speech": ("All", "All without POS"),
        "visual": ("All", "All without visual"),
        "parts of speech, without visual": ("All without visual", "All without POS, visual"),
    }
    gains = [
        Line(name, (_gain(published, with_it, without), None, None), gain(judged[with_it], judged[without]))
        for name, (with_it, without) in pairs.items()
    ]
    yield PaperTable(f"{title}: what a family adds, points of accuracy", ("gain", "low", "high"), tuple(gains))


def _published(figures: paper.Figures) -> float:
    accuracy, precision, recall = (float(each or 0) for each in figures[:3])
    return paper.error_reduction(accuracy / 100, precision, recall)


def _gain(published: dict[str, paper.Figures], ours: str, theirs: str) -> float:
    return float(published[ours][0] or 0) - float(published[theirs][0] or 0)


def _reduction(judged: Judged) -> tuple[float, float, float]:
    return judged.error_reduction(), *judged.interval()


def _sizes(runs: Runs) -> PaperTable:
    """Return how the number of targets and the paper's own C and gamma change the first row of table 2."""
    best = runs.best(by_site=False)
    rows = {
        f"C 32, gamma 8, {nodes.DRAWN:,} targets, by node": (PAPERS, False, nodes.DRAWN),
        f"ours, {nodes.DRAWN:,} targets, by node": (best, False, nodes.DRAWN),
        f"ours, {nodes.MANY:,} targets, by node": (best, False, nodes.MANY),
        f"ours, {nodes.MANY:,} targets, by site": (best, True, nodes.MANY),
    }
    lines = []
    for name, (recipe, by_site, count) in rows.items():
        judged = runs.judged("All", recipe, by_site=by_site, count=count)
        lines.append(
            Line(name, (paper.TABLE_2["All"][0], None, None, None), (judged.figures()[0], *_reduction(judged)))
        )
    return PaperTable("All features", ("accuracy %", *REDUCTION), tuple(lines))


def _words(runs: Runs) -> PaperTable:
    everything = [MatchCounts(*row) for row in runs.words("alltext")]
    ours = [MatchCounts(*row) for row in runs.words("fiasco")]
    rows = {
        "all text (Lynx)": everything,
        "FIASCO": ours,
        "FIASCO, pages with recall of at least 1 %": words.not_lost(ours),
    }
    lost = len(ours) - len(words.not_lost(ours))
    note = f"{lost} of {len(ours)} pages have a recall below 1 %; the all text is ours, not that of Lynx."
    lines = [Line(name, paper.WORDS[name], words.per_cent(counts)) for name, counts in rows.items()]
    title = f"Section 6: words of {SET}'s pages, five folds by site, per cent"
    return PaperTable(title, ("F", "precision", "recall"), tuple(lines), note)

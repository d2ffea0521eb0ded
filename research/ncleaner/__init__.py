"""ncleaner: the tables and figures of its paper.

FIASCO's gold standard, on which the paper trained and cross-validated, is lost. The training pages of canola replace
it: about as many pages (169 for 158), in English, cleaned by several people. Tables 3 and 4 use the paper's own test
pages. Results that take long are kept in the folder `ncleaner-work`, and the plots are written there.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any, Final

import numpy as np

from dehusk.evaluation.metrics import PRF, MatchCounts, macro, micro
from dehusk.methods.ncleaner import OTHERWISE, Ncleaner
from dehusk.models.registry import adjusted
from research import Line, PaperTable, Progress, charts_of
from research.ncleaner import paper
from research.ncleaner.entropy import QS
from research.ncleaner.runs import FEW_SIZES, PAPERS, Runs, only

PAPER: Final = (
    "Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008, tables 2 to 4, figures 2 to 4"
)
WORK: Final = Path("ncleaner-work")
SHARES: Final = ("F-score", "precision", "recall")
STRICT: Final = 0.1  # added to the shipped bias, which makes it 0, as in the paper


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield all tables, and draw the figures."""
    charts = charts_of("ncleaner")
    runs = Runs(WORK, progress)
    yield _entropy(runs)
    yield from _internal(runs)
    yield _tests(runs)
    yield from _external(runs)
    yield _curve(runs)
    yield _few_pages(runs)
    progress(f"plots, in {WORK}")
    charts.draw(runs, WORK)


def _entropy(runs: Runs) -> PaperTable:
    lines = []
    for order, bits in enumerate(runs.entropies(), 1):
        best = int(np.argmin(bits))
        lines.append(Line(f"n = {order}", paper.ENTROPY.get(order, (None, None)), (QS[best], float(bits[best]))))
    note = "The paper has curves; n = 6 and q = 0.6 is the one point that its text names. Ours are for canola's pages."
    title = "Figure 2: the best q for each n, and its bits per character, ten folds by site"
    return PaperTable(title, ("q", "bits"), tuple(lines), note)


def _internal(runs: Runs) -> Iterator[PaperTable]:
    """Yield table 2 in three parts: pooled words, means of pages, and their standard deviations."""
    ours: dict[str, list[PRF]] = {}
    for name in paper.INTERNAL:
        counts = runs.internal(name)
        pages = macro(each.prf for each in counts)
        ours[name] = [micro(counts), pages.mean, pages.sd]
    note = (
        "Not the paper's pages: canola instead of FIASCO's lost gold standard, with more boilerplate. As in the paper: "
        "n = 3, q = 0.5, differential training and no bias; ten folds, by site."
    )
    for part, title in enumerate(("words of all pages pooled", "means of pages", "standard deviations of pages")):
        lines = [
            Line(name, paper.INTERNAL[name][3 * part : 3 * part + 3], _per_cent(parts[part]))
            for name, parts in ours.items()
        ]
        yield PaperTable(f"Table 2: internal evaluation, {title}, per cent", SHARES, tuple(lines), "" if part else note)


def _per_cent(shares: PRF) -> tuple[float, ...]:
    return 100 * shares.f1, 100 * shares.precision, 100 * shares.recall


def _tests(runs: Runs) -> PaperTable:
    base, full, shapes = (runs.internal(name) for name in ("Baseline", "NCleaner", "Non-lexical"))
    rows = (
        Line("F-score, NCleaner against baseline", paper.T_F, paired(full, base, "f1")),
        Line(
            "precision, non-lexical against baseline",
            paper.T_NON_LEXICAL_PRECISION,
            paired(shapes, base, "precision"),
        ),
    )
    return PaperTable("Paired t-tests across pages", ("t", "−log10 p"), rows, f"{len(base)} pages; the paper has 158.")


def paired(first: Sequence[MatchCounts], second: Sequence[MatchCounts], share: str) -> tuple[float, float]:
    """Return t and −log10 p of a paired t-test on one share over pages."""
    stats: Any = import_module("scipy.stats")  # from the extra `experiments`; has no types
    test = stats.ttest_rel(*([getattr(each.prf, share) for each in side] for side in (first, second)))
    # If all pages are alike, p can be 0.
    return float(test.statistic), float(-np.log10(max(test.pvalue, 1e-300)))


def _external(runs: Runs) -> Iterator[PaperTable]:
    """Yield tables 3 and 4: the shipped tables, then a table trained on canola with the paper's recipe."""
    full, shapes = Ncleaner.shipped(), only(Ncleaner.shipped().tables[OTHERWISE])
    old = only(runs.paper_table(PAPERS))
    results = {
        "Baseline": runs.external("baseline", "alltext"),
        "NCleaner (HTML)": runs.external("html", full),
        "NCleaner (text)": runs.external("text", full, "ours"),
        "Non-lexical (HTML)": runs.external("non-lexical html", shapes),
        "Non-lexical (text)": runs.external("non-lexical text", shapes, "ours"),
        f"NCleaner (HTML), bias {STRICT:+}": runs.external("html strict", adjusted(full, {"bias": STRICT})),
        "the paper's recipe, canola only (HTML)": runs.external("html by the recipe paper", old),
        "the paper's recipe, canola only (text)": runs.external("text by the recipe paper", old, "ours"),
    }
    if which("lynx"):
        for dump in ("Lynx", "Lynx without links"):
            results[f"all text ({dump})"] = runs.external(f"all text of {dump}", "alltext", dump)
            results[f"NCleaner ({dump})"] = runs.external(f"dump of {dump}", full, dump)
    note = (
        "The baseline is our text without marks; the paper's is that of Lynx with its numbered links, 3.5 points of F "
        "lower (`python -m research dump`). Marks count as words, as in the paper's scorer."
    )
    titles = ("Table 3: words", "Table 4: marks of paragraphs, headings and list items")
    for part, (title, printed) in enumerate(zip(titles, (paper.WORDS, paper.MARKS), strict=True)):
        lines = []
        for name, counts in results.items():
            lines.append(Line(name, printed.get(name, (None,) * 3), _per_cent(micro(counts[part]))))
        where = "the 674 test pages of CleanEval, micro average, per cent"
        yield PaperTable(f"{title}, {where}", SHARES, tuple(lines), "" if part else note)


def _curve(runs: Runs) -> PaperTable:
    lines = [
        Line(f"{pages} pages, {words:,} words", (None,) * 3, (shares.f1, shares.precision, shares.recall))
        for pages, words, shares in runs.curve()
    ]
    note = (
        "Words of segments, by the share of each that is gold, so these are not the figures of table 3. The paper has "
        "curves, and says that ten pages give a precision above 94 and a recall around 90."
    )
    return PaperTable("Figure 4: CleanEval's test pages by number of training pages", SHARES, tuple(lines), note)


def _few_pages(runs: Runs) -> PaperTable:
    names = {"de": "German", "en": "English", "pl": "Polish", "ru": "Russian", "zh": "Chinese"}
    lines = [
        Line(names[language], (None,) * (1 + len(FEW_SIZES)), tuple(figures))
        for language, figures in runs.few_pages().items()
    ]
    note = (
        "Five folds by site: tables trained on so many pages of other folds, each with the bias that is best by folds "
        "there. The paper promises a new language from 30 to 50 pages, without figures."
    )
    columns = ("everything", *(f"{size} pages" for size in FEW_SIZES))
    title = "A new language from few pages: F-score of words of segments, per cent"
    return PaperTable(title, columns, tuple(lines), note)

"""dump: the score of an uncleaned page, compared with NCleaner's baseline row. It checks the metric, not a method.

The paper's baseline is the output of Lynx, including link numbers and the list of addresses, aligned by difflib with
gold that has its marks: each mark is a word that no dump can have, hence a recall of 95. If Lynx is installed it is run
too, to separate the difference between the dumps from a difference between the metrics.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from dehusk.evaluation.metrics import aligned, difflib_pairs, micro
from dehusk.extractor import Extractor
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from research import Line, PaperTable, Progress

PAPER: Final = "Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008, table 3"
BASELINE: Final = (88.72, 83.11, 95.15)
LYNX: Final = "lynx -stdin -dump -force_html -width=1000 -assume_charset=utf-8 -display_charset=utf-8"


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield the baseline row of table 3, measured on our text and, if it is installed, on that of Lynx."""
    pages = list(open_corpus("cleaneval").pages("ncleaner674"))
    extractor = Extractor("alltext")
    progress("our dump")
    lines = [Line("Baseline: all text of dehusk", BASELINE, _figures(pages, lambda html: extractor.extract(html).text))]
    if shutil.which("lynx"):
        progress("Lynx, with its list of links")
        lines.append(Line("Baseline: Lynx", BASELINE, _figures(pages, lynx)))
        progress("Lynx, without")
        lines.append(
            Line("Lynx without link numbers", (None,) * 3, _figures(pages, lambda html: lynx(html, "-nolist")))
        )
    note = "Lynx numbers links and lists their addresses; our text has neither, which explains our higher precision."
    if len(lines) == 1:
        note += " Lynx is not installed, so its rows are left out."
    title = f"NCleaner, table 3: {len(pages)} test pages of CleanEval, words by difflib, micro average, per cent"
    yield PaperTable(title, ("F-score", "precision", "recall"), tuple(lines), note)


def lynx(html: str, *options: str) -> str:
    """Return what Lynx prints for a page."""
    done = subprocess.run([*LYNX.split(), *options], input=html.encode(), capture_output=True, timeout=60, check=True)
    return done.stdout.decode("utf-8", "replace")


def _figures(pages: Sequence[GoldPage], dump: Callable[[str], str]) -> tuple[float, ...]:
    figures = micro(aligned(dump(str(page.html)), page.gold_marked or "", difflib_pairs).words for page in pages)
    return 100 * figures.f1, 100 * figures.precision, 100 * figures.recall

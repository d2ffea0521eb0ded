"""dump: what an uncleaned page scores, beside the baseline rows of NCleaner. It checks the ruler, not a method.

The paper's baseline is the output of Lynx, link numbers and list of addresses included, aligned by difflib with gold
that has its marks: each mark is a word that no dump can have, hence a recall of 95. Where Lynx is installed it is run
as well, so that the difference between its dump and ours can be told from a difference between the rulers.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from dehusk.evaluation.metrics import aligned, difflib_pairs, micro
from dehusk.extractor import Extractor
from dehusk.gold.corpora import open_corpus
from dehusk.gold.pages import GoldPage
from research import Line, PaperTable, Tick

PAPER: Final = "Evert: A lightweight and efficient tool for cleaning Web pages. LREC 2008, table 3"
BASELINE: Final = (88.72, 83.11, 95.15)
LYNX: Final = (
    "lynx",
    "-stdin",
    "-dump",
    "-force_html",
    "-width=1000",
    "-assume_charset=utf-8",
    "-display_charset=utf-8",
)


def tables(tick: Tick) -> Iterator[PaperTable]:
    """Yield the baseline row of table 3, measured on our text and, where it is installed, on that of Lynx."""
    pages = list(open_corpus("cleaneval").pages("ncleaner674"))
    extractor = Extractor("alltext")
    tick("our dump")
    lines = [Line("Baseline: all text of dehusk", BASELINE, _figures(pages, lambda html: extractor.extract(html).text))]
    if shutil.which("lynx"):
        tick("Lynx, with its list of links")
        lines.append(Line("Baseline: Lynx", BASELINE, _figures(pages, lynx)))
        tick("Lynx, without")
        lines.append(
            Line("Lynx without link numbers", (None,) * 3, _figures(pages, lambda html: lynx(html, "-nolist")))
        )
    note = (
        "Lynx numbers links and lists their addresses; our text has neither, which is where our precision comes from."
    )
    if len(lines) == 1:
        note += " Lynx is not installed, so its rows are left out."
    title = f"NCleaner, table 3: {len(pages)} test pages of CleanEval, words by difflib, micro average, per cent"
    yield PaperTable(title, ("F-score", "precision", "recall"), tuple(lines), note)


def lynx(html: str, *options: str) -> str:
    """Return what Lynx prints of a page."""
    done = subprocess.run([*LYNX, *options], input=html.encode(), capture_output=True, timeout=60, check=True)
    return done.stdout.decode("utf-8", "replace")


def _figures(pages: Sequence[GoldPage], dump: Callable[[str], str]) -> tuple[float, ...]:
    found = micro(aligned(dump(str(page.html)), page.gold_marked or "", difflib_pairs).words for page in pages)
    return 100 * found.f1, 100 * found.precision, 100 * found.recall

"""downstream: whether cleaning helps those who search or classify pages, and which method helps most.

PyPlexity's tables 1 to 6 in small: known-item search in place of TREC's topics, and WebKB, the paper's own collection.
Texts and results are kept in `downstream-work`, and the picture is written there.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from research import PaperTable, Progress, charts_of

PAPER: Final = (
    "Fernández-Pichel, Prada-Corral, Losada, Pichel, Gamallo: An unsupervised perplexity-based method for boilerplate "
    "removal. Natural Language Engineering, 2023, tables 1 to 6, in small"
)
WORK: Final = Path("downstream-work")


def tables(progress: Progress) -> Iterator[PaperTable]:
    """Yield the tables, and draw the picture."""
    charts = charts_of("downstream")
    from research.downstream import report, runs  # noqa: PLC0415  (need the same packages)

    work = runs.Runs(WORK, progress)
    yield from report.tables(work)
    progress(f"picture, in {WORK}")
    charts.draw(work, WORK / "downstream.png")

"""Worst pages: where a method does worst, with its output compared to the gold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from markupsafe import Markup

from dehusk.evaluation.diff import diff_markup
from dehusk.evaluation.metrics import snippets
from dehusk.evaluation.run import LIMITS, Row
from dehusk.extractor import Extractor, Result
from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage
from dehusk.page import Source

WORST: Final = 8  # pages shown
SNIPPETS: Final = 20  # of each sort that are shown of a page without full gold


@dataclass(frozen=True, slots=True)
class WorstPage:
    """One page: its score, facts about it, and the diff, or the snippets that failed if it has no full gold."""

    id: str
    f1: float
    facts: list[str]
    diff: Markup = field(default_factory=Markup)
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)


def worst_pages(method: str, rows: Sequence[Row], corpora: Sequence[Corpus]) -> list[WorstPage]:
    """Return the worst of the pages in `rows`; they are read and run again, since rows hold no text."""
    faulty = [row for row in rows if isfinite(row.f1) and row.f1 < 1 and not row.empty_gold]
    worst = sorted(faulty, key=lambda row: (row.f1, row.corpus, row.page))[:WORST]
    pages = _read_again(corpora, worst)
    # In a worker, since a page where all failed may hang or exhaust memory.
    sources = [Source(page.html, page.url) for page in pages.values()]
    results = Extractor(method, limits=LIMITS).extract_many(sources, jobs=1) if sources else ()
    results_by_page = {key: (page, result) for (key, page), result in zip(pages.items(), results, strict=True)}
    return [_compared(row, *results_by_page.get((row.corpus, row.page), (None, None))) for row in worst]


def _read_again(corpora: Sequence[Corpus], rows: Sequence[Row]) -> dict[tuple[str, str], GoldPage]:
    pages: dict[tuple[str, str], GoldPage] = {}
    for corpus in corpora:
        ids = {row.page for row in rows if row.corpus == corpus.name}
        for page in corpus.pages() if ids else ():
            if page.id in ids:
                pages[corpus.name, page.id] = page
                ids.remove(page.id)
            if not ids:
                break
    return pages


def _compared(row: Row, page: GoldPage | None, result: Result | None) -> WorstPage:
    facts = [page.site if page and page.site != page.id else "", row.corpus, row.kind, row.language]
    if row.tp or row.fp or row.fn:
        facts.append(f"{row.fn:,} missing, {row.fp:,} too many, {row.tp:,} in common")
    facts.append(row.error or (str(result.reason or "") if result else "the page is no longer in its corpus"))
    facts = list(filter(None, facts))
    if not page or not result:
        return WorstPage(row.page, row.f1, facts)
    if page.gold is not None:
        return WorstPage(row.page, row.f1, facts, diff_markup(page.gold, result.output))
    missing = [snippet for snippet in page.wanted if not snippets(result.output, [snippet], []).tp]
    extra = [snippet for snippet in page.unwanted if snippets(result.output, [], [snippet]).fp]
    return WorstPage(row.page, row.f1, facts, missing=missing[:SNIPPETS], extra=extra[:SNIPPETS])

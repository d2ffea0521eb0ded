"""Worst pages: where a method does worst, with the gold against what it made of the page."""

from collections.abc import Sequence
from math import isfinite
from typing import Final

from dehusk.evaluation.charts import share, text
from dehusk.evaluation.diff import markup
from dehusk.evaluation.metrics import snippets
from dehusk.evaluation.run import LIMITS, Row
from dehusk.extractor import Extractor, Result, Source
from dehusk.gold.corpora import Corpus
from dehusk.gold.pages import GoldPage

WORST: Final = 8  # pages shown
SNIPPETS: Final = 20  # of each sort that are shown of a page that has no full gold


def worst_pages(method: str, rows: Sequence[Row], corpora: Sequence[Corpus]) -> str:
    """Return the worst of the pages in `rows`, as HTML; they are read and run again, since rows hold no text."""
    faulty = [row for row in rows if isfinite(row.f1) and row.f1 < 1 and not row.empty_gold]
    worst = sorted(faulty, key=lambda row: (row.f1, row.corpus, row.page))[:WORST]
    if not worst:
        return ""
    pages = _reread(corpora, worst)
    results = _results(method, pages)
    inside = "".join(_page(row, pages.get(_key(row)), results.get(_key(row))) for row in worst)
    return (
        f"<p>Where <b>{text(method)}</b>, our best method, does worst; pages with empty gold are left out. Words that "
        "are <del>missing</del> from its output, words that are <ins>too many</ins>, and words that both have, in the "
        f"order of the text: ¶ begins a line, and a match of a word or two amid changes counts as none.</p>{inside}"
    )


def _key(row: Row) -> tuple[str, str]:
    return row.corpus, row.page


def _reread(corpora: Sequence[Corpus], rows: Sequence[Row]) -> dict[tuple[str, str], GoldPage]:
    pages: dict[tuple[str, str], GoldPage] = {}
    for corpus in corpora:
        wanted = {row.page for row in rows if row.corpus == corpus.name}
        for page in corpus.pages() if wanted else ():
            if page.id in wanted:
                pages[corpus.name, page.id] = page
                wanted.remove(page.id)
            if not wanted:
                break
    return pages


def _results(method: str, pages: dict[tuple[str, str], GoldPage]) -> dict[tuple[str, str], Result]:
    """Return what the method makes of each page; in a worker, since a page where all failed may hang or swell."""
    sources = [Source(page.html, page.url) for page in pages.values()]
    return dict(zip(pages, Extractor(method, limits=LIMITS).extract_many(sources, jobs=1), strict=True))


def _page(row: Row, page: GoldPage | None, result: Result | None) -> str:
    facts = [page.site if page and page.site != page.id else "", row.corpus, row.kind, row.language]
    if row.tp or row.fp or row.fn:
        facts.append(f"{row.fn:,} missing, {row.fp:,} too many, {row.tp:,} in common")
    facts.append(row.error or (result.reason if result else "the page is no longer in its corpus"))
    inside = _difference(page, result.output) if page and result else ""
    return (
        f'<article class="page"><h3><span class="score">{share(row.f1)}</span> <bdi>{text(row.page, 80)}</bdi></h3>'
        f'<p class="soft">{text(" · ".join(filter(None, facts)), 400)}</p>{inside}</article>'
    )


def _difference(page: GoldPage, output: str) -> str:
    if page.gold is None:
        return _snippet_list(page, output)
    return f'<div class="diff" dir="auto" tabindex="0">{markup(page.gold, output)}</div>'


def _snippet_list(page: GoldPage, output: str) -> str:
    missing = [snippet for snippet in page.wanted if not snippets(output, [snippet], []).tp]
    extra = [snippet for snippet in page.unwanted if snippets(output, [], [snippet]).fp]
    items = [f"<li><del>{text(snippet)}</del></li>" for snippet in missing[:SNIPPETS]]
    items += [f"<li><ins>{text(snippet)}</ins></li>" for snippet in extra[:SNIPPETS]]
    return f'<ul class="diff" dir="auto" tabindex="0">{"".join(items)}</ul>'

"""Extraction: from the bytes of a page to its text, with a score for every block."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from dehusk.block_locations import BlockLocations
from dehusk.config import Limits
from dehusk.corpus.case import Case
from dehusk.corpus.columns import BlockColumns
from dehusk.corpus.settings import Extraction, Settings
from dehusk.document import Document
from dehusk.extractor import Extractor
from dehusk.page import Source
from dehusk.reasons import Code, Reason

HEAD: Final = 50_000  # characters in which a page says what robots may do
META: Final = re.compile(r"<meta\b[^>]{0,500}>", re.IGNORECASE)
OPT_OUTS: Final = ("robots", "tdm-reservation")
NAMES: Final = re.compile(r"""name\s{0,9}=\s{0,9}["']?\s{0,9}(robots|tdm-reservation)\b""", re.IGNORECASE)
CONTENT: Final = re.compile(r"""content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)


def extract(case: Case, settings: Settings) -> Case:
    """Parse the page, score its blocks, choose the main text; reject pages that have none."""
    if case.reason:
        return case
    page = case.page
    document = extractor(settings.extraction, settings.records.max_bytes).extract(
        Source(page.data, page.url, page.charset, page.is_plain)
    )
    case = replace(case, document=document).with_columns(**_columns(document, settings.extraction))
    case = _opt_outs(case, document, settings)
    if document.reason and document.failed:
        return case.reject(document.reason)
    if case.columns["text"]:
        return case
    # A page that was cut off says that first; here it counts as one without text.
    empty = Reason(Code.NO_MAIN_TEXT if len(document.blocks) else Code.NO_TEXT)
    reason = document.reason
    return case.reject(reason if reason and reason.code is empty.code else replace(empty, also=reason))


@lru_cache(2)
def extractor(settings: Extraction, max_bytes: int) -> Extractor:
    """Return what extracts; the same one for all pages."""
    options: dict[str, Any] = {"comments": settings.comments, "tables": settings.tables}
    return Extractor(settings.method, settings.threshold, Limits(bytes=max_bytes), **options)


def _columns(document: Document, settings: Extraction) -> dict[str, object]:
    blocks, page = document.blocks, document.page
    kinds, levels = blocks.kinds()
    sources = None
    if settings.trace:
        locations = BlockLocations(page, blocks)
        sources = [locations.source(index) for index in range(len(blocks))]
    start, end = (np.asarray(column, np.int32) for column in (blocks.start, blocks.end))
    columns = BlockColumns(
        start,
        end - start,
        kinds,
        levels,
        np.round(document.scores.values, 3).astype(np.float32),
        document.kept,
        blocks.hidden,
        blocks.repeats(),
        sources,
    )
    return {
        "charset": page.charset,
        "doctype": page.doctype,
        "method": document.scores.model,
        "kind": document.kind,
        "confidence": document.confidence,
        "note_code": str(document.reason.code) if document.reason else None,
        "note": str(document.reason) if document.reason else None,
        "text": document.text,
        "page_text": page.text,
        "blocks": columns,
    }


def _opt_outs(case: Case, document: Document, settings: Settings) -> Case:
    """Note what the page says about robots and about text and data mining; reject it only on request."""
    columns = dict(case.columns)
    for name, value in opt_outs(document.page.html[:HEAD]):
        column = "robots" if name == "robots" else "tdm"
        columns[column] = f"{columns[column]}, {value}" if columns[column] else value
    case = replace(case, columns=columns)
    if settings.records.respect_robots and re.search("noindex|none", columns["robots"] or "", re.IGNORECASE):
        case = case.reject(Reason(Code.ROBOTS, columns["robots"]))
    if settings.records.respect_tdm and (columns["tdm"] or "").strip().startswith("1"):
        case = case.reject(Reason(Code.TDM, columns["tdm"]))
    return case


def opt_outs(head: str) -> list[tuple[str, str]]:
    """Return what the meta elements of a page say about robots and about text and data mining.

    >>> opt_outs('<meta name="robots" content="noindex"><META NAME=tdm-reservation CONTENT=1>')
    [('robots', 'noindex'), ('tdm-reservation', '1')]
    """
    statements = []
    for tag in META.findall(head):
        if not any(each in tag.lower() for each in OPT_OUTS):  # as most: a search takes longer
            continue
        name, content = NAMES.search(tag), CONTENT.search(tag)
        if name and content:
            value = next(value for value in (*content.groups(), "") if value is not None)
            statements.append((name[1].lower(), value[:200]))
    return statements

"""json: one object a page on one line, with its blocks: text, score, letter, kind, place in tree and source."""

import json
from math import isnan
from typing import Any

from dehusk.blocks import Block, Kind
from dehusk.document import Document
from dehusk.page import Page
from dehusk.tables import cell_places

SUFFIX = ".json"


def render(document: Document, *, every: bool = False) -> str:
    """Write the kept blocks, or every block, as JSON."""
    page = document.page
    record = {
        "url": page.url,
        "charset": page.charset,
        "doctype": page.doctype,
        "method": document.scores.model,
        "threshold": document.threshold,
        "reason": document.reason,
        "text": document.text,
        "blocks": _blocks(document, every=every),
    }
    return json.dumps(record, ensure_ascii=False)


def _blocks(document: Document, *, every: bool) -> list[dict[str, Any]]:
    page, blocks = document.page, document.blocks
    place = _Places(page)
    letters, values, kept = document.scores.letters, document.scores.values.tolist(), document.kept.tolist()
    rows = []
    for index, (block, score) in enumerate(zip(blocks, values, strict=True)):
        if not (every or kept[index]):
            continue
        first, last = int(blocks.first_leaf[index]), int(blocks.last_leaf[index]) - 1
        row: dict[str, Any] = {"text": block.text, "kind": block.kind.label, **_detail(block, place.cell(first))}
        row |= {"score": None if isnan(score) else round(score, 4), "letter": letters[index], "kept": kept[index]}
        row |= {"hidden": block.hidden, "start": block.start, "end": block.end}
        row |= {"xpath": place.xpath(first, last), "source": place.source(first, last)}
        rows.append(row)
    return rows


class _Places:
    """Where the leaves of a page stand, worked out once for all of its blocks."""

    def __init__(self, page: Page) -> None:
        self._elements = page.elements
        self._paths, self._sources = page.paths(), page.source_spans()
        self._owner = page.leaves.element.tolist()
        self._cells = cell_places(page.elements) if "table" in page.elements.tag else {}

    def cell(self, leaf: int) -> tuple[int, int] | None:
        if not self._cells:
            return None
        return next((self._cells[e] for e in self._elements.chain(self._owner[leaf]) if e in self._cells), None)

    def xpath(self, first: int, last: int) -> str:
        inner = self._owner[first : last + 1]
        return self._paths.of(min(inner), max(inner))

    def source(self, first: int, last: int) -> tuple[int, int] | None:
        left, right = self._sources[first], self._sources[last]
        return (left[0], right[1]) if left and right and left[0] <= right[1] else None


def _detail(block: Block, place: tuple[int, int] | None) -> dict[str, int]:
    """Return what only some kinds have: a heading's level, a list item's depth, a cell's row and column."""
    if block.kind is Kind.HEADING:
        return {"level": block.level}
    if block.kind is Kind.ITEM:
        return {"depth": block.level}
    if block.kind is Kind.CELL and place:
        return {"row": place[0], "column": place[1]}
    return {}

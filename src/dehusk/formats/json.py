"""json: one object a page on one line, with its blocks: text, score, letter, kind, place in tree and source.

What a method does not tell is null: the page's kind and confidence, whether a block is a reader's comment. Only
"because" is there or not, as explanations were asked for or not.
"""

import json
from math import isnan
from typing import Any

from dehusk.blocks import Block, Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.places import Places

SUFFIX = ".json"


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block, as JSON."""
    page = document.page
    record = {
        "url": page.url,
        "charset": page.charset,
        "doctype": page.doctype,
        "method": document.scores.model,
        "threshold": document.threshold,
        "kind": document.kind,
        "confidence": None if document.confidence is None else round(document.confidence, 4),
        "reason": document.reason,
        "text": document.text,
        "blocks": _blocks(document, every=every),
    }
    return json.dumps(record, ensure_ascii=False)


def _blocks(document: Document, *, every: bool) -> list[dict[str, Any]]:
    page, blocks = document.page, document.blocks
    places = Places(page, blocks)
    letters, values, kept = document.scores.letters, document.scores.values.tolist(), document.kept.tolist()
    comments = [None] * len(blocks) if document.scores.comments is None else document.scores.comments.tolist()
    rows = []
    for index, (block, score) in enumerate(zip(blocks, values, strict=True)):
        if not (every or kept[index]):
            continue
        row: dict[str, Any] = {"text": block.text, "kind": block.kind.label, **_detail(block, places.cell(index))}
        row |= {"score": None if isnan(score) else round(score, 4), "letter": letters[index], "kept": kept[index]}
        row |= {"comment": comments[index], "hidden": block.hidden, "start": block.start, "end": block.end}
        row |= {"xpath": places.xpath(index), "source": places.source(index)}
        if document.because is not None:
            row["because"] = document.because[index]
        rows.append(row)
    return rows


def _detail(block: Block, place: tuple[int, int] | None) -> dict[str, int]:
    """Return what only some kinds have: a heading's level, a list item's depth, a cell's row and column."""
    if block.kind is Kind.HEADING:
        return {"level": block.level}
    if block.kind is Kind.ITEM:
        return {"depth": block.level}
    if block.kind is Kind.CELL and place:
        return {"row": place[0], "column": place[1]}
    return {}

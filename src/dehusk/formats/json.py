"""json: one object a page on one line: its metadata, and its blocks with text, score, letter, kind and span.

What a method or the page does not tell is null: the page's kind and confidence, its date, whether a block is a reader's
comment. "because" is there or not, as explanations were asked for or not. Where a block stands in the tree ("xpath")
and in the source ("source") is told where every block is written; to find that out takes longer than the extraction.
"""

from dataclasses import fields
from typing import Final

import numpy as np

from dehusk.block_locations import Places
from dehusk.blocks import Blocks, Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_rows import encode, escaped, escaped_blocks, fates, joined_blocks, json_rows, members, quoted
from dehusk.metadata import Metadata

SUFFIX = ".json"
WORDS: Final = ("false", "true")
KINDS: Final = [f'"kind": {quoted(kind.label)}' for kind in Kind]
CELL: Final = int(Kind.CELL)
FIELDS: Final = [field.name for field in fields(Metadata)]
# By the code of a block, which has its kind and its level in one number: what it is.
KNOWN: Final = {
    **dict(enumerate(KINDS)),
    **{level << 8 | Kind.HEADING: f'{KINDS[Kind.HEADING]}, "level": {level}' for level in range(7)},
    **{depth << 8 | Kind.ITEM: f'{KINDS[Kind.ITEM]}, "depth": {depth}' for depth in range(256)},
}
# By whether a block is kept, whether it is a comment, which nobody may know, and whether it is hidden.
FATES: Final = [
    [[f'"kept": {kept}, "comment": {comment}, "hidden": {hidden}' for hidden in WORDS] for comment in (*WORDS, "null")]
    for kept in WORDS
]


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block and its places, as JSON.

    >>> import json
    >>> from dehusk import extract
    >>> json.loads(render(extract("<h1>A title</h1>", method="alltext")))["blocks"][0]["kind"]
    'heading'
    """
    page = document.page
    confidence = None if document.confidence is None else round(document.confidence, 4)
    record = {
        "url": page.url,
        "charset": page.charset,
        "doctype": page.doctype,
        "method": document.scores.model,
        "threshold": document.threshold,
        "kind": document.kind,
        "confidence": confidence,
        "reason": document.reason,
    }
    text, blocks = _blocks(document, every=every)
    # What is the same for all pages and blocks is written by hand, in a third of the time.
    return (
        f'{{{members(record)}, "metadata": {{{_metadata(document.metadata)}}}, '
        f'"text": "{text}", "blocks": [{", ".join(blocks)}]}}'
    )


def _metadata(found: Metadata) -> str:
    """Return every field by its name; "origin" has, for each one that the page tells, where it does."""
    return members({name: getattr(found, name) for name in FIELDS})


def _blocks(document: Document, *, every: bool) -> tuple[str, list[str]]:
    """Return the whole text, and the blocks that are written."""
    blocks, page_text = document.blocks, document.page.text
    numbers = list(range(len(blocks))) if every else np.flatnonzero(document.kept).tolist()
    places = Places(document.page, blocks)
    kinds, more = _kinds(blocks, numbers, places, every=every), _more(document, numbers, places, every=every)
    marks = _marks(document, numbers)
    start, end = (np.ascontiguousarray(column, np.int32) for column in (blocks.start, blocks.end))
    values = np.ascontiguousarray(document.scores.values, np.float64)  # whatever a method made of them
    texts = escaped_blocks(page_text, numbers, start, end)
    # Of what the blocks are, each letter need not be looked at twice.
    text = joined_blocks(page_text, document.spans, texts, numbers, start, end)
    text = escaped(document.text) if text is None else text
    return text, json_rows(texts, numbers, start, end, values, marks, kinds, more)


def _marks(document: Document, numbers: list[int]) -> list[str]:
    """Return whether blocks are kept, comments and hidden."""
    comments, hidden = document.scores.comments, document.blocks.hidden
    # As bytes, which are asked for one after the other in a fraction of the time that arrays take.
    said = b"" if comments is None else comments.tobytes()
    return fates(numbers, document.kept.tobytes(), said, hidden.tobytes(), FATES)


def _kinds(blocks: Blocks, numbers: list[int], places: Places, *, every: bool) -> list[str]:
    """Return kinds, and what only some have: a heading's level, a list item's depth, a cell's row and column."""
    codes = blocks.codes(None if every else numbers)
    kinds = [KNOWN[code] for code in codes]
    if CELL in codes:
        for place, code in enumerate(codes):
            if code == CELL and (cell := places.cell(numbers[place])):
                kinds[place] = f'{KINDS[CELL]}, "row": {cell[0]}, "column": {cell[1]}'
    return kinds


def _more(document: Document, numbers: list[int], places: Places, *, every: bool) -> list[str]:
    """Return what was asked for beyond the common: places in the tree and the source, and the facts that decided."""
    more = [""] * len(numbers)
    if every:
        sources = (encode(places.source(number)) for number in numbers)
        paths = (quoted(places.xpath(number)) for number in numbers)
        more = [f', "xpath": {path}, "source": {source}' for path, source in zip(paths, sources, strict=True)]
    if document.because is not None:
        facts = (encode(document.because[number]) for number in numbers)
        more = [f'{said}, "because": {fact}' for said, fact in zip(more, facts, strict=True)]
    return more

"""json: one object per page, on one line: its metadata, and its blocks with text, score, letter, kind and span.

Texts are as they are written; spans are those of the page's own text, which may have more (see `dehusk.writing`).

What a method or the page does not tell is null: the page's kind and confidence, its date, whether a block is a reader's
comment. "because" is there if explanations were requested. Where a block is in the tree ("xpath") and in the source
("source") is written with `every` block only, because finding it takes longer than the extraction; a path of more than
500 characters is null.
"""

from dataclasses import fields
from typing import Final

import numpy as np

from dehusk.block_locations import BlockLocations
from dehusk.blocks import Blocks, Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.formats.fast_rows import (
    block_flags,
    encode,
    escaped_blocks,
    joined_blocks,
    json_escaped,
    json_members,
    json_rows,
    json_string,
)
from dehusk.metadata import Metadata
from dehusk.reasons import reason_fields
from dehusk.whole_words import span_columns

BOOLEANS: Final = ("false", "true")
KINDS: Final = [f'"kind": {json_string(kind.label)}' for kind in Kind]
CELL: Final = int(Kind.CELL)
FIELDS: Final = [field.name for field in fields(Metadata)]
# The kind of a block by its code, a number that holds both kind and level.
KIND_BY_CODE: Final = {
    **dict(enumerate(KINDS)),
    **{level << 8 | Kind.HEADING: f'{KINDS[Kind.HEADING]}, "level": {level}' for level in range(7)},
    **{depth << 8 | Kind.ITEM: f'{KINDS[Kind.ITEM]}, "depth": {depth}' for depth in range(256)},
}
# The flags of a block, by whether it is kept, is a comment (null: unknown) and is hidden.
FLAGS: Final = [
    [
        [f'"kept": {kept}, "comment": {comment}, "hidden": {hidden}' for hidden in BOOLEANS]
        for comment in (*BOOLEANS, "null")
    ]
    for kept in BOOLEANS
]


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block and its location, as JSON.

    >>> import json
    >>> from dehusk import extract
    >>> json.loads(render(extract("<h1>A title</h1>", method="alltext")))["blocks"][0]["kind"]
    'heading'
    """
    page, metadata = document.page, document.metadata
    record = {
        "url": page.url,
        "charset": page.charset,
        "doctype": page.doctype,
        "method": document.scores.model,
        "threshold": document.threshold,
        "kind": document.kind,
        "confidence": None if document.confidence is None else round(document.confidence, 4),
        **reason_fields(document.reason),
        # "origin" tells, for each field that the page states, where.
        "metadata": {name: getattr(metadata, name) for name in FIELDS},
    }
    text, blocks = _blocks(document, document.written(every=every, nfc=look.nfc), every=every)
    # Writing the parts that are the same for all pages and blocks by hand takes a third of the time.
    return f'{{{json_members(record)}, "text": "{text}", "blocks": [{", ".join(blocks)}]}}'


def _blocks(document: Document, written: Document, *, every: bool) -> tuple[str, list[str]]:
    """Return the whole text, and the blocks that are written: their texts as they are `written`, all else as it is."""
    blocks = document.blocks
    indexes = list(range(len(blocks))) if every else np.flatnonzero(document.kept).tolist()
    locations = BlockLocations(document.page, blocks)
    kinds, extras = _kinds(blocks, indexes, locations, every=every), _extras(document, indexes, locations, every=every)
    values = np.ascontiguousarray(document.scores.values, np.float64)  # whatever type a method gave them
    edges = span_columns(written.blocks)
    texts = escaped_blocks(written.page.text, indexes, *edges)
    # Joining the escaped blocks avoids escaping each letter twice.
    text = joined_blocks(written.page.text, written.spans, texts, indexes, *edges)
    text = json_escaped(written.text) if text is None else text
    comments = document.scores.comments
    # As bytes, since reading them one by one takes a fraction of the time that arrays take.
    columns = (document.kept.tobytes(), b"" if comments is None else comments.tobytes(), blocks.hidden.tobytes())
    flags = block_flags(indexes, *columns, FLAGS)
    return text, json_rows(texts, indexes, *span_columns(blocks), values, flags, kinds, extras)


def _kinds(blocks: Blocks, indexes: list[int], locations: BlockLocations, *, every: bool) -> list[str]:
    """Return kinds, with the level of a heading, the depth of a list item, the row and column of a cell."""
    codes = blocks.codes(None if every else indexes)
    kinds = [KIND_BY_CODE[code] for code in codes]
    if CELL in codes:
        for row, code in enumerate(codes):
            if code == CELL and (cell := locations.cell(indexes[row])):
                kinds[row] = f'{KINDS[CELL]}, "row": {cell[0]}, "column": {cell[1]}'
    return kinds


def _extras(document: Document, indexes: list[int], locations: BlockLocations, *, every: bool) -> list[str]:
    """Return what is written on request only: locations in the tree and the source, and the reasons for a score."""
    extras = [""] * len(indexes)
    if every:
        spans = (locations.source(index) for index in indexes)
        sources = (f"[{span[0]}, {span[1]}]" if span else "null" for span in spans)
        paths = (locations.xpath(index) for index in indexes)
        names = ("null" if path is None else json_string(path) for path in paths)
        extras = [f', "xpath": {path}, "source": {source}' for path, source in zip(names, sources, strict=True)]
    if document.because is not None:
        reasons = (encode(document.because[index]) for index in indexes)
        extras = [f'{extra}, "because": {reason}' for extra, reason in zip(extras, reasons, strict=True)]
    return extras

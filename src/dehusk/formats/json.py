"""json: one object a page on one line: its metadata, and its blocks with text, score, letter, kind and span.

What a method or the page does not tell is null: the page's kind and confidence, its date, whether a block is a reader's
comment. "because" is there or not, as explanations were asked for or not. Where a block stands in the tree ("xpath")
and in the source ("source") is told where every block is written; to find that out takes longer than the extraction.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from json.encoder import encode_basestring as quoted
from typing import Any, Final

import numpy as np

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look
from dehusk.metadata import Metadata
from dehusk.places import Places

SUFFIX = ".json"
KINDS: Final = [f'"kind": {quoted(kind.label)}' for kind in Kind]
LEVELS: Final = {int(Kind.HEADING): '"level": ', int(Kind.ITEM): '"depth": '}
CELL: Final = int(Kind.CELL)
FIELDS: Final = [field.name for field in fields(Metadata)]
WORDS: Final = {True: "true", False: "false", None: "null"}
written: Final = json.JSONEncoder(ensure_ascii=False).encode


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write the kept blocks, or every block and its places, as JSON.

    >>> from dehusk import extract
    >>> json.loads(render(extract("<h1>A title</h1>", method="alltext")))["blocks"][0]["kind"]
    'heading'
    """
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
        "metadata": _metadata(document.metadata),
        "text": document.text,
    }
    # Blocks are many and all alike: written by hand they take a third of the time.
    return f'{written(record)[:-1]}, "blocks": [{", ".join(_blocks(document, every=every))}]}}'


def _metadata(found: Metadata) -> dict[str, Any]:
    """Return every field by its name; "origin" has, for each one that the page tells, where it does."""
    return {name: getattr(found, name) for name in FIELDS}


def _blocks(document: Document, *, every: bool) -> Iterator[str]:
    blocks, scores, text, letters = document.blocks, document.scores, document.page.text, document.scores.letters
    chosen = np.arange(len(blocks)) if every else np.flatnonzero(document.kept)
    places, numbers = Places(document.page, blocks), chosen.tolist()
    comments = np.full(len(blocks), None) if scores.comments is None else scores.comments
    columns = (blocks.start, blocks.end, scores.values, document.kept, comments, blocks.hidden)
    kinds, more = _kinds(document, numbers, places), _more(document, numbers, places, every=every)
    rows = zip(numbers, kinds, more, *(column[chosen].tolist() for column in columns), strict=True)
    for number, kind, rest, start, end, value, kept, comment, hidden in rows:
        score = f"{value:.4f}" if value >= 0 else "null"  # what was not scored is NaN, which is neither more nor less
        yield (
            f'{{"text": {quoted(text[start:end])}, {kind}, "score": {score}, "letter": "{letters[number]}", '
            f'"kept": {WORDS[kept]}, "comment": {WORDS[comment]}, "hidden": {WORDS[hidden]}, '
            f'"start": {start}, "end": {end}{rest}}}'
        )


def _kinds(document: Document, numbers: list[int], places: Places) -> Iterator[str]:
    """Yield kinds, and what only some have: a heading's level, a list item's depth, a cell's row and column."""
    kinds, levels = (column.tolist() for column in document.blocks.kinds())
    for number in numbers:
        kind = kinds[number]
        if kind in LEVELS:
            yield f"{KINDS[kind]}, {LEVELS[kind]}{levels[number]}"
        elif kind == CELL and (cell := places.cell(number)):
            yield f'{KINDS[kind]}, "row": {cell[0]}, "column": {cell[1]}'
        else:
            yield KINDS[kind]


def _more(document: Document, numbers: list[int], places: Places, *, every: bool) -> Iterable[str]:
    """Return what was asked for beyond the common: places in the tree and the source, and the facts that decided."""
    more = [""] * len(numbers)
    if every:
        sources = (written(places.source(number)) for number in numbers)
        paths = (quoted(places.xpath(number)) for number in numbers)
        more = [f', "xpath": {path}, "source": {source}' for path, source in zip(paths, sources, strict=True)]
    if document.because is not None:
        facts = (written(document.because[number]) for number in numbers)
        more = [f'{said}, "because": {fact}' for said, fact in zip(more, facts, strict=True)]
    return more

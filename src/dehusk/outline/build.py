"""From a document to its outline."""

from typing import TYPE_CHECKING

import numpy as np

from dehusk.document import Document
from dehusk.html_tables import DataTables
from dehusk.outline import footnotes, formulas, insertions
from dehusk.outline.fast_builder import OutlineBuilder
from dehusk.outline.fast_contexts import TextContexts
from dehusk.outline.fast_leaf_ranges import kept_leaves
from dehusk.outline.nodes import PLAIN, Annotation, Look, Outline
from dehusk.page import Span
from dehusk.page.leaves import BoolArray

if TYPE_CHECKING:
    from dehusk.metadata.claims import Claims


def outline(document: Document, *, every: bool = False, look: Look = PLAIN, claims: "Claims | None" = None) -> Outline:
    """Return the outline of what is kept of a document, or of `every` block with its annotation, as it is written.

    It may need the title; `claims` saves reading what the page says of itself again.

    >>> from dehusk import extract
    >>> outline(extract("<h1>Fish</h1><p>Fry", method="alltext")).events
    [LeafBlock(kind=2, content='Fish', level=1), LeafBlock(kind=1, content='Fry', level=0)]
    """
    document = document.written(every=every, nfc=look.nfc)
    page, leaves = document.page, document.page.leaves
    spans, annotations = _annotated_spans(document) if every else (document.spans, [])
    chosen = kept_leaves(spans, leaves.start, leaves.end, leaves.gap, leaves.state, footnotes.MAX_REFERENCE_LENGTH)
    kept: BoolArray = np.frombuffer(chosen.kept, np.bool_)
    contexts = TextContexts(page, look, DataTables(page.elements))
    if replacing := formulas.in_elements(page.elements):
        contexts.replace(replacing)
    if chosen.short_links:
        footnotes.find(page, kept, chosen.short_links, contexts)
    inserted = insertions.find(page, kept, images=look.images) if page.tree else []
    outlined = OutlineBuilder(page, contexts, inserted).build(spans, chosen.ranges, annotations)
    if every or not document.selection.adds_title:
        return outlined
    from dehusk.outline.title import with_title  # noqa: PLC0415  (loads the metadata, which not all need)

    return with_title(document, outlined, contexts, claims)


def _annotated_spans(document: Document) -> tuple[list[Span], list[Annotation]]:
    """Return every block with its annotation; one that cuts through a word is joined to the block before it."""
    text, blocks = document.page.text, document.blocks
    spans: list[Span] = []
    annotations: list[Annotation] = []
    starts, ends = blocks.start.tolist(), blocks.end.tolist()
    scores, kept = document.scores.values.tolist(), document.kept.tolist()
    for start, end, score, is_kept in zip(starts, ends, scores, kept, strict=True):
        if start == end:  # a block of nothing but what is not written
            continue
        if spans and spans[-1][1] == start and not (text[start].isspace() or text[start - 1].isspace()):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
            annotations.append(Annotation(score, is_kept))
    return spans, annotations

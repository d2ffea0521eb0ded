"""assemble: from scored blocks to a document, by the threshold and the selection."""

from dataclasses import replace

import numpy as np

from dehusk.blocks import Blocks
from dehusk.document import Document
from dehusk.errors import UsageError
from dehusk.page import Page, Span
from dehusk.reasons import Code, Reason, cut_off, joined
from dehusk.scores import Scores
from dehusk.selection import BY_SCORE, Selection, decided_by_rule, selected
from dehusk.whole_words import whole_words
from dehusk.writing.invisible import VISIBLE, has_glosses


def assemble(
    page: Page, blocks: Blocks, scores: Scores, threshold: float = 0.5, selection: Selection = BY_SCORE
) -> Document:
    """Keep the blocks that score below the threshold, or have no score, subject to the selection.

    >>> page = Page.from_html("<p>Menu<p>Some text.")
    >>> from dehusk.blocks import cut
    >>> blocks = cut(page)
    >>> assemble(page, blocks, Scores(blocks, np.array([0.9, 0.1]), "demo")).text
    'Some text.'
    """
    check_threshold(threshold)
    kept = selected(blocks, scores, threshold, selection)
    if selection.headline != "auto":
        from dehusk.selection.headline import with_headline  # noqa: PLC0415  (loads the metadata, and few need it)

        kept = with_headline(kept, page, blocks, scores, selection.headline)
    spans = whole_words(blocks, kept)
    reason = _reason(page, blocks, scores, spans)
    length = sum(end - start for start, end in spans) if selection.min_length else 0
    if spans and length < selection.min_length:
        if not scores.unscored:
            reason = Reason(Code.TOO_SHORT, limit=selection.min_length, seen=length)
        kept, spans = np.zeros_like(kept), []
    document = Document(page, blocks, scores, kept, spans, threshold, reason, selection=selection)
    if not reason and has_glosses(page) and not document.text.strip():  # nothing but glosses is kept
        return replace(document, reason=Reason(Code.NO_MAIN_TEXT))
    return document


def explained(document: Document, because: list[tuple[str, ...]]) -> Document:
    """Return the document with the facts that decided on each block; a rule that overruled the score comes first."""
    facts, kept = list(because), document.kept.tolist()
    rules = decided_by_rule(document.blocks, document.scores, document.threshold, document.selection)
    for index, rule in rules.items():
        facts[index] = (f"{'+' if kept[index] else '-'} {rule}", *facts[index])
    return replace(document, because=facts)


def check_threshold(threshold: float) -> None:
    """Raise UsageError unless a threshold lies between 0 and 1."""
    if not 0 <= threshold <= 1:
        hint = f"; did you mean {threshold / 100:g}?" if 1 < threshold <= 100 else ""
        raise UsageError(f"threshold must lie between 0 and 1, got {threshold:g}{hint}", setting="threshold")


def _reason(page: Page, blocks: Blocks, scores: Scores, spans: list[Span]) -> Reason | None:
    incomplete = None if blocks.complete else cut_off(len(blocks), "blocks")
    if scores.unscored:
        return joined(scores.reason or Reason(Code.NOT_SCORED), page.reason or incomplete)
    if page.reason:
        return page.reason
    if not len(blocks):
        return Reason(Code.NO_TEXT)
    # Kept blocks may hold nothing but parts of words that go to dropped ones, or characters that are not written.
    if not any(VISIBLE.search(page.text, start, end) for start, end in spans):
        return joined(Reason(Code.NO_MAIN_TEXT), incomplete)
    return incomplete or scores.reason

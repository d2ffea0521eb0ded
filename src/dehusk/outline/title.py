"""The title that an outline begins with: the headline, or what the page's head gives as its title."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final

from dehusk.document import Document
from dehusk.metadata.claims import Claims
from dehusk.metadata.fast_clean_text import folded
from dehusk.outline import kinds
from dehusk.outline.fast_builder import OutlineBuilder
from dehusk.outline.fast_contexts import TextContexts
from dehusk.outline.fast_leaf_ranges import kept_leaves
from dehusk.outline.fast_nodes import Container, InlineRun, LeafBlock
from dehusk.outline.nodes import Content, Event, Outline
from dehusk.page import Page, Span
from dehusk.selection.headline import MAX_LENGTH, find_headline, says_the_same

FIRST_BLOCKS: Final = 3  # among which the title may be already


def with_title(document: Document, outlined: Outline, contexts: TextContexts, claims: Claims | None = None) -> Outline:
    """Return an outline with the title as a heading of level 1.

    A headline that is kept stays where it is. One that was dropped, or a title that the page does not show, is put at
    the beginning unless one of the first blocks says the same.
    """
    headline = find_headline(document.page, document.kind, claims) if document.spans else None
    if headline is None:
        return outlined
    events, span = outlined.events, headline.span
    if span is not None and _is_kept(span, document.spans):
        shown = next((pair for pair in _leaf_blocks(events) if span[0] <= pair[0].start < span[1]), None)
        if shown and shown[1] == 0:  # else it is in a list, a table or the like
            _promote(shown[0])
        return outlined
    if same := _same(events, headline.title):
        _promote(same)
        return outlined
    if span is not None:
        return _with_dropped(document, outlined, contexts, span)
    # A page that shows a title of its own needs no other.
    if any(leaf.kind == kinds.HEADING and leaf.level == 1 for leaf, _ in _leaf_blocks(events)):
        return outlined
    return Outline([LeafBlock(kinds.HEADING, headline.title, 1), *events], outlined.replaced)


def _same(events: list[Event], title: str) -> LeafBlock | None:
    """Return what says the title already: the first block if it has most of it, or one of the next that equals it.

    What is in a list or a table, such as the caption of a box of facts, does not count, and neither does running text.
    """
    for index, (leaf, depth) in enumerate(islice(_leaf_blocks(events), FIRST_BLOCKS)):
        text = _text(leaf) if depth == 0 else ""
        if not 0 < len(text) <= MAX_LENGTH:
            continue
        if folded(text) == folded(title) or (index == 0 and says_the_same(text, title)):
            return leaf
    return None


def _is_kept(span: Span, kept: list[Span]) -> bool:
    after = bisect_left(kept, (span[1], span[1]))
    return after > 0 and kept[after - 1][1] > span[0]


def _leaf_blocks(events: list[Event]) -> Iterator[tuple[LeafBlock, int]]:
    """Yield the leaf blocks with the number of containers around each."""
    depth = 0
    for event in events:
        if isinstance(event, LeafBlock):
            yield event, depth
        else:
            depth += 1 if isinstance(event, Container) else -1


def _promote(leaf: LeafBlock) -> None:
    """Make a leaf block a heading of level 1."""
    if leaf.kind in (kinds.PARAGRAPH, kinds.HEADING):
        leaf.kind, leaf.level = kinds.HEADING, 1


def _text(leaf: LeafBlock) -> str:
    if isinstance(leaf.content, str):
        return leaf.content
    return "".join([run.gap + run.content for run in leaf.content if isinstance(run.content, str)])


def _with_dropped(document: Document, outlined: Outline, contexts: TextContexts, span: Span) -> Outline:
    """Return an outline that begins with a headline that was dropped."""
    content, replaced = _content(document.page, contexts, span)
    title = LeafBlock(kinds.HEADING, content, 1)
    # What is moved up has no span between what comes before and after it.
    if span[1] <= document.spans[0][0]:
        title.start, title.end = span
    return Outline([title, *outlined.events], [*replaced, *outlined.replaced])


def _content(page: Page, contexts: TextContexts, span: Span) -> tuple[Content, list[Span]]:
    """Return what a span of a page holds as one line, and what is replaced in it."""
    leaves = page.leaves
    first = int(leaves.start.searchsorted(span[0]))
    # Most headlines are one text node without anything to it.
    is_one = first < len(leaves) and (leaves.start[first], leaves.end[first]) == span
    if is_one and contexts.is_plain(int(leaves.element[first])):
        return page.text[slice(*span)], []
    ranges = kept_leaves([span], leaves.start, leaves.end, leaves.gap, leaves.state, 0).ranges
    events, replaced = OutlineBuilder(page, contexts, []).build([span], ranges, [])
    runs: list[InlineRun] = []
    for leaf, _ in _leaf_blocks(events):
        own = [InlineRun("", leaf.content)] if isinstance(leaf.content, str) else leaf.content
        runs += [InlineRun(" " if runs else "", own[0].content, own[0].style, own[0].link), *own[1:]]
    return runs, replaced

"""Chunks: a document in pieces for retrieval, which follow its headings.

- A chunk has at most as many words as requested. Tables, code blocks, footnotes and headings are never cut, so one that
  is longer than that is a chunk that is longer. Headings before the text of a chunk do not count.
- A section is a heading with all that is below it, up to the next heading of its level or above, or up to the end of
  the list or quote that the heading is in. A section that is short enough is one chunk, subsections included. Otherwise
  each of its subsections begins a new chunk; so no chunk has parts of two sections unless one is inside the other, or
  both are whole and inside a third, which is whole too.
- What a section says before its first subsection goes with that if both are short enough, or if it is very short and
  the subsection has to be cut anyway. A heading without text goes with what follows.
- Text of one section is cut between paragraphs, lists and quotes; lists that are too long between their items. Only a
  paragraph that is too long itself is cut: between sentences, and a sentence that is too long between words.
"""

from dataclasses import dataclass

from dehusk.characters import first_words, word_totals
from dehusk.chunks.parts import OutlinePart, parts_of, reopened, shared_length
from dehusk.chunks.sections import packed, section_tree
from dehusk.chunks.sentences import ParagraphCutter
from dehusk.chunks.source_spans import SourceSpans
from dehusk.document import Document
from dehusk.errors import UsageError
from dehusk.formats.markdown import MarkdownWriter
from dehusk.outline.build import outline
from dehusk.page import Span
from dehusk.writing import originals

__all__ = ["Chunk", "chunks"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document, as `Document.chunks` returns it.

    >>> import dehusk
    >>> html = "<h1>Soup</h1><p>Warm.</p><h2>Cooking</h2><p>Boil the peas.</p><h2>Serving</h2><p>Add bread."
    >>> chunk = dehusk.extract(html, method="alltext").chunks(words=4)[1]
    >>> chunk
    Chunk('## Cooking Boil the peas.', headings=('Soup', 'Cooking'), span=(11, 33), source=(29, 58))
    >>> print(chunk.text)
    ## Cooking
    <BLANKLINE>
    Boil the peas.
    """

    text: str
    """The piece in Markdown."""
    headings: tuple[str, ...]
    """The headings that all of the piece is under, from the top; those that it begins with are in its text too."""
    span: Span
    """Where it begins and ends in `page.text`; blocks that were dropped may lie in between."""
    source: Span | None
    """Where it begins and ends in `page.html`, None where the parser moved its text."""

    def __repr__(self) -> str:
        return f"Chunk({first_words(self.text)!r}, headings={self.headings}, span={self.span}, source={self.source})"


def chunks(document: Document, words: int = 300) -> list[Chunk]:
    """Return what is kept of a document in pieces of up to so many words."""
    if words < 1:
        raise UsageError(f"words must be at least 1, got {words}", setting="words")
    written = document.written()
    outlined = outline(written)
    totals = word_totals(written.page.text)
    tree = section_tree(parts_of(outlined.events, totals))
    cutter = ParagraphCutter(written, outlined.replaced, words)
    sources = SourceSpans(document.page)
    original = originals(document.page, document.spans, separate=document.selection.refine)
    pieces, reached = list[Chunk](), 0
    for group in packed(tree, words, cutter.pieces):
        placed = [part for part in group if part.start >= 0]
        # A drawn formula alone is nowhere in the text.
        span = original((placed[0].start, placed[-1].end)) if placed else (reached, reached)
        reached = span[1]
        source = sources.source(span) if placed else None
        pieces.append(Chunk(MarkdownWriter().write(reopened(group)), _common_headings(group), span, source))
    return pieces


def _common_headings(group: list[OutlinePart]) -> tuple[str, ...]:
    """Return the headings that all text of a chunk is under; if it is nothing but headings, those of the first."""
    paths = [part.headings for part in group if not part.level] or [group[0].headings]
    common = paths[0]
    for path in paths:
        common = common[: shared_length(common, path)]
    return tuple(heading.title for heading in common)

"""Document: a page with its scored blocks and the choice of what to keep."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from dehusk.blocks import Blocks
from dehusk.characters import first_words, joins_words, word_totals
from dehusk.errors import UsageError
from dehusk.fast_spans import joined, whole_pieces
from dehusk.html_tables import DataTables, enclosing_tables
from dehusk.page import Page
from dehusk.page.leaves import BoolArray
from dehusk.scores import Scores

if TYPE_CHECKING:
    from dehusk.chunks import Chunk
    from dehusk.metadata import Metadata

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is kept or dropped apart from the scores."""

    comments: bool = False  # keep readers' comments under an article too
    tables: bool = True  # keep text in tables of data
    min_length: int = 0  # characters; a page with fewer is treated as empty

    def __post_init__(self) -> None:
        if self.min_length < 0:
            raise UsageError(f"min_length must be at least 0, got {self.min_length}")


BY_SCORE: Final = Selection()


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A page with its result: nothing is deleted, every block has its score, and `kept` says what to render.

    >>> import dehusk
    >>> document = dehusk.extract("<title>Rain</title><h1>Rain</h1><p>It rained <b>all</b> day.", method="alltext")
    >>> document
    Document(title='Rain', words=5, text='Rain It rained all day.')
    >>> document.text
    'Rain\\nIt rained all day.'
    >>> print(document.markdown())
    # Rain
    <BLANKLINE>
    It rained **all** day.
    """

    page: Page
    blocks: Blocks = field(repr=False)
    scores: Scores = field(repr=False)
    kept: BoolArray = field(repr=False)
    spans: list[Span] = field(repr=False)  # of the kept text in the page's text, in whole words
    threshold: float
    reason: str  # why the text is empty or incomplete; "" when all went well
    # For each block the facts that decided, the weightiest first; None unless requested.
    because: list[tuple[str, ...]] | None = field(default=None, repr=False)
    selection: Selection = BY_SCORE  # what was requested apart from the scores

    def __post_init__(self) -> None:
        if self.because is not None and len(self.because) != len(self.blocks):
            raise UsageError(f"{self.scores.model} explained {len(self.because)} of {len(self.blocks)} blocks")

    def __repr__(self) -> str:
        text = self.text
        shown = {
            "title": self.page.title[:80],
            "kind": self.kind,
            "words": int(word_totals(text)[-1]),
            "text": first_words(text),
            "reason": self.reason,
        }
        fields = [f"{name}={value!r}" for name, value in shown.items() if value is not None and value != ""]
        return f"Document({', '.join(fields)})"

    @property
    def kind(self) -> str | None:
        """The kind of the page, such as 'article'; None if the method does not classify pages."""
        return self.scores.verdict.kind if self.scores.verdict else None

    @property
    def confidence(self) -> float | None:
        """How good the method expects its choice of blocks to be, from 0 to 1; None if it does not say."""
        return self.scores.verdict.confidence if self.scores.verdict else None

    @property
    def metadata(self) -> "Metadata":
        """Title, authors, dates and so on; computed on each access, so keep the result."""
        from dehusk.metadata import read_kept  # noqa: PLC0415  (a fifth of the import time, and not always needed)

        return read_kept(self.page, self.spans, self.kind)

    @property
    def text(self) -> str:
        """The kept text, one line per block."""
        return joined(self.page.text, self.spans)

    def markdown(
        self, *, links: bool = False, images: bool = False, formatting: bool = True, metadata: bool = False
    ) -> str:
        """Return the kept text as Markdown: headings, lists, tables, code, emphasis.

        `links` and `images` add the addresses of links and images; `formatting=False` leaves out emphasis and the like;
        `metadata` puts title, authors, dates and so on before the text.

        >>> import dehusk
        >>> html = "<ul><li>Peel<li><a href=/fry>Fry</a></ul>"
        >>> print(dehusk.extract(html, url="https://a.org/", method="alltext").markdown(links=True))
        - Peel
        - [Fry](https://a.org/fry)
        """
        return self.render("markdown", links=links, images=images, formatting=formatting, metadata=metadata)

    def html(self, *, links: bool = False, images: bool = False, formatting: bool = True) -> str:
        """Return the kept text as an HTML document of plain elements, safe to show; options as for `markdown`.

        >>> import dehusk
        >>> print(dehusk.extract("<p onclick=x>Fish <b>&</b> chips", method="alltext").html())
        <!DOCTYPE html>
        ...
        <p>Fish <strong>&amp;</strong> chips</p>
        ...
        """
        return self.render("html", links=links, images=images, formatting=formatting)

    def json(self, *, every: bool = False) -> str:
        """Return metadata, text and the kept blocks as JSON; with `every` block also its place in tree and source.

        >>> import dehusk, json
        >>> json.loads(dehusk.extract("<h1>Rain</h1>", method="alltext").json())["blocks"][0]["kind"]
        'heading'
        """
        return self.render("json", every=every)

    def render(
        self,
        name: str,
        *,
        every: bool = False,
        links: bool = False,
        images: bool = False,
        formatting: bool = True,
        metadata: bool = False,
    ) -> str:
        """Return the document in the format of that name: text, markdown, html, json, xml, tei, cleaneval or report.

        With `every`, blocks that are not kept are written too, each with its score. The other options are those of
        `markdown`; a format that cannot show something leaves it out.

        >>> import dehusk
        >>> print(dehusk.extract("<h1>Rain</h1><p>It rained.", method="alltext").render("text", every=True))
        a 0.00 + heading 1    Rain
        a 0.00 + paragraph    It rained.
        """
        from dehusk.formats import Look, render  # noqa: PLC0415  (the stage after this one: the one exception)

        return render(self, name, every=every, look=Look(links, images, formatting, metadata))

    def chunks(self, words: int = 300) -> "list[Chunk]":
        """Return the kept text in pieces for retrieval, of up to so many words each, in Markdown.

        Pieces follow the headings, each has the headings that it is under, and tables and code blocks are never cut;
        the module `dehusk.chunks` has the rules. Together they have every word once.

        >>> import dehusk
        >>> document = dehusk.extract("<h1>Rain</h1><p>It rained.<h2>Sun</h2><p>It shone.", method="alltext")
        >>> [(chunk.headings, chunk.text) for chunk in document.chunks(words=3)]
        [(('Rain',), '# Rain\\n\\nIt rained.'), (('Rain', 'Sun'), '## Sun\\n\\nIt shone.')]
        """
        from dehusk.chunks import chunks  # noqa: PLC0415  (as above)

        return chunks(self, words)

    @property
    def pieces(self) -> list[tuple[int, Span]]:
        """The kept text block by block: the number of a block and its span, which ends where a word does.

        Blocks that touch without white space between them, as in a cut at every tag, are one piece with the number of
        the first: written separately they would break words.
        """
        start, end = (np.ascontiguousarray(column, np.int32) for column in (self.blocks.start, self.blocks.end))
        whole = whole_pieces(self.spans, np.ascontiguousarray(self.kept).view(np.uint8), start, end)
        return _split_at_blocks(self.blocks, self.spans) if whole is None else whole


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
    kept = ~(scores.values >= threshold)
    if selection.comments and scores.comments is not None:
        kept |= scores.comments
    if not selection.tables:
        kept &= ~in_tables(blocks)
    spans = _whole_words(blocks, kept)
    reason = _reason(page, blocks, spans) or scores.reason
    length = sum(end - start for start, end in spans) if selection.min_length else 0
    if spans and length < selection.min_length:
        reason = f"too short: {length:,} characters, fewer than {selection.min_length:,}"
        kept, spans = np.zeros_like(kept), []
    return Document(page, blocks, scores, kept, spans, threshold, reason, selection=selection)


def in_tables(blocks: Blocks) -> BoolArray:
    """Return which blocks are in a table of data."""
    if "table" not in blocks.elements.tag:
        return np.zeros(len(blocks), np.bool_)
    enclosing, tables = enclosing_tables(blocks.elements)[0][blocks.owner].tolist(), DataTables(blocks.elements)
    inside = (table >= 0 and bool(tables.cells(table)) for table in enclosing)
    return np.fromiter(inside, np.bool_, len(blocks))


def check_threshold(threshold: float) -> None:
    """Raise UsageError unless a threshold lies between 0 and 1."""
    if not 0 <= threshold <= 1:
        hint = f"; did you mean {threshold / 100:g}?" if 1 < threshold <= 100 else ""
        raise UsageError(f"threshold must lie between 0 and 1, got {threshold:g}{hint}")


def _whole_words(blocks: Blocks, kept: BoolArray) -> list[Span]:
    """Return the spans of the kept blocks; a word that is cut goes to the side that has more of it."""
    spans = list(zip(blocks.start[kept].tolist(), blocks.end[kept].tolist(), strict=True))
    words = cut_words(blocks)
    if not words:
        return spans
    mask = _mask(blocks.text, spans)
    for left, right in words:
        mask[left:right] = 2 * np.count_nonzero(mask[left:right]) >= right - left
    starts, ends = {left for left, _ in spans}, {right for _, right in spans}
    return [_trimmed(blocks.text, run, starts, ends) for run in _runs(mask) if blocks.text[slice(*run)].strip()]


def _split_at_blocks(blocks: Blocks, spans: list[Span]) -> list[tuple[int, Span]]:
    """Return spans split where a block begins after white space, each with the number of the block it begins in."""
    text, kept = blocks.text, _mask(blocks.text, spans)
    begins = [edge for edge in blocks.start.tolist() if any(map(str.isspace, text[edge - 1 : edge + 1]))]
    edges = np.array(begins, np.int64)
    pieces = []
    for left, right in _runs(kept):
        inside = edges[np.searchsorted(edges, left, "right") : np.searchsorted(edges, right)].tolist()
        for start, end in pairwise((left, *inside, right)):
            number = int(np.searchsorted(blocks.end, start, "right"))  # the first block that ends after it
            pieces.append((min(number, len(blocks) - 1), (start, end)))
    return pieces


def cut_words(blocks: Blocks) -> list[Span]:
    """Return the words that the edges of blocks cut: kept whole if at least half of their characters are."""
    words: list[Span] = []
    for edge in _edges_in_words(blocks):
        if not words or edge >= words[-1][1]:  # else its word is there already
            words.append(_word_around(blocks.text, edge))
    return words


def _edges_in_words(blocks: Blocks) -> list[int]:
    """Return the edges of blocks inside words. The usual cut has none: line ends separate its blocks."""
    text, start, end = blocks.text, blocks.start, blocks.end
    if not len(blocks):
        return []
    close = start[1:] - end[:-1] != 1
    if start[0] == 0 and end[-1] == len(text) and not close.any():
        return []
    candidates = {int(start[0]), *end[:-1][close].tolist(), *start[1:][close].tolist(), int(end[-1])} - {0, len(text)}
    return sorted(edge for edge in candidates if joins_words(text[edge - 1]) and joins_words(text[edge]))


def _word_around(text: str, place: int) -> Span:
    left = right = place
    while left > 0 and joins_words(text[left - 1]):
        left -= 1
    while right < len(text) and joins_words(text[right]):
        right += 1
    return left, right


def _trimmed(text: str, run: Span, starts: set[int], ends: set[int]) -> Span:
    """Return a run without the white space that the loss of a word has exposed at its ends."""
    left, right = run
    piece = text[left:right]
    return (
        left if left in starts else left + len(piece) - len(piece.lstrip()),
        right if right in ends else right - len(piece) + len(piece.rstrip()),
    )


def _mask(text: str, spans: list[Span]) -> BoolArray:
    """Return which characters of a text are in the spans."""
    mask = np.zeros(len(text), np.bool_)
    for left, right in spans:
        mask[left:right] = True
    return mask


def _runs(mask: BoolArray) -> list[Span]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _reason(page: Page, blocks: Blocks, spans: list[Span]) -> str:
    if page.reason:
        return page.reason
    if not len(blocks):
        return "no text"
    cut_off = "" if blocks.complete else f"cut off after {len(blocks):,} blocks"
    # Kept blocks may hold nothing but parts of words that go to dropped ones.
    if not any(start < end for start, end in spans):
        return f"no main text; {cut_off}" if cut_off else "no main text"
    return cut_off

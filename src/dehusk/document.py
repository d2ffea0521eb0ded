"""Document: a page with its scored blocks and the choice of what to keep."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from dehusk.blocks import Block, Blocks
from dehusk.characters import first_words, word_totals
from dehusk.errors import UsageError
from dehusk.fast_spans import joined, whole_pieces
from dehusk.page import Page, Span
from dehusk.page.leaves import BoolArray
from dehusk.reasons import Reason
from dehusk.scores import Scores
from dehusk.selection import BY_SCORE, Selection
from dehusk.whole_words import span_columns, split_at_blocks
from dehusk.writing import steps

if TYPE_CHECKING:
    from dehusk.chunks import Chunk
    from dehusk.metadata import Metadata


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
    reason: Reason | None  # why the text is empty or incomplete; None when all went well
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
            "reason": str(self.reason or ""),
        }
        fields = [f"{name}={value!r}" for name, value in shown.items() if value is not None and value != ""]
        return f"Document({', '.join(fields)})"

    @property
    def failed(self) -> bool:
        """Whether the page was refused, or the method could score no block of it; `reason` says why then."""
        return self.page.refused or self.scores.unscored

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
    def headline(self) -> Block | None:
        """The block that says what the title of the piece says, kept or not; computed on each access.

        >>> import dehusk
        >>> dehusk.extract("<title>Rain - The News</title><h1>Rain</h1><p>It rained.").headline.text
        'Rain'
        """
        from dehusk.selection.headline import as_block, find_headline, rows  # noqa: PLC0415  (as above)

        headline = find_headline(self.page, self.kind)
        return as_block(self.blocks, rows(self.blocks, headline.span)) if headline and headline.span else None

    @property
    def text(self) -> str:
        """The kept text, one line per block."""
        page, spans = self.page, self.spans
        for edits, page in steps(self.page, self.spans, separate=self.selection.refine):
            spans = edits.spans(spans, page.text)
        return joined(page.text, spans)

    def written(self, *, every: bool = False, nfc: bool = False, separate: bool | None = None) -> "Document":
        """Return the document as formats write what is kept of it, or `every` block: `dehusk.writing` says how.

        `separate` leaves out marks and sets glued words apart; None: if the document's method wants that.

        >>> import dehusk
        >>> dehusk.extract("<p>co\u00adoperate", method="alltext").written().page.text
        'cooperate'
        """
        document = self
        spans = [(0, len(self.page.text))] if every else self.spans
        separate = self.selection.refine if separate is None else separate
        for edits, page in steps(self.page, spans, separate=separate, nfc=nfc):
            blocks, spans = edits.blocks(document.blocks, page), edits.spans(document.spans, page.text)
            document = replace(document, page=page, blocks=blocks, spans=spans)
        return document

    def markdown(
        self,
        *,
        links: bool = False,
        images: bool = False,
        formatting: bool = True,
        metadata: bool = False,
        nfc: bool = False,
    ) -> str:
        """Return the kept text as Markdown: headings, lists, tables, code, emphasis.

        `links` and `images` add the addresses of links and images; `formatting=False` leaves out emphasis and the like;
        `metadata` puts title, authors, dates and so on before the text; `nfc` writes it in Unicode's composed form.

        >>> import dehusk
        >>> html = "<ul><li>Peel<li><a href=/fry>Fry</a></ul>"
        >>> print(dehusk.extract(html, url="https://a.org/", method="alltext").markdown(links=True))
        - Peel
        - [Fry](https://a.org/fry)
        """
        look = {"links": links, "images": images, "formatting": formatting, "metadata": metadata, "nfc": nfc}
        return self.render("markdown", **look)

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
        nfc: bool = False,
    ) -> str:
        """Return the document in a format: text, markdown, html, json, xml, tei, cleaneval, report or a plug-in's.

        With `every`, blocks that are not kept are written too, each with its score. The other options are those of
        `markdown`; a format that cannot show something leaves it out.

        >>> import dehusk
        >>> print(dehusk.extract("<h1>Rain</h1><p>It rained.", method="alltext").render("text", every=True))
        a 0.00 + heading 1    Rain
        a 0.00 + paragraph    It rained.
        """
        from dehusk.formats import Look, render  # noqa: PLC0415  (the stage after this one: the one exception)

        return render(self, name, every=every, look=Look(links, images, formatting, metadata, nfc))

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
        kept = np.ascontiguousarray(self.kept).view(np.uint8)
        whole = whole_pieces(self.spans, kept, *span_columns(self.blocks))
        return split_at_blocks(self.blocks, self.spans) if whole is None else whole

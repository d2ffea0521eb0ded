"""Writing: how what is kept of a page's text is written, in `Document.text` and by all formats alike.

Soft hyphens, other characters without width and ruby glosses are left out. For methods that want the rules of
`selection`, so are the page's own marks, and blanks go between words that only a style sheet sets apart. The text of
the page itself stays as it is, and so do all offsets into it.
"""

from collections.abc import Callable, Iterator

from dehusk.page import Page, Span
from dehusk.writing.composed import compositions
from dehusk.writing.edits import Edit, Edits
from dehusk.writing.glued_words import separators
from dehusk.writing.invisible import has_glosses, has_invisible, removals
from dehusk.writing.marks import marks

__all__ = ["originals", "steps"]


def steps(page: Page, spans: list[Span], *, separate: bool = True, nfc: bool = False) -> Iterator[tuple[Edits, Page]]:
    """Yield the steps from a page's text to what is written of these spans: edits, and the page that they make.

    The last step is to Unicode's composed form, if requested.

    The methods of the papers do not leave out marks and `separate` glued words, so that their figures remain theirs.

    >>> page = Page.from_html("<p><span>For agents</span><span>Auto\u00admate</span>")
    >>> [edited.text for _, edited in steps(page, [(0, len(page.text))])]
    ['For agentsAutomate', 'For agents Automate']
    """
    if (has_invisible(page.text) or has_glosses(page)) and (removed := removals(page)):
        edits = Edits(removed)
        page = edits.page(page)
        spans = edits.spans(spans, page.text)
        yield edits, page
    # A mark may have had a soft hyphen in it.
    if separate and (marked := marks(page, spans)):
        edits = Edits(removals(page, marked))
        page = edits.page(page)
        spans = edits.spans(spans, page.text)
        yield edits, page
    # What touches may have been separated by what was removed.
    if separate and (offsets := separators(page, spans)):
        edits = Edits([Edit(offset, offset, " ") for offset in offsets])
        page = edits.page(page)
        yield edits, page
    if nfc and (composed := compositions(page.text)):
        edits = Edits(composed)
        yield edits, edits.page(page)


def originals(page: Page, spans: list[Span], *, separate: bool = True) -> Callable[[Span], Span]:
    """Return a function from spans of what is written of a page to those of its own text."""
    back: list[Edits] = []
    for edits, changed in steps(page, spans, separate=separate):
        back.append(edits.reversed(page.text))
        page = changed

    def original(span: Span) -> Span:
        for edits in reversed(back):
            span = edits.span(span)
        return span

    return original

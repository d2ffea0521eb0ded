"""What an outline holds beside the nodes in `fast_nodes`: images, formulas, footnote references and annotations."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from dehusk.outline.fast_nodes import Container, ContainerEnd, InlineRun, LeafBlock

if TYPE_CHECKING:  # the command line needs `Look` where nothing is extracted
    from dehusk.page import Span


@dataclass(frozen=True, slots=True)
class Look:
    """What to show beside the words. A format that cannot show something leaves it out.

    `Document.render` takes these as keywords; `Extractor.extract_many` takes a `Look`.

    >>> import dehusk
    >>> pages = dehusk.Extractor("alltext").extract_many(
    ...     ["<p>Fry <b>twice</b>"], format="markdown", look=Look(formatting=False), jobs=1
    ... )
    >>> [page.output for page in pages]
    ['Fry twice']
    """

    links: bool = False  # where links point
    images: bool = False
    formatting: bool = True  # emphasis and the like
    metadata: bool = False  # title, authors, dates… before the text, where a format does not always write them
    nfc: bool = False  # the text in Unicode's composed form (NFC)


PLAIN: Final = Look()


class Annotation(NamedTuple):
    """What became of a block, where every block is written."""

    score: float  # NaN where the method gave none
    kept: bool


class Image(NamedTuple):
    """An image and its alternative text."""

    address: str
    words: str


class Formula(NamedTuple):
    """A formula in LaTeX."""

    tex: str
    display: bool  # whether it is on a line of its own


class FootnoteReference(NamedTuple):
    """A reference to a footnote: the label that it shares with the note, and its text on the page."""

    label: str
    text: str


InlineObject = Image | Formula | FootnoteReference
Content = str | list[InlineRun]
Event = LeafBlock | Container | ContainerEnd


class Outline(NamedTuple):
    """What is written of a page, in order: containers that open and end, and leaf blocks between them.

    `replaced` has the spans of the page's text that formulas and footnote references replace. Outside of these the leaf
    blocks hold each word that is written, once and in order.
    """

    events: list[Event]
    replaced: "list[Span]"

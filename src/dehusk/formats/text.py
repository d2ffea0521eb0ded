"""text: the kept text, a line a block; of `every` block its letter, score, fate, kind and text.

A reader's comment has `comment` for its kind, so that the columns stay as they are (json has both). Facts that decided
stand below their block; their lines alone begin with a blank.
"""

from collections.abc import Iterator

from dehusk.blocks import Block, Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look

SUFFIX = ".txt"


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write plain text.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Hello</h1><p>World", method="alltext"), every=True))
    a 0.00 + heading 1    Hello
    a 0.00 + paragraph    World
    """
    return "\n".join(_lines(document)) if every else document.text


def _lines(document: Document) -> Iterator[str]:
    """Yield a line a block, and below it the facts that decided, each with its sign in the column of + and -."""
    letters, values, kept = document.scores.letters, document.scores.values.tolist(), document.kept.tolist()
    comments = document.scores.comments
    for index, block in enumerate(document.blocks):
        name = "comment" if comments is not None and comments[index] else _name(block)
        fate = "+" if kept[index] else "-"
        yield f"{letters[index]} {values[index]:.2f} {fate} {name:<12} {_flat(block.text)}"
        for fact in document.because[index] if document.because else ():
            yield f"{'':7}{_flat(fact)}"


def _name(block: Block) -> str:
    return f"{block.kind.label} {block.level}" if block.kind in (Kind.HEADING, Kind.ITEM) else block.kind.label


def _flat(text: str) -> str:
    return " ".join(text.split())

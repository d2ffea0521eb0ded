"""text: the kept text, a line a block; of `every` block its letter, score, fate, kind and text."""

from dehusk.blocks import Block, Kind
from dehusk.document import Document

SUFFIX = ".txt"


def render(document: Document, *, every: bool = False) -> str:
    """Write plain text.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Hello</h1><p>World", method="alltext"), every=True))
    a 0.00 + heading 1    Hello
    a 0.00 + paragraph    World
    """
    if not every:
        return document.text
    rows = zip(document.scores.letters, document.scores.values, document.kept, document.blocks, strict=True)
    return "\n".join(
        f"{letter} {score:.2f} {'+' if kept else '-'} {_name(block):<12} {' '.join(block.text.split())}"
        for letter, score, kept, block in rows
    )


def _name(block: Block) -> str:
    return f"{block.kind.label} {block.level}" if block.kind in (Kind.HEADING, Kind.ITEM) else block.kind.label

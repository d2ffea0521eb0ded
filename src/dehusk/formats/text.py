"""text: the kept text, one line per block; with `every` block its letter, score, + or - for kept or dropped, and kind.

The kind of a reader's comment is `comment`, to keep the columns as they are (json has both). The reasons for a score
are below their block; only their lines begin with a space. The look may request the metadata, as front matter.
"""

from collections.abc import Iterator

from dehusk.blocks import Kind
from dehusk.document import Document
from dehusk.formats import PLAIN, Look


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write plain text.

    >>> from dehusk import extract
    >>> print(render(extract("<h1>Hello</h1><p>World", method="alltext"), every=True))
    a 0.00 + heading 1    Hello
    a 0.00 + paragraph    World
    """
    written = document.written(every=every, nfc=look.nfc) if every or look.nfc else document
    text = "\n".join(_lines(written)) if every else written.text
    if not look.metadata:
        return text
    from dehusk.formats.front_matter import front_matter  # noqa: PLC0415  (rarely needed, and every start waits)

    return f"{front_matter(document)}\n{text}"


def _lines(document: Document) -> Iterator[str]:
    """Yield one line per block, and below it the reasons, each with its sign in the column of + and -."""
    letters, values, kept = document.scores.letters, document.scores.values.tolist(), document.kept.tolist()
    comments = document.scores.comments
    for index, block in enumerate(document.blocks):
        kind = f"{block.kind.label} {block.level}" if block.kind in (Kind.HEADING, Kind.ITEM) else block.kind.label
        if comments is not None and comments[index]:
            kind = "comment"
        sign = "+" if kept[index] else "-"
        yield f"{letters[index]} {values[index]:.2f} {sign} {kind:<12} {_flat(block.text)}"
        for reason in document.because[index] if document.because else ():
            yield f"{'':7}{_flat(reason)}"


def _flat(text: str) -> str:
    return " ".join(text.split())

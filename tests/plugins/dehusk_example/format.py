"""numbered: the lines of the text with their numbers."""

from dehusk import Document
from dehusk.formats import PLAIN, Format, Look


def render(document: Document, *, every: bool = False, look: Look = PLAIN) -> str:
    """Write one numbered line per block."""
    written = document.written(every=every, nfc=look.nfc)
    lines = written.blocks.strings() if every else written.text.splitlines()
    return "\n".join(f"{number} {line}" for number, line in enumerate(lines, 1))


NUMBERED = Format("numbered", render, (".num",), "text/x-numbered", aliases=("num",), options=("nfc",))

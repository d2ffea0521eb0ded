"""Standard input, saved: what cannot be read twice becomes a file first, so that a run can go on after it stopped."""

import shutil
from pathlib import Path
from typing import IO, Final

from dehusk.compressed import suffix_by_content
from dehusk.corpus.files import whole
from dehusk.sources.archives import is_archive_content
from dehusk.sources.frames import LZ4, framing
from dehusk.sources.json_lines import OBJECT

STANDARD_INPUT: Final = "-"  # as an argument, and as the name of the file in the rows
NAME: Final = "input"
LOOKED_AT: Final = 2**16  # bytes, from which the kind of input is known


def find_input(folder: Path) -> Path | None:
    """Return where standard input was saved, complete; None if it was not."""
    return next(folder.glob(f"{NAME}.*"), None)


def save_input(stream: IO[bytes], folder: Path) -> Path:
    """Save all that comes from a stream and return its path, whose name says what it is; complete or not there."""
    head = stream.read(LOOKED_AT)
    path = folder / f"{NAME}{suffixes(head)}"
    with whole(path) as part, part.open("wb") as file:
        file.write(head)
        shutil.copyfileobj(stream, file, 2**20)
    return path


def suffixes(head: bytes) -> str:
    """Return how the name of a file that begins like this should end.

    >>> suffixes(b"WARC/1.0"), suffixes(b'{"html": "<p>"}'), suffixes(b"<p>One page")
    ('.warc', '.jsonl', '.html')
    """
    packing = ".lz4" if framing(head, STANDARD_INPUT) is LZ4 else suffix_by_content(head)
    content = _unpacked(head, packing)
    if is_archive_content(content):
        return f".warc{packing}"
    return f".jsonl{packing}" if OBJECT.match(content.removeprefix(b"\xef\xbb\xbf")) else f".html{packing}"


def _unpacked(head: bytes, packing: str) -> bytes:
    if packing in (".bz2", ".xz"):
        import bz2  # noqa: PLC0415  (rare)
        import lzma  # noqa: PLC0415

        decompressor = bz2.BZ2Decompressor() if packing == ".bz2" else lzma.LZMADecompressor()
        try:
            return decompressor.decompress(head, LOOKED_AT)
        except (OSError, lzma.LZMAError):
            return b""
    return framing(head, STANDARD_INPUT).beginning(head, LOOKED_AT)

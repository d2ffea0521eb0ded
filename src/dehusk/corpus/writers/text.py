"""text: the main texts, each after a line that names its document, and followed by an empty line.

A line of a text that begins like such a line has a backslash before it, or one more than it had: `==> ` at the
beginning of a line is always ours.
"""

import re
from typing import Any, Final

from dehusk.corpus.writers.compressed_file import CompressedFile
from dehusk.corpus.writers.lines import LINE_ENDS, in_line

BACKSLASH: Final = "\\\\"  # one, as the replacement of a pattern is written
LIKE_OURS: Final = re.compile(rf"(?:(?<=[{LINE_ENDS}])|\A)(?=\\{{0,1000}}==>)")


class PlainText(CompressedFile):
    """Writes plain text."""

    suffix = ".txt.gz"

    def row(self, row: dict[str, Any]) -> str:
        """Return the text of a row; nothing if it was rejected, since text has no place for the reason."""
        if row["reason_code"]:
            return ""
        name = f"{in_line(row['id'])} {in_line(row['url'] or row['file'])}"
        return f"==> {name} <==\n{LIKE_OURS.sub(BACKSLASH, row['text'])}\n\n"

"""text: the main texts, each after a line that names its document, and followed by an empty line."""

from typing import Any

from dehusk.corpus.writers.compressed_file import CompressedFile


class PlainText(CompressedFile):
    """Writes plain text."""

    suffix = ".txt.gz"

    def row(self, row: dict[str, Any]) -> str:
        """Return the text of a row; nothing if it was rejected, since text has no place for the reason."""
        if row["reason_code"]:
            return ""
        return f"==> {row['id']} {row['url'] or row['file']} <==\n{row['text']}\n\n"

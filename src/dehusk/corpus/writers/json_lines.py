"""jsonl: one object per document, with all columns that have a value."""

from typing import Any

from dehusk.corpus.writers.compressed_file import CompressedFile, json_line, present


class JsonLines(CompressedFile):
    """Writes JSON lines."""

    suffix = ".jsonl.gz"

    def row(self, row: dict[str, Any]) -> str:
        """Return a row as a JSON object; of its blocks, too, only what has a value."""
        row["headers"] = dict(row["headers"] or [])
        row["blocks"] = [_brief(block) for block in row["blocks"] or []]
        return json_line(present(row))


def _brief(block: dict[str, Any]) -> dict[str, Any]:
    block = present(block)
    if "score" in block:
        block["score"] = round(block["score"], 3)
    return block

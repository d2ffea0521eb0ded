"""dolma: documents as the Dolma toolkit reads them, with the blocks of the page as spans in attributes.

The text is that of the whole page, so that spans fit; `main` has 1 for kept and 0 for all other blocks, `boilerplate`
their scores, and a mixer may keep what it wants.
"""

from typing import Any, Final

from dehusk.corpus.writers.compressed_file import CompressedFile, json_line, present

METADATA: Final = (
    "url", "host", "country", "region", "city", "file", "offset", "record_id", "reason_code", "reason", "title",
    "authors", "published", "language", "language_confidence", "kind", "confidence", "characters", "badness",
    "cluster", "duplicate_of", "similarity",
)  # fmt: skip


class Dolma(CompressedFile):
    """Writes Dolma documents."""

    suffix = ".json.gz"

    def row(self, row: dict[str, Any]) -> str:
        """Return a row as a document with attributes."""
        spans = [
            (block["start"], block["start"] + block["length"], block["score"], int(block["kept"]))
            for block in row["blocks"] or []
        ]
        return json_line(
            {
                "id": row["id"],
                "text": row["page_text"] or "",
                "source": "dehusk",
                "added": row["date"],
                "created": row["published"],
                "metadata": present(row, *METADATA),
                "attributes": {
                    "dehusk__boilerplate": [
                        (start, end, round(score, 3)) for start, end, score, _ in spans if score is not None
                    ],
                    "dehusk__main": [(start, end, kept) for start, end, _, kept in spans],
                },
            }
        )

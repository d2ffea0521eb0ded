"""xml: after texrex. One `doc` per document with its facts as attributes, one `div` per block of the page.

`bpv` is a block's boilerplate score, `bpc` its letter from a to j, `bdv` the badness of the text and `bdc` its letter.
Blocks that repeat an earlier one are written as `dup`. The file is one document with the root `corpus`.
"""

from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from dehusk.corpus.writers.compressed_file import CompressedFile, present
from dehusk.formats.xml import xml_safe
from dehusk.scores import LETTERS

ATTRIBUTES: Final = (
    "id", "url", "host", "ip", "country", "region", "city", "date", "status", "file", "offset", "record_id",
    "reason_code", "reason", "language", "language_confidence", "kind", "confidence", "cluster", "duplicate_of",
    "similarity", "published", "modified", "perplexity",
)  # fmt: skip
RENAMED: Final = {"charset": "sourcecharset", "doctype": "sourcedoctype", "badness": "bdv"}
METADATA: Final = ("title", "site", "description", "canonical", "licence")


class Xml(CompressedFile):
    """Writes XML."""

    suffix = ".xml.gz"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<corpus>\n')

    def row(self, row: dict[str, Any]) -> str:
        """Return a row as an element."""
        facts = {**present(row, *ATTRIBUTES), **{new: row[old] for old, new in RENAMED.items() if row[old] is not None}}
        blocks = row["blocks"] or []
        kept = [block for block in blocks if block["kept"]]
        if row["badness"] is not None:
            facts["bdc"] = chr(ord("a") + min(round(row["badness"] / 2), 25))
        facts |= {"nbd": len(kept), "nbc": sum(block["length"] for block in kept)}
        meta = [f"<meta name={quoteattr(name)} content={_attribute(row[name])}/>" for name in METADATA if row[name]]
        text = row["page_text"] or ""
        lines = [f"<doc{_attributes(facts)}>", *meta, *(_block(*each, text) for each in enumerate(blocks)), "</doc>"]
        return xml_safe("\n".join(lines)) + "\n"

    def close(self) -> None:
        """End the root element and the file."""
        self._file.write(b"</corpus>\n")
        super().close()


def _block(index: int, block: dict[str, Any], text: str) -> str:
    if block["repeat_of"] is not None:
        return f'<dup idx="{index}" of="{block["repeat_of"]}"/>'
    facts = {"idx": index, "kind": block["kind"], "kept": "yes" if block["kept"] else "no"}
    if block["score"] is not None:
        facts |= {"bpv": round(block["score"], 3), "bpc": LETTERS[min(int(block["score"] * 10), 9)]}
    content = escape(text[block["start"] : block["start"] + block["length"]]).replace("\r", "&#13;")
    return f"<div{_attributes(facts)}>{content}</div>"


def _attributes(facts: dict[str, Any]) -> str:
    return "".join(f" {name}={_attribute(value)}" for name, value in facts.items())


def _attribute(value: Any) -> str:
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return quoteattr(shown, {"\r": "&#13;"})

"""wet: the main texts as conversion records of a WARC file, each compressed on its own, as Common Crawl has them."""

import gzip
from base64 import b32encode
from hashlib import sha1
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5


class Wet:
    """Writes WET files."""

    suffix = ".warc.wet.gz"

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def write(self, batch: Any) -> None:
        """Write the rows of a batch, without those that were rejected."""
        for row in batch.to_pylist():
            if not row["reason_code"]:
                self._file.write(gzip.compress(_record(row), 6, mtime=0))

    def close(self) -> None:
        """End the file."""
        self._file.close()


def _record(row: dict[str, Any]) -> bytes:
    text: bytes = row["text"].encode("utf-8", "replace")
    headers = {
        "WARC-Type": "conversion",
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, row['id'])}>",
        "WARC-Date": row["date"] or "1970-01-01T00:00:00Z",
        "WARC-Target-URI": " ".join((row["url"] or row["file"]).split()),
        "WARC-Refers-To": row["record_id"],
        "WARC-Block-Digest": f"sha1:{b32encode(sha1(text).digest()).decode()}",
        "WARC-Identified-Content-Language": row["language"],
        "Content-Type": "text/plain",
        "Content-Length": str(len(text)),
    }
    head: str = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    return f"WARC/1.0\r\n{head}\r\n".encode() + text + b"\r\n\r\n"

"""wet: the main texts as conversion records of a WARC file, each compressed on its own, as Common Crawl has them."""

import gzip
import re
from base64 import b32encode
from hashlib import sha1
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from dehusk.corpus.writers.lines import in_line

# What archives say of themselves may be anything; what is no date, id or language is left out.
DATE: Final = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}(?:T[0-9:.]{1,20}(?:Z|[+-][0-9:]{2,6}))?")
UNKNOWN_DATE: Final = "1970-01-01T00:00:00Z"
RECORD_ID: Final = re.compile(r"<?[!-;=?-~]{1,1000}>?")
LANGUAGE: Final = re.compile(r"[A-Za-z-]{2,35}")


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
        "WARC-Date": _checked(DATE, row["date"]) or UNKNOWN_DATE,
        "WARC-Target-URI": in_line(row["url"] or row["file"]),
        "WARC-Refers-To": _checked(RECORD_ID, row["record_id"]),
        "WARC-Block-Digest": f"sha1:{b32encode(sha1(text).digest()).decode()}",
        "WARC-Identified-Content-Language": _checked(LANGUAGE, row["language"]),
        "Content-Type": "text/plain",
        "Content-Length": str(len(text)),
    }
    head: str = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    return f"WARC/1.0\r\n{head}\r\n".encode() + text + b"\r\n\r\n"


def _checked(pattern: re.Pattern[str], value: str | None) -> str | None:
    return value if value and pattern.fullmatch(value) else None

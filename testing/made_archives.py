"""Archives of crawls made record by record, so that every byte of them is known: for checks that damage them.

Nothing here uses a reader or writer of dehusk: what is written follows the standards, and a fault is meant.
"""

import bz2
import gzip
import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from random import Random
from typing import Final

import zstandard
from fastwarc.stream_io import Lz4Writer

HTTP: Final = "application/http; msgtype=response"
HTML: Final = "text/html; charset=utf-8"
DATE: Final = "2024-05-02T10:00:00Z"
ARC_DATE: Final = "20240502100000"
SYLLABLES: Final = ("ka", "lo", "mi", "ren", "tus", "va", "dor", "pel", "shi", "qua", "bor", "net")
BGZIP_END: Final = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
DICTIONARY_FRAME: Final = 0x184D2A5D  # how ArchiveTeam stores the dictionary of a .warc.zst


@dataclass(frozen=True, slots=True)
class Known:
    """A page that was put into an archive: its address and its payload."""

    url: str
    body: bytes
    text: str = ""  # of the page, as a reader sees it


def page(random: Random, url: str, sentences: int = 12) -> Known:
    """Return a page of invented words; its last word shows that nothing of it is missing."""
    words = ["".join(random.choices(SYLLABLES, k=random.randint(1, 3))) for _ in range(sentences * 9)]
    lines = [" ".join(words[start : start + 9]).capitalize() + "." for start in range(0, len(words), 9)]
    lines += [f"This was all of {url[-60:]} and no more."]
    html = f"<!DOCTYPE html><html><head><title>{words[0]}</title></head><body>"
    html += "".join(f"<p>{line}</p>\n" for line in lines) + "</body></html>"
    return Known(url, html.encode(), "\n".join(lines))


def http(body: bytes, content_type: str = HTML, status: str = "200 OK", headers: Sequence[str] = ()) -> bytes:
    """Return a response of a server."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *headers, "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + body


@dataclass(frozen=True, slots=True)
class Warc:
    """How a WARC record is written; the defaults are those of the standard."""

    version: str = "WARC/1.0"
    kind: str = "response"
    content_type: str = HTTP
    length: str | None = None  # stated instead of the true one; "" for none at all
    headers: tuple[str, ...] = ()
    line_end: str = "\r\n"
    tail: str = "\r\n\r\n"

    def record(self, url: str, block: bytes) -> bytes:
        """Return a record."""
        stated = str(len(block)) if self.length is None else self.length
        lines = [
            self.version,
            f"WARC-Type: {self.kind}",
            f"WARC-Record-ID: <urn:uuid:{zlib.crc32(url.encode('utf-8', 'replace')):08x}-0000-4000-8000-000000000000>",
            f"WARC-Date: {DATE}",
            *([f"WARC-Target-URI: {url}"] if url else []),
            f"Content-Type: {self.content_type}",
            *([f"Content-Length: {stated}"] if stated else []),
            *self.headers,
            "",
            "",
        ]
        return self.line_end.join(lines).encode("utf-8", "surrogateescape") + block + self.tail.encode()

    def response(self, known: Known) -> bytes:
        """Return a record with a page."""
        return self.record(known.url, http(known.body))


WARC: Final = Warc()
WARCINFO: Final = Warc(kind="warcinfo", content_type="application/warc-fields").record("", b"software: made/1.0\r\n")


def arc_head(version: int = 1) -> bytes:
    """Return the first record of an ARC file."""
    names = "URL IP-address Archive-date Content-type Archive-length"
    if version == 2:
        names = "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length"
    block = f"{version} 0 Made\n{names}\n".encode()
    extra = " 200 - - 0 made.arc" if version == 2 else ""
    return f"filedesc://made.arc 0.0.0.0 {ARC_DATE} text/plain{extra} {len(block)}\n".encode() + block + b"\n"


def arc(known: Known, version: int = 1, length: int | None = None) -> bytes:
    """Return a record of an ARC file."""
    block = http(known.body)
    extra = " 200 - - 0 made.arc" if version == 2 else ""
    stated = len(block) if length is None else length
    return f"{known.url} 192.0.2.7 {ARC_DATE} text/html{extra} {stated}\n".encode() + block + b"\n"


# Compressions. Each takes records and returns one piece per record, or all of them as one.


def gzip_member(data: bytes) -> bytes:
    """Return a member of a gzip file."""
    return gzip.compress(data, 6, mtime=0)


def bgzip(data: bytes, size: int = 4_000) -> bytes:
    """Return a file as bgzip writes it, in blocks that know their sizes, without the last and empty one."""
    blocks = []
    for start in range(0, len(data), size):
        piece = data[start : start + size]
        engine = zlib.compressobj(6, zlib.DEFLATED, -15)
        deflated = engine.compress(piece) + engine.flush()
        extra = struct.pack("<2sHH", b"BC", 2, len(deflated) + 25)
        head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff" + struct.pack("<H", len(extra)) + extra
        blocks.append(head + deflated + struct.pack("<II", zlib.crc32(piece), len(piece)))
    return b"".join(blocks)


def zstd_frame(data: bytes, dictionary: zstandard.ZstdCompressionDict | None = None) -> bytes:
    """Return a frame of zstd with a checksum."""
    return zstandard.ZstdCompressor(level=3, dict_data=dictionary, write_checksum=True).compress(data)


def lz4_frame(data: bytes) -> bytes:
    """Return a frame of LZ4."""
    buffer = io.BytesIO()
    writer = Lz4Writer(buffer)
    writer.write(data)
    writer.close()
    return buffer.getvalue()


@cache
def dictionary() -> zstandard.ZstdCompressionDict:
    """Return a dictionary for records."""
    known = [page(Random(number), f"https://sample.example/{number}") for number in range(60)]
    return zstandard.train_dictionary(4_000, [WARC.response(each) for each in known])


def with_dictionary(records: Sequence[bytes], *, packed: bool = False) -> list[bytes]:
    """Return records compressed with a dictionary; the first piece has its frame, as ArchiveTeam's files do."""
    content = dictionary().as_bytes()
    if packed:
        content = zstd_frame(content)
    frames = [zstd_frame(record, dictionary()) for record in records]
    return [struct.pack("<II", DICTIONARY_FRAME, len(content)) + content + frames[0], *frames[1:]]


def _each(compress: Callable[[bytes], bytes]) -> "Pack":
    return lambda records: [compress(record) for record in records]


def _all(compress: Callable[[bytes], bytes]) -> "Pack":
    return lambda records: [compress(b"".join(records))]


Pack = Callable[[Sequence[bytes]], list[bytes]]
PACKS: Final[dict[str, Pack]] = {  # by the suffix that belongs to them, and what tells those with the same one apart
    "": list,
    ".gz": _each(gzip_member),
    ".gz whole": _all(gzip_member),
    ".gz blocks": lambda records: [bgzip(b"".join(records)) + BGZIP_END],
    ".zst": _each(zstd_frame),
    ".zst whole": _all(zstd_frame),
    ".zst dictionary": with_dictionary,
    ".zst packed dictionary": lambda records: with_dictionary(records, packed=True),
    ".lz4": _each(lz4_frame),
    ".xz": _all(lambda data: lzma.compress(data, preset=1)),
    ".bz2": _all(bz2.compress),
}
# In these each record can be read without the others.
DIVISIBLE: Final = ("", ".gz", ".zst", ".zst dictionary", ".zst packed dictionary", ".lz4")
CHECKED: Final = (".gz", ".gz whole", ".gz blocks", ".zst", ".zst whole", ".zst dictionary", ".xz", ".bz2")


def suffix(pack: str) -> str:
    """Return what a file with such a compression is called at its end.

    >>> suffix(".gz whole")
    '.gz'
    """
    return pack.partition(" ")[0]


# What is no WARC or ARC file.


def wacz(archives: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a WACZ file with archives of those names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, data in archives.items():
            file.writestr(zipfile.ZipInfo(f"archive/{name}"), data, compression)
        file.writestr(zipfile.ZipInfo("pages/pages.jsonl"), '{"format": "json-pages-1.0", "id": "pages"}\n')
        resources = [{"name": name, "path": f"archive/{name}", "bytes": len(data)} for name, data in archives.items()]
        file.writestr(
            zipfile.ZipInfo("datapackage.json"), json.dumps({"profile": "data-package", "resources": resources})
        )
    return buffer.getvalue()


def parquet(pages: Sequence[Known], rows_per_group: int = 20) -> bytes:
    """Return a table of pages."""
    import pyarrow as arrow  # noqa: PLC0415  (slow to import, and seldom needed)
    import pyarrow.parquet  # noqa: PLC0415

    table = arrow.table({"url": [page.url for page in pages], "html": [page.body.decode() for page in pages]})
    buffer = io.BytesIO()
    arrow.parquet.write_table(table, buffer, row_group_size=rows_per_group, compression="zstd")
    return buffer.getvalue()


def json_line(known: Known) -> bytes:
    """Return a page as a line."""
    return json.dumps({"url": known.url, "html": known.body.decode()}).encode() + b"\n"


def cdxj_lines(pages: Sequence[Known], frames: Sequence[bytes], file: str) -> list[bytes]:
    """Return the lines of an index of records that stand one after the other in a file."""
    ends = [0, *accumulate(map(len, frames))]
    lines = []
    for known, (start, end) in zip(pages, pairwise(ends), strict=True):
        fields = {"url": known.url, "mime": "text/html", "status": "200", "length": str(end - start)}
        fields |= {"offset": str(start), "filename": file}
        lines.append(f"org,example)/{start:09} {ARC_DATE} {json.dumps(fields)}\n".encode())
    return lines


def cdx_lines(pages: Sequence[Known], frames: Sequence[bytes], file: str) -> list[bytes]:
    """Return the lines of an index in the older form, after the line that names its fields."""
    ends = [0, *accumulate(map(len, frames))]
    lines = [b" CDX N b a m s k r M S V g\n"]
    for known, (start, end) in zip(pages, pairwise(ends), strict=True):
        line = f"org,example)/{start:09} {ARC_DATE} {known.url} text/html 200 - - - {end - start} {start} {file}\n"
        lines.append(line.encode())
    return lines

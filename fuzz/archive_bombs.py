"""Archives that are small on the disk and large in memory: `python -m fuzz.archive_bombs` reads each in a process.

None may take more than 1 GB or 10 seconds of CPU time, in a process without limits.
"""

import argparse
import gzip
import io
import json
import lzma
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import brotli
import zstandard

from dehusk.config import Limits
from dehusk.sources.account import Account
from dehusk.sources.inputs import look_at
from dehusk.sources.kinds import ReadOptions
from fuzz import limits
from fuzz.campaign import ROOT
from fuzz.tables import markdown_table
from testing import made_archives as made
from testing.made_archives import WARC, Known, Warc, http

SECONDS: Final = 10.0
MEMORY: Final = 1_000_000_000
LARGE: Final = 600_000_000  # bytes of content
AFTER: Final = Known("https://after.example/", b"<p>After", "After")


def _zeros(count: int, compress: "Callable[[], zlib._Compress]", head: bytes = b"") -> bytes:
    """Return zeros compressed without having them all."""
    engine, chunk = compress(), bytes(1_000_000)
    data = [engine.compress(head)]
    data += [engine.compress(chunk) for _ in range(count // len(chunk))]
    return b"".join(data) + engine.flush()


def _gzip(count: int, head: bytes = b"") -> bytes:
    return _zeros(count, lambda: zlib.compressobj(6, zlib.DEFLATED, 31), head)


def _zstd(count: int, head: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zstandard.ZstdCompressor(level=3).stream_writer(buffer, closefd=False) as writer:
        writer.write(head)
        for _ in range(count // 1_000_000):
            writer.write(bytes(1_000_000))
    return buffer.getvalue()


def _xz(count: int, head: bytes = b"") -> bytes:
    engine = lzma.LZMACompressor(preset=0)
    data = [engine.compress(head), *(engine.compress(bytes(1_000_000)) for _ in range(count // 1_000_000))]
    return b"".join(data) + engine.flush()


def _record(length: int, url: str = "https://large.example/") -> bytes:
    """Return the beginning of a record that states a length."""
    return Warc(length=str(length), tail="").record(url, http(b""))


def _body(body: bytes, coding: str) -> bytes:
    return made.gzip_member(WARC.record("https://body.example/", http(body, headers=[f"Content-Encoding: {coding}"])))


def _shared_value() -> bytes:
    """Return a table in which all rows share one large value, in a column that nobody needs."""
    import pyarrow as arrow  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    rows, value = 64, "x" * 30_000_000
    column = arrow.DictionaryArray.from_arrays(arrow.array([0] * rows), arrow.array([value]))
    table = arrow.table(
        {"url": [f"https://a.example/{row}" for row in range(rows)], "html": ["<p>A"] * rows, "large": column}
    )
    buffer = io.BytesIO()
    arrow.parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _shared_page() -> bytes:
    """Return a table in which all rows have the same large page."""
    import pyarrow as arrow  # noqa: PLC0415
    import pyarrow.parquet  # noqa: PLC0415

    column = arrow.DictionaryArray.from_arrays(arrow.array([0] * 200), arrow.array(["x" * 19_000_000]))
    buffer = io.BytesIO()
    arrow.parquet.write_table(arrow.table({"html": column}), buffer, compression="zstd")
    return buffer.getvalue()


def _zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("archive/data.warc", "w", force_zip64=True) as target:
            target.write(_record(LARGE))
            for _ in range(LARGE // 1_000_000):
                target.write(bytes(1_000_000))
        file.writestr("datapackage.json", "{}")
    return buffer.getvalue()


def _alone(record: bytes) -> bytes:
    return made.gzip_member(record)


def _window() -> bytes:
    """Return a frame of zstd that asks for a window of 2 GB."""
    return b"\x28\xb5\x2f\xfd\x00\xa8" + _zstd(1_000_000)[6:]


def _packed_dictionary() -> bytes:
    """Return the frame of a dictionary that is large when it is unpacked."""
    return struct.pack("<II", made.DICTIONARY_FRAME, len(data := _zstd(LARGE))) + data


def _arc_lines() -> bytes:
    return made.arc_head() + b"http://a.example/ 192.0.2.7 20240502100000 text/html 9999999\n" * 60_000


MANY: Final = ("X: y",) * 300_000
# Each of these is followed by a small record, which must be read.
FOLLOWED: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "record of zeros in gzip": (".warc.gz", lambda: _gzip(LARGE, _record(LARGE))),
    "wrong length in gzip": (".warc.gz", lambda: _gzip(LARGE, _record(10))),
    "length 10^15 in gzip": (".warc.gz", lambda: _gzip(LARGE, _record(10**15))),
    "nothing but zeros in gzip": (".warc.gz", lambda: _gzip(LARGE)),
    "header without end in gzip": (".warc.gz", lambda: _gzip(LARGE, b"WARC/1.0\r\nX: ")),
    "record of zeros in zstd": (".warc.zst", lambda: _zstd(LARGE, _record(LARGE))),
    "wrong length in zstd": (".warc.zst", lambda: _zstd(LARGE, _record(10))),
    "window of 2 GB in zstd": (".warc.zst", _window),
    "packed dictionary": (".warc.zst", _packed_dictionary),
    "body of zeros in gzip": (".warc.gz", lambda: _body(_gzip(LARGE), "gzip")),
    "body of zeros in gzip twice": (".warc.gz", lambda: _body(gzip.compress(_gzip(LARGE)), "gzip, gzip")),
    "body of zeros in brotli": (".warc.gz", lambda: _body(brotli.compress(bytes(300_000_000), quality=1), "br")),
    "body of zeros in zstd": (".warc.gz", lambda: _body(_zstd(LARGE), "zstd")),
    "100,000 codings": (".warc.gz", lambda: _body(b"<p>A", ", ".join(["gzip"] * 100_000))),
    "a header 300,000 times": (".warc.gz", lambda: _alone(WARC.record("https://a.example/", http(b"", headers=MANY)))),
    "300,000 headers of a record": (".warc.gz", lambda: _alone(Warc(headers=MANY).record("https://a.example/", b""))),
    "many empty members": (".warc.gz", lambda: made.gzip_member(b"") * 200_000),
    "many false members": (".warc.gz", lambda: b"\x1f\x8b\x08\0" * 500_000),
    "many false frames": (".warc.zst", lambda: b"\x28\xb5\x2f\xfd" * 500_000),
    "many false records": (".warc", lambda: b"WARC/1.0\r\n" * 300_000),
    "many long records": (".warc", lambda: _record(10**9) * 20_000),
    "lengths that reach the end": (".warc", lambda: _record(3_000_000) * 9_000),
}
ALONE: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "zeros in xz": (".warc.xz", lambda: _xz(LARGE, _record(LARGE))),
    "zeros as lines": (".jsonl.gz", lambda: _gzip(LARGE, b'{"html": "')),
    "zeros as an index": (".cdxj.gz", lambda: _gzip(LARGE, b"org,example)/ 20240502100000 {")),
    "zeros as an arc": (".arc.gz", lambda: _gzip(LARGE, made.arc_head())),
    "dictionary of 4 GB in zstd": (".warc.zst", lambda: struct.pack("<II", made.DICTIONARY_FRAME, 2**32 - 1)),
    "many lines of arc": (".arc", _arc_lines),
    "a shared value": (".parquet", _shared_value),
    "a shared page": (".parquet", _shared_page),
    "a zip bomb": (".wacz", _zip_bomb),
}
FRAMES: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".warc": bytes,
    ".warc.gz": made.gzip_member,
    ".warc.zst": made.zstd_frame,
}


def bomb(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes of a file."""
    suffix, make = {**FOLLOWED, **ALONE}[name]
    return f"a{suffix}", make() + (FRAMES[suffix](WARC.response(AFTER)) if name in FOLLOWED else b"")


def measured(path: Path) -> dict[str, object]:
    """Read a file in this process; return what it took."""
    import resource  # noqa: PLC0415  (not on Windows)

    count, urls, account = 0, [], Account()
    source = look_at(str(path))
    assert source.kind.records
    try:
        for page in source.kind.records(source, ReadOptions(Limits(), account=account)):
            count += 1
            urls += [page.url] if page.problem is None else []
        said = f"{count} records, {len(account.gaps)} gaps"
    except Exception as error:
        said = f"{count} records, then {type(error).__name__}: {str(error)[:200]}"
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds, memory = usage.ru_utime + usage.ru_stime, limits.high_water()
    return {"seconds": seconds, "memory": memory, "said": said, "after": AFTER.url in urls}


def tried(name: str, folder: Path) -> list[str]:
    """Read a bomb in a process of its own; return the row of a table."""
    file, data = bomb(name)
    path = folder / file
    path.write_bytes(data)
    command = [sys.executable, "-m", "fuzz.archive_bombs", "--file", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=10 * SECONDS)
        result = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return [name, f"{len(data):,}", "–", "–", "**hangs**"]
    except ValueError:
        return [name, f"{len(data):,}", "–", "–", f"**died**: {done.returncode} {done.stderr[-200:]}"]
    finally:
        path.unlink()
    marks = {
        "**slow**": result["seconds"] > SECONDS,
        "**memory**": result["memory"] > MEMORY,
        "**what follows is lost**": name in FOLLOWED and not result["after"],
    }
    said = " ".join([result["said"], *(mark for mark, holds in marks.items() if holds)])
    return [name, f"{len(data):,}", f"{result['seconds']:.1f}", f"{result['memory'] / 1e6:.0f}", said]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all, or one; the status is 1 if any took too much."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.archive_bombs", description=__doc__)
    parser.add_argument("--only", default="", help="those whose names have this in them")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.file:
        print(json.dumps(measured(options.file)))
        return 0
    rows = []
    with tempfile.TemporaryDirectory(prefix="dehusk-bombs-") as folder:
        for name in (*FOLLOWED, *ALONE):
            if options.only in name:
                rows.append(tried(name, Path(folder)))
                print(*rows[-1], file=sys.stderr, flush=True)
    print(markdown_table(["bomb", "bytes", "CPU s", "MB", ""], rows))
    return int(any("**" in row[-1] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

"""Small inputs that stand for huge ones take little memory, in a process without limits."""

import io
import json
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.helpers.archives import http, joined, warc_record

MOST = 1_000_000_000  # bytes
READ = """
import sys
from collections import Counter
from dehusk.sources.inputs import look_at
from dehusk.sources.json_lines import parsed
from dehusk.sources.kinds import ReadOptions

source = look_at(sys.argv[1])
for read in (source.kind.read, source.kind.records):
    pages = map(parsed, read(source, ReadOptions()))
    print(*sorted(Counter(str(page.problem.code) if page.problem else "page" for page in pages).items()))
# Not getrusage, which counts what the process had that started this one.
print(int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) * 1024)
"""


def repeated(piece: bytes, count: int, before: bytes = b"", after: bytes = b"") -> bytes:
    """Return something long, compressed, without having it in memory."""
    compressor = zlib.compressobj(wbits=31)
    return b"".join([*map(compressor.compress, [before, *[piece] * count, after]), compressor.flush()])


def table(column: str, *, shared: bool) -> bytes:
    """Return a table with many rows that have the same value of 100 MB in a column."""
    value, file = pa.array(["x" * 100_000_000]), io.BytesIO()
    values = pa.DictionaryArray.from_arrays(pa.array([0] * 20, pa.int32()), value)
    rows = {"html": ["<p>x"] * 20, "url": ["u"] * 20, column: values if shared else pa.chunked_array([value] * 20)}
    parquet.write_table(pa.table(rows), file, compression="zstd", use_dictionary=shared, write_batch_size=1)
    return file.getvalue()


def wacz(method: int, files: Iterator[tuple[str, bytes]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return file.getvalue()


def response(coding: str, body: bytes) -> bytes:
    return joined([warc_record(0, http(body, more=f"Content-Encoding: {coding}\r\n"))])


def index() -> bytes:
    entries = [{"filename": name, "offset": 0, "length": 10**15} for name in ("a.warc.gz", "/dev/zero", "../x")]
    return b"".join(b"org,example)/ 2024 " + json.dumps(entry).encode() + b"\n" for entry in entries)


MEGABYTE = bytes(2**20)
HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a shared value": ("a.parquet", lambda: table("html", shared=True)),
    "a shared value in another column": ("a.parquet", lambda: table("other", shared=True)),
    "the same value again and again": ("a.parquet", lambda: table("html", shared=False)),
    "a line without end": ("a.jsonl.gz", lambda: repeated(MEGABYTE, 500)),
    "a line of objects": ("a.jsonl.gz", lambda: repeated(b"{}," * 10**6, 30, b'{"html": [', b"{}]}")),
    "a line of numbers": ("a.jsonl.gz", lambda: repeated(b"1e1," * 10**6, 25, b'{"html": [', b"1]}")),
    "blank lines": ("a.jsonl.gz", lambda: repeated(b"\n" * 2**20, 1)),
    "a page in gzip": ("a.warc.gz", lambda: response("gzip", repeated(MEGABYTE, 1000))),
    "a page in brotli": ("a.warc.gz", lambda: response("br", brotli.compress(bytes(3 * 10**8), quality=5))),
    "a page in zstd": ("a.warc.gz", lambda: response("zstd", zstandard.compress(bytes(3 * 10**8)))),
    "an index": ("a.cdxj", index),
    "an index of one line": ("a.cdxj.gz", lambda: repeated(MEGABYTE, 300, b"org,example)/ 2024 {")),
    "a compressed archive": ("a.wacz", lambda: wacz(8, iter([("archive/a.warc", bytes(3 * 10**8))]))),
    "many archives": ("a.wacz", lambda: wacz(0, ((f"archive/{n}.warc", b"") for n in range(30_000)))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_small_inputs_take_little_memory(name: str, tmp_path: Path) -> None:
    file, make = HOSTILE[name]
    path = tmp_path / file
    path.write_bytes(make())
    command = [sys.executable, "-c", READ, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    assert int(result.stdout.splitlines()[-1]) < MOST, result.stdout

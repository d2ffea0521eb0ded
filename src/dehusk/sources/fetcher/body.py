"""The body of an answer: read within limits on size and time, and decompressed within the same limits."""

import time
import zlib
from http.client import HTTPException, HTTPResponse
from typing import Any, Final

CHUNK: Final = 65_536
GZIP: Final = b"\x1f\x8b"


def read_body(response: HTTPResponse, limit: int, deadline: float) -> bytes:
    """Return what the server sends, up to one byte more than the limit, which is enough to have it refused."""
    packed = response.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate")
    unpack = _Unpacker(limit + 1) if packed else None
    data, read = bytearray(), 0
    while len(data) <= limit and (chunk := response.read1(CHUNK)):
        read += len(chunk)
        data += unpack.decompress(chunk) if unpack else chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    length = response.headers.get("Content-Length") or ""
    promised = int(length) if length.isdecimal() else read
    if len(data) <= limit and (read < promised or (unpack and read and not unpack.complete)):
        raise HTTPException(f"the answer broke off after {read:,} of {promised:,} bytes")
    return bytes(data[: limit + 1])


class _Unpacker:
    """Decompresses gzip, which may consist of several members, or deflate."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._member: Any = None  # None before the first, and where one could begin
        self._packed = b""  # too little to tell whether a member begins
        self.complete = False

    def decompress(self, chunk: bytes) -> bytes:
        """Return what a chunk contains, up to the limit."""
        data, packed = b"", self._packed + chunk
        self._packed = b""
        while packed and len(data) < self._limit:
            if self.complete and len(packed) < len(GZIP):
                self._packed = packed
                break
            if self.complete and not packed.startswith(GZIP):
                break  # padding, which browsers ignore, too
            self._member = self._member or zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: header of gzip or of zlib
            data += self._member.decompress(packed, self._limit - len(data))
            self.complete, packed = self._member.eof, self._member.unused_data
            if self.complete:
                self._member = None
        return data

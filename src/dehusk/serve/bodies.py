"""Bodies: what clients send, within limits on the size of one and of all together, and on the time that one takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import Request
from starlette.requests import ClientDisconnect

from dehusk.reasons import Code
from dehusk.serve.problems import ProblemError, busy
from dehusk.serve.settings import ServerSettings

# Where the rest of a body is not read.
CLOSE: Final = {"Connection": "close"}


class Bodies:
    """All bodies that a server holds at the moment."""

    def __init__(self, settings: ServerSettings) -> None:
        self._limit, self._most, self.seconds = settings.limits.bytes, settings.held, settings.client_seconds
        self.held = 0  # bytes

    @asynccontextmanager
    async def read(self, request: Request, spare: int = 0) -> AsyncIterator[bytes]:
        """Read a body and count it while it is in use; `spare` bytes are allowed beyond the limit on a page."""
        limit = self._limit + spare
        length = request.headers.get("content-length", "")
        if length.isdecimal() and (len(length) > 15 or int(length) > limit):
            # What is announced and bearable is read and dropped, so that the client gets to see the answer.
            raise too_large(limit, close=len(length) > 15 or int(length) > 10 * limit)
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.seconds):
                async for chunk in request.stream():
                    chunks.append(chunk)
                    size += len(chunk)
                    self.held += len(chunk)
                    if self.held > self._most:
                        waiting = f"the pages that are waiting have more than {self._most:,} bytes in all"
                        raise busy(f"{waiting}; try again later", CLOSE)
                    if size > limit:
                        raise too_large(limit, close=True)
            yield b"".join(chunks)
        except TimeoutError:
            raise ProblemError(Code.BODY_TOO_SLOW, f"expected all of it within {self.seconds:g} s", CLOSE) from None
        except ClientDisconnect:
            raise ProblemError(Code.BODY_INCOMPLETE, f"the client hung up after {size:,} bytes") from None
        finally:
            self.held -= size


def too_large(limit: int, *, close: bool) -> ProblemError:
    """Return the problem of a body over the limit."""
    return ProblemError(Code.BODY_TOO_LARGE, f"expected at most {limit:,} bytes", CLOSE if close else None)

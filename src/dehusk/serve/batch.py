"""Batches: JSON lines in, JSON lines streamed out in order, while others are served too."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, Final

from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dehusk.batch import Outcome, OutcomeOptions, failed_outcome
from dehusk.errors import DehuskError
from dehusk.pool import NoWorkerError
from dehusk.reasons import Code, Reason
from dehusk.serve.bodies import Bodies
from dehusk.serve.service import BusyError, Service
from dehusk.serve.work import Choice, PageTask
from dehusk.sources import RawPage
from dehusk.sources.json_lines import BYTES_PER_CHARACTER

MEDIA_TYPE: Final = "application/x-ndjson"
# Pages of a batch that wait at the same time: enough to keep several workers busy, and room for other clients.
AHEAD: Final = 16
# Bytes of a batch that are held until the client takes its answers: a client that sends all before it reads would
# otherwise wait for a server that waits for it.
HELD: Final = 100_000_000
PAUSE: Final = 0.05  # seconds until another attempt where the queue is full
TOO_LONG: Final = "too large: the batch ends at this line"


class BatchResponse(Response):
    """The answer to one batch of one client, written while the batch is still being read.

    Not Starlette's streaming response, which reads the request too, to see the client hang up, and so loses lines.
    """

    media_type = MEDIA_TYPE

    def __init__(self, request: Request, service: Service, bodies: Bodies, choice: Choice) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._request, self._service, self._bodies, self._choice = request, service, bodies, choice
        self._pages: asyncio.Queue[RawPage | None] = asyncio.Queue()  # None is the end
        self._waiting: deque[tuple[RawPage, asyncio.Future[Any] | None]] = deque()
        self._held = 0
        self._taken = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, line by line."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self._run()) as lines:  # type: ignore[type-var]
            async for line in lines:
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body"})

    async def _run(self) -> AsyncIterator[bytes]:
        reader = asyncio.ensure_future(self._read())
        try:
            while await self._submit():
                page, answer = self._waiting.popleft()
                yield (await self._line(page, answer)).encode() + b"\n"
                self._hold(-len(page.data))
                self._taken.set()
        finally:
            reader.cancel()
            self._forget()
            self._hold(-self._held)

    async def _submit(self) -> bool:
        """Submit the pages that have arrived, and return whether any waits for its answer; False at the end."""
        while len(self._waiting) < AHEAD and not (self._waiting and self._pages.empty()):
            page = await self._pages.get()
            if page is None:
                self._pages.put_nowait(None)  # for the next time
                break
            self._waiting.append((page, None if page.problem else await self._submitted(page)))
        return bool(self._waiting)

    async def _read(self) -> None:
        """Read all lines; whether the client still wants the answers is known only when the rest has been read."""
        try:
            count = 0
            async for line in self._lines():
                count += 1
                await self._add(RawPage(f"line {count}", line, line_field="html"))
            self._pages.put_nowait(None)
            await self._request.receive()  # until the client hangs up
            self._forget()
        except _TooLongError:
            self._pages.put_nowait(RawPage("line", problem=Reason(Code.BODY_TOO_LARGE, TOO_LONG), fields={}))
        except (ClientDisconnect, TimeoutError):
            problem = Reason(Code.BODY_INCOMPLETE, "the rest of the batch did not arrive")
            self._pages.put_nowait(RawPage("end", problem=problem, fields={}))
        self._pages.put_nowait(None)

    def _forget(self) -> None:
        """Forget the pages that wait."""
        while not self._pages.empty():
            self._pages.get_nowait()
        for _, answer in self._waiting:
            if answer:
                answer.cancel()

    async def _lines(self) -> AsyncIterator[bytes]:
        """Yield the lines that are not blank."""
        limit, rest = self._service.settings.limits.bytes * BYTES_PER_CHARACTER, b""
        stream = self._request.stream()
        while (chunk := await asyncio.wait_for(anext(stream, None), self._bodies.seconds)) is not None:
            *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
            for line in filter(bytes.strip, lines):
                yield line
            if len(rest) > limit:
                raise _TooLongError
        if rest.strip():
            yield rest

    async def _add(self, page: RawPage) -> None:
        while self._held and self._held + len(page.data) > HELD:
            self._taken.clear()
            await self._taken.wait()
        self._hold(len(page.data))
        self._pages.put_nowait(page)

    def _hold(self, size: int) -> None:
        self._held += size
        self._bodies.held += size

    async def _submitted(self, page: RawPage) -> "asyncio.Future[Any]":
        while True:
            try:
                return self._service.submit(PageTask(self._choice, page))
            except BusyError:
                await asyncio.sleep(PAUSE)

    async def _line(self, page: RawPage, answer: "asyncio.Future[Any] | None") -> str:
        try:
            outcome: Outcome | Reason | None = page.problem if answer is None else await answer
        except NoWorkerError as error:
            outcome = error.reason
        except DehuskError as error:
            outcome = Reason(Code.FAILED, str(error))
        except asyncio.CancelledError:
            if answer is None or not answer.cancelled():  # the server stops
                raise
            outcome = Reason(Code.BODY_INCOMPLETE, "the client hung up")
        if isinstance(outcome, Reason):
            outcome = failed_outcome(page, outcome, OutcomeOptions(line_format=self._choice.format))
        assert outcome  # a page without an answer has a problem
        return outcome.output


class _TooLongError(Exception):
    """A line that is longer than any page may be."""

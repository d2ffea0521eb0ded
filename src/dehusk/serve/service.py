"""Service: pages to the pool and back, and pages from the web, within limits on how many at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from dehusk.batch import Outcome
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT
from dehusk.pool import NoWorkerError, Pool, QueueFullError
from dehusk.reasons import Code, Reason
from dehusk.serve import work
from dehusk.serve.settings import ServerSettings
from dehusk.serve.work import Choice, PageTask
from dehusk.sources import RawPage, fetched
from dehusk.sources.fetcher import Policy

REFUSALS = (Code.METHOD_UNAVAILABLE, Code.INVALID_OPTIONS)  # which are about the request, not the page
WARM_UP = PageTask(Choice(DEFAULT, (), "json", False, Look()), RawPage("warm-up", b"<p>Ready?"))


class BusyError(Exception):
    """As much waits as may."""


class PageError(Exception):
    """A page that could not be fetched or processed: the problem of the request, and the reason for it."""

    def __init__(self, problem: Code, reason: Reason) -> None:
        super().__init__(str(reason))
        self.problem, self.reason = problem, reason


class Service:
    """What HTTP and MCP share. It must run in the event loop that it is used in."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.pool = Pool[PageTask, Outcome | Reason](
            partial(work.answer, settings.limits), settings.jobs, settings.limits, settings.waiting
        )
        self.fetching = 0
        self.ready = False

    @asynccontextmanager
    async def running(self, _app: object) -> AsyncIterator[None]:
        """Start the workers, so that the first clients need not wait for them, and end them with the application."""
        with self.pool:
            for _ in range(self.pool.jobs):
                self.warm_up()
            yield

    @property
    def is_full(self) -> bool:
        """Whether another page would be refused."""
        return self.pool.unanswered >= self.settings.waiting

    def warm_up(self) -> None:
        """Have a worker process a page; the service is ready when it has."""

        def done(answer: Any) -> None:
            self.ready = not answer.cancelled() and answer.exception() is None

        try:
            self.pool.submit(WARM_UP).add_done_callback(done)
        except QueueFullError:
            self.ready = True  # busy it is, but alive

    def submit(self, task: PageTask) -> "asyncio.Future[Any]":
        """Return the future answer to a task; raise BusyError if too many wait."""
        try:
            return asyncio.wrap_future(self.pool.submit(task))
        except QueueFullError:
            raise BusyError(f"{self.pool.unanswered:,} pages are waiting for a worker; try again later") from None

    async def answer(self, task: PageTask, gone: Callable[[], Awaitable[object]] | None = None) -> Outcome:
        """Return what became of a page; raise PageError if it failed.

        `gone` returns when the client has hung up, and with it the wish for an answer.
        """
        outcome = await self._wait(self.submit(task), gone)
        reason = outcome if isinstance(outcome, Reason) else outcome.reason if outcome.failed else None
        if reason:
            raise PageError(reason.code if reason.code in REFUSALS else Code.PAGE_FAILED, reason)
        assert isinstance(outcome, Outcome)
        return outcome

    async def _wait(self, answer: "asyncio.Future[Any]", gone: Callable[[], Awaitable[object]] | None) -> Any:
        left = asyncio.ensure_future(gone()) if gone else None
        try:
            await asyncio.wait({answer, left} if left else {answer}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                answer.cancel()
                raise PageError(Code.BODY_INCOMPLETE, Reason(Code.BODY_INCOMPLETE, "the client hung up"))
            return answer.result()
        except NoWorkerError as error:
            self.ready = False
            raise PageError(Code.NOT_READY, error.reason) from error
        finally:
            if left:
                left.cancel()

    async def fetch(self, url: str) -> RawPage:
        """Return a page from the web; raise PageError if that is off, or if it cannot be fetched."""
        if not self.settings.fetch:
            detail = "send the page itself, or start the server with --fetch"
            raise PageError(Code.FETCHING_IS_OFF, Reason(Code.FETCHING_IS_OFF, detail))
        if self.fetching >= self.settings.fetches:
            raise BusyError(f"{self.fetching} pages are being fetched; try again later")
        self.fetching += 1
        try:
            policy = Policy(proxies=False)  # since only so the address that was checked is the one connected to
            page = await asyncio.to_thread(fetched, url, self.settings.limits, policy)
        except Exception as error:  # of the decompression of what lies compressed on the server
            raise PageError(Code.FETCH_FAILED, Reason(Code.UNREADABLE, str(error))) from error
        finally:
            self.fetching -= 1
        if page.problem:
            raise PageError(Code.FETCH_FAILED, page.problem)
        return page

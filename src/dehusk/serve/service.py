"""Service: pages to the pool and back, and pages from the web, within limits on how many at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from dehusk.batch import Outcome
from dehusk.formats import Look
from dehusk.models.registry import DEFAULT
from dehusk.pool import NoWorkerError, Pool, QueueFullError
from dehusk.serve import work
from dehusk.serve.settings import Settings
from dehusk.serve.work import Choice, Refusal, Task
from dehusk.sources import RawPage, fetched
from dehusk.sources.fetcher import Policy

WARM_UP = Task(Choice(DEFAULT, (), "json", False, Look()), RawPage("warm-up", b"<p>Ready?"))


class BusyError(Exception):
    """As much waits as may."""


class PageError(Exception):
    """A page that could not be fetched or processed, with the code of its problem."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


class Service:
    """What HTTP and MCP share. It must be opened and closed in the event loop that it is used in."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        state = work.__name__, work.answer.__name__, settings.limits
        self.pool = Pool(state, settings.jobs, settings.limits, settings.waiting)
        self.fetching = 0
        self.ready = False

    def open(self) -> None:
        """Start the workers, so that the first clients need not wait for them."""
        self.pool.__enter__()
        for _ in range(self.pool.jobs):
            self.warm_up()

    def close(self) -> None:
        """End all workers."""
        self.pool.close()

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

    def submit(self, task: Task) -> "asyncio.Future[Any]":
        """Return the future answer to a task; raise BusyError if too many wait."""
        try:
            return asyncio.wrap_future(self.pool.submit(task))
        except QueueFullError:
            raise BusyError(f"{self.pool.unanswered:,} pages wait for a worker; try again later") from None

    async def answer(self, task: Task, gone: Callable[[], Awaitable[object]] | None = None) -> Outcome:
        """Return what became of a page; raise PageError if it failed.

        `gone` returns when the client has hung up, and with it the wish for an answer.
        """
        found = await self._wait(self.submit(task), gone)
        if isinstance(found, Refusal):
            raise PageError(*found)
        if isinstance(found, str):
            raise PageError("page-failed", found)
        assert isinstance(found, Outcome)
        if found.failed:
            raise PageError("page-failed", found.reason)
        return found

    async def _wait(self, answer: "asyncio.Future[Any]", gone: Callable[[], Awaitable[object]] | None) -> Any:
        left = asyncio.ensure_future(gone()) if gone else None
        try:
            await asyncio.wait({answer, left} if left else {answer}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                answer.cancel()
                raise PageError("body-incomplete", "the client hung up")
            return answer.result()
        except NoWorkerError as error:
            self.ready = False
            raise PageError("not-ready", str(error)) from error
        finally:
            if left:
                left.cancel()

    async def fetch(self, url: str) -> RawPage:
        """Return a page from the web; raise PageError if that is off, or if it cannot be fetched."""
        if not self.settings.fetch:
            raise PageError("fetching-is-off", "send the page itself, or start the server with --fetch")
        if self.fetching >= self.settings.fetches:
            raise BusyError(f"{self.fetching} pages are being fetched; try again later")
        self.fetching += 1
        try:
            policy = Policy(proxies=False)  # since only so the address that was checked is the one connected to
            page = await asyncio.to_thread(fetched, url, self.settings.limits, policy)
        except Exception as error:  # of the decompression of what lies compressed on the server
            raise PageError("fetch-failed", f"cannot be read: {error}") from error
        finally:
            self.fetching -= 1
        if page.problem:
            raise PageError("fetch-failed", page.problem)
        return page

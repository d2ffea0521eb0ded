"""Run in the rendering process: a page whose scripts run, under limits on time and requests."""

import asyncio
from typing import Any, Final

from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Dialog,
    Error,
    Page,
    Request,
    Route,
    WebSocketRoute,
)

from dehusk.reasons import Code, Reason
from dehusk.rendering.tasks import Live, LivePage

# Without these a page's text may be missing; the look of it, and what it plays, is not needed for its text.
NEEDED: Final = ("script", "xhr", "fetch", "document")
FETCHED: Final = ("script", "xhr", "fetch")
AT_ONCE: Final = 6  # requests, as browsers do for a host
MOST_NAMED: Final = 20  # refusals that are reported by their address
# Seconds without a request, and without a change in the number of nodes, after which a page is complete.
QUIET: Final = 0.5
LOOK: Final = 0.1
LAST_SECONDS: Final = 3.0  # for a tree to be written after its scripts were stopped
# Who runs scripts does not see what is written for those who do not.
DROP_NOSCRIPT: Final = "for (const each of document.querySelectorAll('noscript')) each.remove()"


class PageCrashedError(Exception):
    """The process of the page ended."""


async def run_scripts(browser: Browser, task: Live) -> LivePage:
    """Return the page after its scripts have run."""
    context = await browser.new_context(service_workers="block", accept_downloads=False)
    try:
        requests = _Requests(task)
        await context.route("**/*", requests.answer)
        await context.route_web_socket("**/*", _refuse_socket)
        page = await context.new_page()
        page.set_default_timeout(0)
        _listen(context, page)
        session = await context.new_cdp_session(page)
        stopped = await _run(page, session, requests, task)
        html = await asyncio.wait_for(_markup(session), LAST_SECONDS)
        return LivePage(html, stopped, tuple(requests.refused.items()))
    finally:
        await context.close()


def _listen(context: BrowserContext, page: Page) -> None:
    async def dismiss(dialog: Dialog) -> None:
        await dialog.dismiss()

    async def close(other: Page) -> None:
        await other.close()

    page.on("dialog", dismiss)
    context.on("page", close)  # windows that it opens


async def _run(page: Page, session: CDPSession, requests: "_Requests", task: Live) -> bool:
    """Load the page and wait until it is complete; return whether its scripts had to be stopped."""
    crashed = asyncio.Event()
    page.on("crash", lambda _: crashed.set())  # otherwise nobody would answer, and nobody would say why
    loaded = asyncio.ensure_future(_complete(page, session, requests, task.url))
    gone = asyncio.ensure_future(crashed.wait())
    ended, open_ = await asyncio.wait({loaded, gone}, timeout=task.seconds, return_when=asyncio.FIRST_COMPLETED)
    for other in open_:
        other.cancel()
    if gone in ended:
        raise PageCrashedError
    if loaded in ended:
        await loaded  # which may have failed
        return False
    requests.ended = True
    await asyncio.wait_for(session.send("Runtime.terminateExecution"), LAST_SECONDS)
    return True


async def _complete(page: Page, session: CDPSession, requests: "_Requests", url: str) -> None:
    # Not until it is loaded, which a page never is whose script leads elsewhere at once.
    await page.goto(url, wait_until="commit")
    quiet, before = 0.0, (-1, -1)
    while quiet < QUIET:
        await asyncio.sleep(LOOK)
        now = ((await session.send("Memory.getDOMCounters"))["nodes"], requests.count)
        quiet = quiet + LOOK if now == before and not requests.open else 0.0
        before = now


async def _markup(session: CDPSession) -> str:
    # In a world of its own: pages change what is global.
    tree = await session.send("Page.getFrameTree")
    world = await session.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
    await session.send("Runtime.evaluate", {"expression": DROP_NOSCRIPT, "contextId": world["executionContextId"]})
    root = await session.send("DOM.getDocument", {"depth": 0})
    markup: dict[str, Any] = await session.send("DOM.getOuterHTML", {"nodeId": root["root"]["nodeId"]})
    return str(markup["outerHTML"])


async def _refuse_socket(socket: WebSocketRoute) -> None:
    await socket.close()


class _Requests:
    """Answers the page itself, once, and then what may be fetched for it."""

    def __init__(self, task: Live) -> None:
        self._task, self._begun = task, False
        self._places = asyncio.Semaphore(AT_ONCE)
        self.count = self.open = 0
        self.refused: dict[str, Reason] = {}
        self.ended = False

    async def answer(self, route: Route) -> None:
        request = route.request
        if not self._begun:
            self._begun = True
            await route.fulfill(body=self._task.html, content_type="text/html; charset=utf-8")
            return
        self.count += 1
        if request.resource_type not in NEEDED:
            await route.abort()
            return
        self.open += 1
        try:
            await self._fetch(route)
        except Error:  # the page has gone away
            pass
        finally:
            self.open -= 1

    async def _fetch(self, route: Route) -> None:
        response = await self._response(route.request)
        if isinstance(response, Reason):
            if len(self.refused) < MOST_NAMED:
                self.refused[route.request.url] = response
            await route.abort("aborted")  # any other error would be shown in place of the page
        else:
            await route.fulfill(body=response[1], content_type=response[0] or None)

    async def _response(self, request: Request) -> tuple[str, bytes] | Reason:
        if request.resource_type not in FETCHED:
            return Reason(Code.REQUESTS_REFUSED, "another page")
        if request.method != "GET":
            return Reason(Code.REQUESTS_REFUSED, f"{request.method} sends data")
        if self._task.answers is None:
            return Reason(Code.REQUESTS_REFUSED, "nothing is fetched for a file")
        if self.ended or self.count > self._task.requests:
            return Reason(Code.REQUESTS_REFUSED, f"more than {self._task.requests} requests")
        async with self._places:
            return await asyncio.to_thread(self._task.answers, request.url)

"""Run in the rendering process: the layout of a page whose scripts do not run."""

import base64
import mimetypes
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import numpy as np
from playwright.async_api import Browser, Page, Route

from dehusk.rendering.layout import Layout
from dehusk.rendering.tasks import NO_ADDRESS, Photograph

WIDTH: Final = 1024  # pixels: the usual screen when most of our pages were made
HEIGHT: Final = 768
# Text below is not on the picture: one page in a hundred is longer, and Chromium can paint no more than 16,384.
MOST_HEIGHT: Final = 12_000
PER_TAB: Final = 50  # pages, so that what a browser does not give back cannot add up
# Scripts do not run, but could, so that `noscript` is not shown; frames are not loaded. Styles and pictures are for
# interception to decide.
POLICY: Final = "default-src 'none'; style-src * 'unsafe-inline'; img-src * data:"
HEADERS: Final = {"content-type": "text/html; charset=utf-8", "content-security-policy": POLICY}


class Photographer:
    """Takes pictures of pages in one tab: a tab, with the process behind it, costs as much as a page."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._tab: Page | None = None
        self._count = 0
        self.crashed = False  # whether the process of the tab ended
        self._files = _Files(Photograph(""))

    async def photograph(self, task: Photograph) -> Layout:
        """Return the layout of a page."""
        tab = await self._current_tab()
        self._files = _Files(task)
        await tab.goto(NO_ADDRESS + quote(task.path))
        return await _layout(tab)

    async def _current_tab(self) -> Page:
        if self._tab and self._count % PER_TAB == 0:
            await self._tab.close()
            self._tab = None
        if self._tab is None:
            self._tab = await self._browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, service_workers="block"
            )
            self._tab.set_default_timeout(0)  # the process that asked has a clock
            self._tab.on("crash", self._note_crash)
            await self._tab.route("**/*", self._answer)
        self._count += 1
        return self._tab

    async def _answer(self, route: Route) -> None:
        await self._files.answer(route)

    def _note_crash(self, _: Page) -> None:
        self.crashed = True


async def _layout(page: Page) -> Layout:
    import cv2  # noqa: PLC0415  (large)

    session = await page.context.new_cdp_session(page)
    snapshot = await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": min(max(size["height"], 1), MOST_HEIGHT), "scale": 1}
    options = {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
    shot = await session.send("Page.captureScreenshot", options)
    await session.detach()
    png = np.frombuffer(base64.b64decode(shot["data"]), np.uint8)
    picture: Any = cv2.imdecode(png, cv2.IMREAD_GRAYSCALE)
    return Layout.of(snapshot, picture)


class _Files:
    """Answers the page itself, once, and then files of the folder beside it; refuses everything else."""

    def __init__(self, task: Photograph) -> None:
        self._task, self._begun = task, False
        self._folder = Path(task.folder).resolve() if task.folder else None

    async def answer(self, route: Route) -> None:
        if not self._begun:
            self._begun = True
            await route.fulfill(body=self._task.html, headers=HEADERS)
        elif path := self._path(route.request.url):
            sheet = route.request.resource_type == "stylesheet"  # of which not all are named so
            kind = "text/css" if sheet else mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            await route.fulfill(body=path.read_bytes(), content_type=kind)
        else:
            await route.abort("aborted")  # any other error would be shown in place of a page that leads elsewhere

    def _path(self, url: str) -> Path | None:
        """Return the file for an address; None if the page may not have it."""
        if self._folder is None or not url.startswith(NO_ADDRESS):
            return None
        path = (self._folder / unquote(urlsplit(url).path).lstrip("/")).resolve()
        return path if path.is_relative_to(self._folder) and path.is_file() else None

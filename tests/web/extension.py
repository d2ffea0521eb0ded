"""The extension in Debian's Chromium, driven by Playwright: a browser of its own, and pages that answer from memory."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.helpers.chromium import PROGRAM

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

FOLDER = Path(__file__).parents[2] / "build" / "extension" / "chromium"
HOST = "http://pages.test"
# Without these, Chromium itself asks its maker for updates and lists.
QUIET = (
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--no-first-run", "--disable-quic", "--disable-gpu",
)  # fmt: skip


class Extension:
    """A running browser with the extension in it."""

    def __init__(self, context: "BrowserContext") -> None:
        self.context = context
        self.pages: dict[str, tuple[str, dict[str, str]]] = {}  # markup and headers by path
        self.refused: list[str] = []  # addresses that were asked for and are no page of ours
        context.route("**/*", self._answer)
        workers = context.service_workers or [context.wait_for_event("serviceworker")]
        self.id = workers[0].url.split("/")[2]
        self.worker = workers[0]

    def open(self, html: str, path: str = "/page", **headers: str) -> "Page":
        """Open a page in a tab of its own; underscores in the names of headers are hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[HOST + path] = (html, {"content-type": "text/html; charset=utf-8", **named})
        page = self.context.new_page()
        page.goto(HOST + path)
        return page

    def click(self, page: "Page") -> None:
        """Click the extension's button, as a user would: the click is what lets it into the page."""
        browser = self.context.browser
        assert browser is not None
        session = browser.new_browser_cdp_session()
        targets = session.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        target = next(each["targetId"] for each in targets if each["url"] == page.url)
        session.send("Extensions.triggerAction", {"id": self.id, "targetId": target})
        session.detach()

    def badge(self, page: "Page") -> str:
        """Return the text on the button."""
        script = """async (url) => {
            const tabs = await chrome.tabs.query({});
            const texts = await Promise.all(tabs.map((tab) => chrome.action.getBadgeText({ tabId: tab.id })));
            return texts.find((text) => text !== "") ?? "";
        }"""
        return str(self.worker.evaluate(script, page.url))

    def _answer(self, route: "Route") -> None:
        url = route.request.url
        if url in self.pages:
            html, headers = self.pages[url]
            route.fulfill(body=html, headers=headers)
        elif url.startswith("chrome-extension:"):
            route.continue_()
        else:
            self.refused.append(url)
            route.abort()


@contextmanager
def extension(**options: object) -> Iterator[Extension]:
    """Yield a browser with the extension loaded, or skip the test if there is none; CI must have both."""
    if PROGRAM is None or not FOLDER.exists():
        assert not os.environ.get("CI"), "no Chromium or no built extension, although `make test` brings both"
        pytest.skip("needs Chromium and `make extension`")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (large, and few tests need it)

    flags = [
        "--headless=new", "--no-sandbox", "--enable-unsafe-extension-debugging", f"--disable-extensions-except={FOLDER}",
        f"--load-extension={FOLDER}", *QUIET,
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=PROGRAM, headless=False, args=flags, **options  # type: ignore[arg-type]
        )
        try:
            yield Extension(context)
        finally:
            context.close()

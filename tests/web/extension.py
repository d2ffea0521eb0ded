"""The extension in Debian's Chromium, driven by Playwright: a browser of its own, and a proxy that answers all."""

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from testing.chromium import PROGRAM
from testing.needed import skip_unless

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

FOLDER = Path(__file__).parents[2] / "build" / "extension" / "chromium"
SITE = "http://pages.test"
PATIENCE = 300_000  # milliseconds: no test measures time, on however busy a machine
# Without these, Chromium itself asks its maker for updates and lists; some versions do so with them.
QUIET = (
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--no-first-run", "--disable-quic", "--disable-gpu", "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-features=OptimizationHints,MediaRouter,Translate,CertificateTransparencyComponentUpdater",
)  # fmt: skip

MAKER = re.compile(r"(?:[\w-]+\.)*(?:google|googleapis|gstatic)\.com:443")


class Web(ThreadingHTTPServer):
    """A proxy for all that the browser asks for: it has a few pages, refuses the rest, and keeps a list."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.pages: dict[str, tuple[str, dict[str, str]]] = {}  # markup and headers by address
        self.requests: list[str] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: browsers hang up when they like."""


class _Answers(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        html, headers = self.server.pages.get(self.path, ("", {}))
        self.send_response(200 if html else 404)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(html.encode())

    def do_CONNECT(self) -> None:
        if not MAKER.fullmatch(self.path):
            self.server.requests.append(self.path)
        self.send_error(403)

    def do_POST(self) -> None:
        self.do_CONNECT()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Extension:
    """A running browser with the extension in it."""

    def __init__(self, context: "BrowserContext", web: Web) -> None:
        self.context, self.web = context, web
        self.worker = (context.service_workers or [context.wait_for_event("serviceworker")])[0]
        self.id = self.worker.url.split("/")[2]

    def open_options(self) -> "Page":
        """Open the page of options."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"chrome-extension://{self.id}/options.html")
        page.wait_for_selector("#shortcuts:not(:empty)", state="attached")  # the last that its script fills
        return page

    def open(self, html: str, **headers: str) -> "Page":
        """Open a page in a tab of its own, at an address of its own; underscores in names of headers are hyphens."""
        address = f"{SITE}/page-{len(self.web.pages)}"
        self.web.pages[address] = (html, {name.replace("_", "-"): value for name, value in headers.items()})
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
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

    def highlight(self, page: "Page") -> None:
        """Click once, and wait until the main text is highlighted."""
        self.click(page)
        page.wait_for_selector("dehusk-panel .toolbar")

    def read(self, page: "Page") -> None:
        """Click twice, and wait for the reader view."""
        self.highlight(page)
        self.click(page)
        page.wait_for_selector("dehusk-panel dialog[open] article > *")

    def badge(self) -> str:
        """Return the text on the button, which is set by a message: it may take a moment."""
        script = """async () => {
            const tabs = await chrome.tabs.query({});
            const texts = await Promise.all(tabs.map((tab) => chrome.action.getBadgeText({ tabId: tab.id })));
            return texts.find((text) => text !== "") ?? "";
        }"""
        return str(self.worker.evaluate(script))


@contextmanager
def extension(**options: Any) -> Iterator[Extension]:
    """Yield a browser with the extension loaded, or skip the test if there is none; CI must have both."""
    skip_unless(PROGRAM and FOLDER.exists(), "Chromium and the built extension")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (large, and few tests need it)

    web = Web()
    Thread(target=web.serve_forever, daemon=True).start()
    flags = [
        "--headless=new", "--no-sandbox", "--enable-unsafe-extension-debugging",
        f"--disable-extensions-except={FOLDER}", f"--load-extension={FOLDER}",
        f"--proxy-server=http://127.0.0.1:{web.server_port}", *QUIET,
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=PROGRAM, headless=False, args=flags, **options
        )
        try:
            yield Extension(context, web)
        finally:
            context.close()
            web.shutdown()
            web.server_close()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for what a browser does in its own time; pytest ends a test that hangs."""
    while not condition():
        time.sleep(0.02)


def highlighted(page: "Page", name: str = "dehusk-kept") -> str:
    """Return the text that is highlighted on a page."""
    script = """(name) => [...(CSS.highlights.get(name) ?? [])].map((range) => {
        const live = range.startContainer.ownerDocument.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        return live.toString();
    }).join("|")"""
    return str(page.evaluate(script, name))

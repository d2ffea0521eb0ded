"""A browser for tests: Debian's Chromium, driven by Playwright. `make test` installs it where it can."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from testing.needed import skip_unless

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield a running browser, or skip the test if there is none; CI must have one."""
    skip_unless(PROGRAM, "Chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (large, and few tests need it)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        try:
            yield browser
        finally:
            browser.close()

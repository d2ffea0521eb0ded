"""A browser for tests: Debian's Chromium, driven by Playwright. `make test` installs it where it can."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield a running browser, or skip the test if there is none; CI must have one."""
    if PROGRAM is None:
        assert not os.environ.get("CI"), "no Chromium, although `make test` installs it"
        pytest.skip("no Chromium on this machine; `apt-get install chromium` brings one")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (large, and few tests need it)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        try:
            yield browser
        finally:
            browser.close()

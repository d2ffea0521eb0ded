"""The pictures of the reports in docs/images: `python -m docs.site.pictures` takes them again after a change.

It needs Playwright and Chromium, as the tests of the report do, and Pillow, which comes with matplotlib. The evaluation
report is the file that is given: `python -m docs.site.pictures lab/report.html`.
"""

import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import dehusk
from dehusk.formats.report import render
from testing.chromium import PROGRAM

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs/images"
DESKTOP = {"width": 1280, "height": 760}
TALL = {"width": 1160, "height": 1660}
PHONE = {"width": 390, "height": 760}
GAP = 30  # between the pictures of two phones


def report(page: str, beside: str | None = None) -> str:
    """Return the report of a golden page, with a second method beside the first."""
    document = dehusk.Extractor(explain=True).extract((ROOT / "tests/pages" / page / "source.html").read_bytes())
    return render(document, beside=dehusk.extract(document.page, method=beside) if beside else None)


def photograph(
    browser: Browser, html: str, prepare: Callable[[Page], None] | None = None, **window: Any
) -> Image.Image:
    """Return what a window shows of a report, after `prepare` has scrolled and selected."""
    tab = browser.new_context(device_scale_factor=1.5, **window).new_page()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        tab.goto(path.as_uri())
        if prepare:
            prepare(tab)
        tab.wait_for_timeout(300)
        return Image.open(BytesIO(tab.screenshot()))


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with 128 colours, a third of the size; the eye sees no difference."""
    picture.convert("RGB").quantize(128).save(IMAGES / name, optimize=True)


def an_ad(tab: Page) -> None:
    """Select an ad inside the article, and scroll so that a whole row comes first."""
    ad = tab.get_by_text("Thinking of solar panels").first
    ad.evaluate("element => element.scrollIntoView({block: 'center'})")
    ad.hover()
    tab.wait_for_timeout(300)
    tab.mouse.wheel(0, -22)
    ad.hover()


def what_differs(tab: Page) -> None:
    """Show only the rows in which two methods differ, and select one."""
    tab.get_by_text("only where they differ").click()
    tab.get_by_text("Add to basket").first.hover()


def to_the_summary(tab: Page) -> None:
    """Scroll past the description of what was measured."""
    tab.evaluate("document.querySelector('h2').scrollIntoView()")


def main() -> None:
    """Take the pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        if sys.argv[1:]:
            html = Path(sys.argv[1]).read_text(encoding="utf-8")
            save(photograph(browser, html, to_the_summary, viewport=TALL), "evaluation-report.png")
            return
        save(photograph(browser, report("news-article"), an_ad, viewport=DESKTOP), "report.png")
        two = report("product-page", beside="bte")
        save(photograph(browser, two, what_differs, viewport=DESKTOP, color_scheme="dark"), "report-two-dark.png")
        light = photograph(browser, report("arabic-rtl"), viewport=PHONE)
        dark = photograph(browser, report("forum-thread"), viewport=PHONE, color_scheme="dark")
        both = Image.new("RGB", (light.width * 2 + GAP, light.height), "white")
        both.paste(light, (0, 0))
        both.paste(dark, (light.width + GAP, 0))
        save(both, "report-phone.png")


if __name__ == "__main__":
    main()

"""The pictures of docs/rendering.md: `python -m docs.site.region_pictures` takes them again. All pages are our own."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

from dehusk import Extractor, Page
from dehusk.formats.report import render
from dehusk.methods.base import Picture
from dehusk.methods.fiasco import Fiasco, visual
from dehusk.methods.fiasco.targets import find_targets
from dehusk.rendering import Layout, Photograph, Renderer
from docs.site.pictures import ROOT, save
from testing.chromium import PROGRAM

PAGES = {
    "regions-styled": "tests/web/picture.html",
    "regions-tables": "tests/pages/layout-tables/source.html",
    "regions-plain": "tests/pages/news-article/source.html",
}
HIGHEST = 1000  # pixels of a picture
WINDOW: ViewportSize = {"width": 1280, "height": 800}


def seen(renderer: Renderer, page: Page) -> Picture:
    """Return a page with its regions, scored by the shipped machine."""
    layout = renderer.photograph(Photograph(page.html))
    assert isinstance(layout, Layout), layout
    targets = find_targets(page)
    judge, matrix = Fiasco.shipped().judge(page, targets)
    return visual.picture(page, targets, layout, np.asarray(judge.machine.scores(matrix)))


def main() -> None:
    """Take the pictures."""
    with Renderer() as renderer, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        tab = browser.new_page(viewport=WINDOW)
        for name, path in PAGES.items():
            page = Page.from_bytes((ROOT / path).read_bytes())
            report = Path(f"build/{name}.html").resolve()
            report.parent.mkdir(exist_ok=True)
            html = render(Extractor("fiasco").extract(page), picture=seen(renderer, page))
            report.write_text(html, encoding="utf-8")
            tab.goto(report.as_uri())
            shot = Image.open(BytesIO(tab.locator("#picture").screenshot()))
            save(shot.crop((0, 0, shot.width, min(shot.height, HIGHEST))), f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()

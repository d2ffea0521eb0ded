"""The figure of a report: a picture with regions, whatever the page says."""

from collections.abc import Iterator
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dehusk import Extractor, Limits, Page, Source
from dehusk.extractor import RenderOptions, render_page
from dehusk.formats.report import render
from dehusk.methods.alltext import AllText
from dehusk.methods.base import Picture, PolygonOutline
from dehusk.rendering import Layout
from testing.chromium import chromium
from tests.formats.report_pages import HOSTILE, hostile, scored
from tests.formats.test_report_browser import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def seen(*texts: str) -> Picture:
    """Return a picture with one region per text, each below the one before."""
    image = np.full((20 * len(texts), 100), 255, np.uint8)
    layout = Layout(image, np.zeros(0, np.uint32), np.zeros(0, np.int32), np.zeros((0, 4), np.float32))
    outlines = [
        PolygonOutline(((5, top), (90, top), (90, top + 15), (5, top + 15)), text, (0.5, 2), score)
        for top, text, score in zip(range(0, 20 * len(texts), 20), texts, [0.0, nan, 0.55, 1.0] * 9, strict=False)
    ]
    return Picture(layout.png(), 100, image.shape[0], ("solidity_1", HOSTILE[0]), tuple(outlines))


def test_only_a_report_with_a_picture_may_show_one() -> None:
    document = scored("<p>Text", 0.1)
    plain, with_picture = render(document), render(document, picture=seen("Text"))
    assert "img-src" not in plain
    assert "<image" not in plain
    assert "img-src data:;" in with_picture
    assert with_picture.count("<polygon") == 1
    assert with_picture.count("data:image/png") == 1


class Sees(AllText):
    """A method that sees something of each page."""

    def picture(self, page: Page) -> Picture | None:
        return seen(page.text) if page.text != "Blind" else None


def test_what_a_method_sees_is_in_its_report_alone() -> None:
    extractor = Extractor(Sees(), limits=Limits())
    assert "<polygon" in render_page(extractor, RenderOptions("report"), Source("<p>Text"))[0]
    assert "<polygon" not in render_page(extractor, RenderOptions("report"), Source("<p>Blind"))[0]
    assert render_page(extractor, RenderOptions("text"), Source("<p>Text"))[0] == "Text"


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as running:
        yield running


@pytest.mark.slow
def test_the_figure_is_below_the_blocks_and_runs_nothing(browser: "Browser", tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, render(hostile(), picture=seen(*HOSTILE)))
    assert tab.locator("#picture polygon").count() == len(HOSTILE)
    assert tab.locator("#picture tbody tr").count() == len(HOSTILE)
    above, below = tab.locator("main").bounding_box(), tab.locator("#picture").bounding_box()
    assert above
    assert below
    assert above["height"] >= 500
    assert below["y"] >= above["y"] + above["height"]
    svg = tab.locator("#picture svg").bounding_box()
    assert svg
    assert svg["width"] > 300

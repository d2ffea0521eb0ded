"""Visual features: the measures of polygons, and the regions of text on a picture."""

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Page
from dehusk.methods.fiasco.targets import find_targets
from dehusk.methods.fiasco.visual import NAMES, Region, features, measure, picture, regions
from dehusk.rendering.layout import Layout, digest

WINDOW = 1000
LINE = 20


def polygon(*corners: tuple[float, float]) -> Region:
    return Region(np.array(corners, np.int32), LINE)


def block(width: int, height: int, slant: float) -> Region:
    """A rectangle whose upper edge falls a little, so that it is not whole."""
    return polygon((0, 0), (width, slant * height), (width, height), (0, height))


def ragged(width: int, height: int, full: int, ends: tuple[float, float], count: int) -> Region:
    """Lines that are whole down to `full`, and then have `count` corners where they end sooner or later."""
    below = [(ends[number % 2], full + (height - full) * number / (count - 1)) for number in range(count)]
    return polygon((0, 0), (width, 0), (width, full), *below, (0, height))


def test_the_rows_of_the_papers_table_1() -> None:
    heading = block(100, 100, 0)
    found = [
        ragged(323, 400, 78, (200.5, 212.5), 27),  # a list, of which few lines are long
        ragged(366, 400, 304, (159, 207), 26),  # one whose last lines are short
        block(610, 149, 0.06),
        block(610, 400, 0.02),
        heading,
    ]
    rows = measure(found, [False] * 4 + [True], WINDOW)[:4]
    assert rows.round(2).tolist() == [
        [0.71, 1.35, 0.12, 0.53, 0],
        [0.88, 1.30, 0.09, 0.60, 0],
        [0.97, 0, 0.61, 1, 0.51],
        [0.99, 0, 0.61, 1, 0],
    ]


def test_without_headings_a_headline_is_as_high_as_one_line() -> None:
    found = [block(300, LINE, 0), block(300, 5 * LINE, 0), None]
    assert measure(found, [False] * 3, WINDOW)[:, 4].tolist() == [1, 0, 0]
    assert measure(found[1:], [False] * 2, WINDOW)[:, 4].tolist() == [0, 0]


Lines = list[tuple[int, int, int, int]]  # left, top, width, height


def laid_out(html: str, boxes: list[Lines], *, unseen: tuple[int, ...] = ()) -> tuple[Page, Layout]:
    """Return a page and a layout that has these boxes for its leaves, filled with black but for the unseen ones."""
    page = Page.from_html(html)
    image: NDArray[np.uint8] = np.full((600, WINDOW), 255, np.uint8)
    for number, lines in enumerate(boxes):
        for left, top, width, height in lines:
            # Every second column, as letters are, so that white is the background.
            image[top : top + height, left : left + width : 3] = 255 if number in unseen else 0
    texts = [page.text[start:end] for start, end in zip(page.leaves.start, page.leaves.end, strict=True)]
    node = [number for number, lines in enumerate(boxes) for _ in lines]
    rows = np.array([line for lines in boxes for line in lines], np.float32).reshape(-1, 4)
    return page, Layout(image, np.array(list(map(digest, texts)), np.uint32), np.array(node, np.int32), rows)


LIST = "<ul><li>One<li>Two and<li>Three</ul><p>A paragraph of two lines"
LIST_BOXES: list[Lines] = [
    [(0, 0, 100, 16)], [(0, 18, 200, 16)], [(0, 36, 150, 16)],
    [(0, 80, 600, 16), (0, 98, 600, 16)],
]  # fmt: skip


def test_lines_of_a_list_are_one_region_and_a_paragraph_after_a_gap_another() -> None:
    page, layout = laid_out(LIST, LIST_BOXES)
    found = regions(page, find_targets(page), layout)
    assert len(found) == 4
    assert found[0] is found[1] is found[2] is not found[3]
    one, two = found[0], found[3]
    assert one
    assert two
    assert (one.box, one.line) == ((0, 0, 198, 51), 18)
    assert (len(two.corners), two.box) == (4, (0, 80, 597, 33))
    matrix = features(page, find_targets(page), layout)
    assert matrix[0, 0] < 0.85
    assert matrix[3, 0] > 0.99
    assert matrix[0, 1] > 1
    assert matrix[3, 1] == 0
    assert matrix[:, 3].round(2).tolist() == [0.33, 0.33, 0.33, 1]


def test_text_that_cannot_be_seen_has_no_region() -> None:
    page, layout = laid_out(LIST, LIST_BOXES, unseen=(1, 3))
    matrix = features(page, find_targets(page), layout)
    assert matrix[:, 0].astype(bool).tolist() == [True, False, True, False]
    page, layout = laid_out(LIST, [[], [], [], [(0, 590, 900, 80)]])
    assert features(page, find_targets(page), layout)[:, 0].tolist() == [0, 0, 0, 1]  # cut off where the picture ends


@pytest.mark.parametrize("html", ["", "<p>Text", LIST])
def test_without_a_layout_or_with_that_of_another_page_all_is_zero(html: str) -> None:
    page = Page.from_html(html)
    targets = find_targets(page)
    _, other = laid_out("<p>Another page", [[(0, 0, 100, 16)]])
    for layout in (None, other):
        matrix = features(page, targets, layout)
        assert matrix.shape == (len(targets), len(NAMES))
        assert not matrix.any()


def test_boxes_of_any_place_and_size_are_no_error() -> None:
    boxes: list[Lines] = [[(-50, -50, 10, 10)], [(5000, 9, 10, 10)], [(0, 5000, 10, 10)], [(3, 3, 1, 1), (9, 9, 0, 0)]]
    page, layout = laid_out(LIST, boxes)
    matrix = features(page, find_targets(page), layout)
    assert np.isfinite(matrix).all()
    assert matrix.min() >= 0


def test_the_picture_has_one_outline_per_region() -> None:
    page, layout = laid_out(LIST, LIST_BOXES)
    shown = picture(page, find_targets(page), layout, np.array([0.5, 0.7, 0.9, 0.1]))
    assert shown.png.startswith(b"\x89PNG")
    assert [(outline.text, round(outline.score, 2)) for outline in shown.outlines] == [
        ("One", 0.7),
        ("A paragraph of two lines", 0.1),
    ]

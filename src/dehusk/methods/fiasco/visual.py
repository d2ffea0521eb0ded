"""Visual features: the shape of the region that a target's text covers on the rendered page, as in section 3.3.

The region: each piece of a line in which the picture differs from its background is filled, as the paper's add-on fills
text with purple. Blurred, lines that follow each other run together, also those of different targets, such as the items
of a list, while a blank line still separates. The region of a target is the blob with most of its text; the outline of
that, simplified by a third of a line, is the polygon that is measured.

The paper leaves scale and zero of its measures open. Ours, which its table 1 agrees with:

- solidity I: area of the polygon over that of its bounding box. 1 for a rectangle.
- solidity II: corners of the polygon beyond the four of a rectangle, per line of the region. 0 for a rectangle, though
  its corners, divided by its lines, would not be.
- solidity III: mean distance of the corners to the centre of the bounding box along the x-axis, in halves of the width
  of the window. For a rectangle that is its share of the window: .61 in the table, where the widest region has it.
- relative width: that of the bounding box, over that of the page's widest region.
- headline: 1 minus the relative difference between the region's height and the mean height of headings, at least 0. The
  paper has the difference; that cannot be 0 for three regions of different height, while ours is for all that are more
  than twice as high as a heading.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.base import Picture, PolygonOutline
from dehusk.methods.fiasco.targets import Targets
from dehusk.page import Page

if TYPE_CHECKING:
    from dehusk.rendering.layout import Layout

NAMES: Final = ("solidity_1", "solidity_2", "solidity_3", "relative_width", "headline")
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LONGEST_TEXT: Final = 80  # characters of a region's text that are shown
INK: Final = 32  # levels of grey that differ from the background
# In heights of the letters' boxes: more than the gap between two lines, less than that between two paragraphs.
BLUR: Final = 0.75
SIMPLIFIED: Final = 0.35  # in lines: less than the step where one ends, more than what is left of a gap

Matrix = NDArray[np.float64]
Points = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """What text covers: the corners of its outline, in pixels, and the height of one of its lines."""

    corners: Points
    line: float

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height."""
        left, top = self.corners.min(axis=0)
        width, height = self.corners.max(axis=0) - (left, top)
        return int(left), int(top), int(width), int(height)


def features(page: Page, targets: Targets, layout: "Layout | None") -> Matrix:
    """Return one row per target and one column per name in `NAMES`.

    A target without a region, since it cannot be seen or is too far below, has zeros; so have all where there is no
    layout, or where Chromium read another page from the source than we did.
    """
    shapes = regions(page, targets, layout) if layout is not None else [None] * len(targets)
    width = layout.picture.shape[1] if layout is not None else 1
    return measure(shapes, _in_headings(page, targets), width)


def measure(shapes: Sequence[Region | None], headings: Sequence[bool], window: int) -> Matrix:
    """Return the measures of regions, of which some are headings, in a window of a width in pixels.

    >>> square = Region(np.array([[0, 0], [500, 0], [500, 90], [0, 90]], np.int32), line=30)
    >>> measure([square, None], [False, False], 1000).tolist()
    [[1.0, 0.0, 0.5, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    matrix = np.zeros((len(shapes), len(NAMES)))
    widest = max((region.box[2] for region in shapes if region), default=1)
    heights = [region.box[3] for region, heading in zip(shapes, headings, strict=True) if region and heading]
    # Without headings, regions of one line stand in for them.
    heights = heights or [region.box[3] for region in shapes if region and _lines(region) == 1]
    height = float(np.mean(heights)) if heights else 0.0
    for row, region in zip(matrix, shapes, strict=True):
        if region:
            row[:] = _measures(region, widest, height, window)
    return matrix


def _measures(region: Region, widest: int, headline: float, window: int) -> tuple[float, ...]:
    left, _, width, height = region.box
    x, y = region.corners[:, 0].astype(np.float64), region.corners[:, 1].astype(np.float64)
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
    difference = abs(height - headline) / headline if headline else 1.0
    return (
        min(area / max(width * height, 1), 1.0),
        max(len(x) - 4, 0) / _lines(region),
        float(np.mean(np.abs(x - (left + width / 2)))) / (window / 2),
        width / max(widest, 1),
        max(0.0, 1.0 - difference),
    )


def _lines(region: Region) -> float:
    return max(region.box[3] / region.line, 1.0)


def picture(page: Page, targets: Targets, layout: "Layout", scores: Matrix) -> Picture:
    """Return the picture of a page with the regions of its targets, of which each has a score."""
    shapes = regions(page, targets, layout)
    values = measure(shapes, _in_headings(page, targets), layout.picture.shape[1])
    inside: dict[int, list[int]] = {}  # targets by region
    for target, region in enumerate(shapes):
        if region:
            inside.setdefault(id(region), []).append(target)
    outlines = [
        PolygonOutline(
            tuple(map(tuple, shapes[members[0]].corners.tolist())),  # type: ignore[union-attr]
            page.text[targets.start[members[0]] : targets.end[members[0]]][:LONGEST_TEXT],
            tuple(values[members[0]].tolist()),
            float(np.mean(scores[members])),
        )
        for members in inside.values()
    ]
    height, width = layout.picture.shape
    return Picture(layout.png(), width, height, NAMES, tuple(outlines))


def _in_headings(page: Page, targets: Targets) -> list[bool]:
    """Return for each target whether it is a heading or in one."""
    elements = page.elements
    heading = [False] * len(elements)
    for index in range(1, len(elements)):
        heading[index] = elements.tag[index] in HEADINGS or heading[elements.parent[index]]
    return [heading[element] for element in targets.element]


def regions(page: Page, targets: Targets, layout: "Layout") -> list[Region | None]:
    """Return the region of each target; targets whose text runs together have the same one."""
    largest: list[Region | None] = [None] * len(targets)
    leaf = layout.leaf_boxes(page)
    if leaf is None or not len(leaf):
        return largest
    boxes = _edges(layout)
    label, outlines = blobs(layout.picture, boxes)
    owner = targets.of_leaf[leaf]
    seen = (owner >= 0) & (label >= 0)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    shares = Counter[tuple[int, int]]()
    for pair, size in zip(zip(owner[seen].tolist(), label[seen].tolist(), strict=True), area[seen], strict=True):
        shares[pair] += int(size)
    for (target, blob), _ in reversed(shares.most_common()):  # the largest last
        largest[target] = outlines[blob]
    return largest


def _edges(layout: "Layout") -> Points:
    """Return left, top, right and bottom of all boxes, within the picture."""
    height, width = layout.picture.shape
    start = layout.box[:, :2]
    edges: Points = np.column_stack([start, start + layout.box[:, 2:]]).round().astype(np.int32)
    return np.clip(edges, 0, [width, height] * 2)


def blobs(picture: NDArray[np.uint8], boxes: Points) -> tuple[Points, list[Region]]:
    """Return for each box (left, top, right, bottom) the blob that its text is in, -1 if none can be seen; and all."""
    import cv2  # noqa: PLC0415  (large, and not in every install)

    filled, middle = _filled(picture, boxes)
    size = max(round(BLUR * _median_height(boxes)), 3) | 1
    # Cut off low, so that gaps as wide as the kernel are filled; then back to where the edges were.
    blurred = cv2.threshold(cv2.blur(filled, (size, size)), 0, 255, cv2.THRESH_BINARY)[1]
    closed = cv2.erode(blurred, np.ones((size, size), np.uint8))
    labels = cv2.connectedComponents(closed)[1]
    label = np.where(middle[:, 0] >= 0, labels[middle[:, 1], middle[:, 0]] - 1, -1).astype(np.int32)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    by_label: dict[int, Region] = {}
    for outline in outlines:
        column, row = outline[0, 0]
        blob = int(labels[row, column]) - 1
        line = _line_height(boxes[label == blob])
        corners = cv2.approxPolyDP(outline, SIMPLIFIED * line, True).reshape(-1, 2).astype(np.int32)
        by_label[blob] = Region(corners if len(corners) > 2 else _rectangle(corners), line)
    return label, [by_label[blob] for blob in range(len(by_label))]


def _filled(picture: NDArray[np.uint8], boxes: Points) -> tuple[NDArray[np.uint8], Points]:
    """Return a picture of the boxes in which something can be seen, from its first column to its last, and its middle.

    The background is the level of grey that is most frequent in a box. The middle of a box without anything is -1.
    """
    filled = np.zeros(picture.shape, np.uint8)
    middle = np.full((len(boxes), 2), -1, np.int32)
    for index, (left, top, right, bottom) in enumerate(boxes):
        inside = picture[top:bottom, left:right]
        if not inside.size:
            continue
        background = np.bincount(inside.ravel(), minlength=256).argmax()
        # As 16 bits: the difference of two bytes would wrap.
        columns = np.flatnonzero((np.abs(inside.astype(np.int16) - int(background)) > INK).any(axis=0))
        if len(columns):
            filled[top:bottom, left + columns[0] : left + columns[-1] + 1] = 255
            middle[index] = left + (columns[0] + columns[-1]) // 2, (top + bottom) // 2
    return filled, middle


def _line_height(boxes: Points) -> float:
    """Return the distance of lines: the usual one of boxes below each other, or their height if there is one line."""
    height = _median_height(boxes)
    steps = np.diff(np.unique(boxes[:, 1])).astype(np.float64)
    steps = steps[(steps > height / 2) & (steps < 3 * height)]
    return max(float(np.median(steps)) if len(steps) else height, 1.0)


def _median_height(boxes: Points) -> float:
    return float(np.median(boxes[:, 3] - boxes[:, 1])) if len(boxes) else 1.0


def _rectangle(points: Points) -> Points:
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0) + 1
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.int32)

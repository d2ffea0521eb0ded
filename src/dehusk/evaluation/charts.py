"""Charts: SVG with the CSS classes of report.css, so that one drawing serves light, dark and printed reports.

What a chart says in colour it also says in words or shapes: systems are named beside their marks, series differ in dash
and marker. All text that comes in is escaped here; what comes out is well-formed XML.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil, floor, hypot, isfinite, log10
from typing import Final

from markupsafe import Markup, escape

# XML allows none of these (control characters, lone surrogates); direction marks could reverse a line of the report.
UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
LETTER: Final = 7.0  # mean width of a character in 12 px type; a little too wide does no harm
STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
SERIES: Final = 8  # colours in report.css; the ninth series repeats the first, with another marker


def text(value: object, longest: int = 200) -> Markup:
    r"""Return a value as text that is inert in HTML and XML, as content or attribute, and not too long.

    What is `Markup` already stays as it is.

    >>> text("<b>&\x00"), text("a" * 9, longest=4), text(Markup("<b>"))
    (Markup('&lt;b&gt;&amp;�'), Markup('aaa…'), Markup('<b>'))
    """
    if isinstance(value, Markup):
        return value
    string = str(value)
    return escape(UNFIT.sub("\ufffd", string if len(string) <= longest else string[: longest - 1] + "…"))


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` on pixels from `start` to `stop`."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the pixel of a value.

        >>> Scale(1, 100, 0, 200, log=True)(10), Scale(0, 1, 100, 0)(0.25)
        (100.0, 75.0)
        """
        low, high, at = (log10(each) if self.log else each for each in (self.low, self.high, value))
        share = (at - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.stop - self.start), 1)

    def ticks(self) -> list[float]:
        """Return round values to label on the axis.

        >>> Scale(0.55, 0.98, 0, 1).ticks(), Scale(0.9, 30, 0, 1, log=True).ticks()
        ([0.6, 0.7, 0.8, 0.9], [1.0, 2.0, 5.0, 10.0, 20.0])
        """
        if self.log:
            decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            # Beyond three decades, 1-2-5 would be too crowded.
            digits = (1, 2, 5) if self.high < 1500 * self.low else (1,)
            values = [float(f"{digit}e{decade}") for decade, digit in product(decades, digits)]
        else:
            step = next((step for step in STEPS if (self.high - self.low) / step <= 6), STEPS[-1])
            values = [
                round(multiple * step, 2)
                for multiple in range(ceil(self.low / step - 1e-9), floor(self.high / step) + 1)
            ]
        return [value for value in values if self.low <= value <= self.high]


@dataclass(frozen=True, slots=True)
class Axes:
    """The frame of a chart: two scales with their titles."""

    x: Scale
    y: Scale
    x_title: str
    y_title: str

    def draw(self) -> Iterator[str]:
        """Yield the grid, the tick labels and the titles."""
        left, right, bottom, top = self.x.start, self.x.stop, self.y.start, self.y.stop
        for tick in self.y.ticks():
            at = self.y(tick)
            yield f'<line class="grid" x1="{left}" x2="{right}" y1="{at}" y2="{at}"/>'
            yield f'<text class="tick end" x="{left - 8}" y="{at + 4}">{tick:g}</text>'
        for tick in self.x.ticks():
            at = self.x(tick)
            yield f'<line class="grid" x1="{at}" x2="{at}" y1="{top}" y2="{bottom}"/>'
            yield f'<text class="tick middle" x="{at}" y="{bottom + 18}">{tick:g}</text>'
        yield f'<text class="axis middle" x="{(left + right) / 2}" y="{bottom + 38}">{text(self.x_title)}</text>'
        yield f'<text class="axis" x="{left - 38}" y="{top - 10}">{text(self.y_title)}</text>'


def svg(title: str, width: float, height: float, parts: Iterable[str], kind: str = "chart") -> Markup:
    """Return a drawing with a title for screen readers."""
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" aria-label="{text(title)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"<title>{text(title)}</title>{''.join(parts)}</svg>"
    )


# ── A bar with its interval, for a cell of a table or a row of a panel ──


def interval_bar(mean: float, low: float, high: float, tone: str) -> Markup:
    """Return a small bar from 0 to `mean` of 1; hidden from screen readers, since the next cell has the figure."""
    return _decoration("mini", 150, 16, _bar(mean, low, high, tone, Scale(0, 1, 0, 150), 0))


def _decoration(kind: str, width: int, height: int, parts: Iterable[str]) -> Markup:
    """Return a drawing that screen readers skip."""
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" aria-hidden="true" viewBox="0 0 {width} {height}">'
    )
    return Markup(f"{opening}{''.join(parts)}</svg>")


def _bar(mean: float, low: float, high: float, tone: str, across: Scale, top: float) -> Iterator[str]:
    yield f'<rect class="track" x="{across.start}" y="{top + 3}" width="{across.stop - across.start}" height="10"/>'
    if not isfinite(mean):
        return
    width = round(across(mean) - across.start, 1)
    yield f'<rect class="{tone}" x="{across.start}" y="{top + 3}" width="{width}" height="10"/>'
    if isfinite(low) and isfinite(high) and high > low:
        a, b, middle = across(low), across(high), top + 8
        path = f"M{a} {middle}H{b}M{a} {middle - 4}v8M{b} {middle - 4}v8"
        yield f'<path class="whisker" d="{path}"/>'


@dataclass(frozen=True, slots=True)
class Bar:
    """One system's mean with its interval; `tone` is the class that colours it."""

    label: str
    mean: float
    low: float
    high: float
    tone: str


def bar_panel(title: str, bars: Sequence[Bar]) -> Markup:
    """Return bars one below the other, with the name on the left and the value on the right."""
    across = Scale(0, 1, 150, 272)
    parts = []
    for index, bar in enumerate(bars):
        top = index * 20
        parts.append(f'<text class="label end" x="142" y="{top + 12}">{text(bar.label, 22)}</text>')
        parts += _bar(bar.mean, bar.low, bar.high, bar.tone, across, top)
        parts.append(f'<text class="value" x="280" y="{top + 12}">{share(bar.mean, 2)}</text>')
    return svg(title, 310, 20 * max(1, len(bars)), parts, "panel")


def share(value: float, digits: int = 3) -> str:
    """Return a number with a fixed number of digits, a dash for NaN.

    >>> share(0.5), share(float("nan"))
    ('0.500', '–')
    """
    return f"{value:.{digits}f}" if isfinite(value) else "–"


# ── Speed against accuracy ──


@dataclass(frozen=True, slots=True)
class Point:
    """A system in the scatter plot: what it costs and what it reaches."""

    label: str
    x: float
    y: float
    tone: str = "peer"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle that a label or a mark takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: "Box") -> float:
        """Return the area that both take up."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)


def scatter(title: str, points: Sequence[Point]) -> Markup:
    """Return cost (log scale) against accuracy; a line joins the systems that no cheaper one outperforms."""
    points = [point for point in points if isfinite(point.x) and isfinite(point.y) and point.x > 0]
    if not points:
        return Markup()
    costs, heights = [point.x for point in points], [point.y for point in points]
    axes = Axes(
        Scale(min(costs) / 1.6, max(costs) * 2.2, 56, 800, log=True),
        Scale(max(0.0, min(heights) - 0.04), min(1.0, max(heights) + 0.03), 400, 34),
        "CPU milliseconds per page (mean, log scale): further left is faster",
        "mean F1",
    )
    front = _front(points, axes)
    parts = [*axes.draw(), f'<path class="front" d="M{" L".join(f"{x} {y}" for x, y in front)}"/>']
    for point, label in zip(points, _labels(points, axes, front), strict=True):
        parts += _dot(point, label, axes)
    return svg(title, 820, 450, parts)


def _front(points: Sequence[Point], axes: Axes) -> list[tuple[float, float]]:
    """Return the corners of the line through the best F1 that can be had at each cost."""
    corners: list[tuple[float, float]] = []
    best = -1.0
    for point in sorted(points, key=lambda point: (point.x, -point.y)):
        if point.y > best:
            x, y, best = axes.x(point.x), axes.y(point.y), point.y
            corners += [(x, corners[-1][1]), (x, y)] if corners else [(x, y)]
    return [*corners, (axes.x.stop, corners[-1][1])]


def _dot(point: Point, label: Box, axes: Axes) -> Iterator[str]:
    x, y = axes.x(point.x), axes.y(point.y)
    near_x, near_y = min(max(x, label.left), label.right), min(max(y, label.top + 3), label.bottom - 3)
    if hypot(near_x - x, near_y - y) > 14:
        yield f'<line class="leader" x1="{x}" y1="{y}" x2="{near_x:.1f}" y2="{near_y:.1f}"/>'
    hint = f"{point.label}: F1 {point.y:.3f}, {point.x:.2f} ms per page"
    yield f'<circle class="dot {point.tone}" cx="{x}" cy="{y}" r="6"><title>{text(hint)}</title></circle>'
    yield _label(point, label, x)


def _label(point: Point, box: Box, x: float) -> str:
    """Return the name in its box, aligned with the side that faces the mark."""
    at, side = (box.left + box.right) / 2, "middle"
    if box.left > x:
        at, side = box.left, "start"
    elif box.right < x:
        at, side = box.right, "end"
    position = f'x="{at:.1f}" y="{box.bottom - 3:.1f}"'
    return f'<text class="label {side} {point.tone}" {position}>{text(point.label, 30)}</text>'


def _labels(points: Sequence[Point], axes: Axes, line: Sequence[tuple[float, float]]) -> list[Box]:
    """Return a box for each label: of many around its mark, the nearest that overlaps nothing, or overlaps least."""
    marks = [Box(x - 7, y - 7, x + 7, y + 7) for x, y in ((axes.x(point.x), axes.y(point.y)) for point in points)]
    inside = Box(axes.x.start, axes.y.stop, axes.x.stop, axes.y.start)
    taken = [
        *marks,
        *(Box(min(a, c) - 2, min(b, d) - 2, max(a, c) + 2, max(b, d) + 2) for (a, b), (c, d) in pairwise(line)),
    ]
    labels = []
    for point, mark in zip(points, marks, strict=True):
        candidates = _candidates(mark, LETTER * min(30, len(point.label)))
        best, _ = min(candidates, key=lambda candidate: _penalty(candidate, taken, inside))
        taken.append(best)
        labels.append(best)
    return labels


def _candidates(mark: Box, width: float) -> list[tuple[Box, float]]:
    """Return boxes for a label of that width with their distances from the mark, the nearest first."""
    x, y = (mark.left + mark.right) / 2, (mark.top + mark.bottom) / 2
    # Right of the mark reads best, then left, above, below and the corners.
    sides = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
    boxes = []
    for away, (right, down) in product((10, 20, 32, 46, 62, 80, 100), sides):
        middle_x, middle_y = x + right * (away + width / 2), y + down * (away + 4 if not right else away)
        boxes.append((Box(middle_x - width / 2, middle_y - 7, middle_x + width / 2, middle_y + 7), float(away)))
    return boxes


def _penalty(candidate: tuple[Box, float], taken: Iterable[Box], inside: Box) -> float:
    box, away = candidate
    outside = (box.right - box.left) * (box.bottom - box.top) - box.overlap(inside)
    # A label on top of another cannot be read; one at the end of a long leader can.
    return 5 * sum(box.overlap(other) for other in taken) + 5 * outside + away


# ── Curves ──


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one method, `joined` by a line if they are samples of a curve."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    joined: bool
    radius: Sequence[float]  # of the markers; 0: only the line passes through


def curves(
    title: str, series: Sequence[Series], titles: tuple[str, str], guide: Sequence[tuple[float, float]]
) -> Markup:
    """Return series over the unit square; `guide` is a dashed line to read them against."""
    axes = Axes(Scale(0, 1, 52, 452), Scale(0, 1, 360, 34), *titles)
    line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in guide)
    parts = [*axes.draw(), f'<polyline class="guide" points="{line}"/>']
    for index, each in enumerate(series):
        parts += _series(index, each, axes)
    return svg(title, 470, 410, parts)


def _series(index: int, series: Series, axes: Axes) -> Iterator[str]:
    style = f"s{index % SERIES}"
    if series.joined and len(series.x) > 1:
        line = " ".join(f"{axes.x(x)},{axes.y(y)}" for x, y in zip(series.x, series.y, strict=True))
        yield f'<polyline class="curve {style}" points="{line}"/>'
    for x, y, radius in zip(series.x, series.y, series.radius, strict=True):
        if radius:
            hint = f"<title>{text(series.label)}: {x:.3f}, {y:.3f}</title>"
            yield f'<path class="marker {style}" d="{_marker(index, axes.x(x), axes.y(y), radius)}">{hint}</path>'


def _marker(index: int, x: float, y: float, size: float) -> str:
    """Return the outline of a series' marker: circle, square, diamond or triangle, in turn."""
    a = round(size * 0.9, 1)
    return (
        f"M{x - size} {y}a{size} {size} 0 1 0 {2 * size} 0a{size} {size} 0 1 0 {-2 * size} 0z",
        f"M{x - a:.1f} {y - a:.1f}h{2 * a}v{2 * a}h{-2 * a}z",
        f"M{x} {y - size * 1.3:.1f}l{size * 1.3:.1f} {size * 1.3:.1f}l{-size * 1.3:.1f} {size * 1.3:.1f}"
        f"l{-size * 1.3:.1f} {-size * 1.3:.1f}z",
        f"M{x} {y - size * 1.2:.1f}l{size * 1.2:.1f} {size * 2.1:.1f}h{-size * 2.4:.1f}z",
    )[index % 4]


def swatch(index: int) -> Markup:
    """Return the line and marker of a series, for the table that serves as legend."""
    style = f"s{index % SERIES}"
    line = f'<polyline class="curve {style}" points="0,7 34,7"/>'
    return _decoration("swatch", 34, 14, (line, f'<path class="marker {style}" d="{_marker(index, 17, 7, 4.5)}"/>'))


# ── Histogram ──


def histogram(title: str, counts: Sequence[int], highest: int, mean: float, tone: str) -> Markup:
    """Return one bar per equal bin of 0..1, scaled so that `highest` fills the height, with a line at the mean."""
    across, up = Scale(0, 1, 4, 256), Scale(0, max(1, highest), 96, 8)
    step = (across.stop - across.start) / max(1, len(counts))
    parts = [
        f'<rect class="{tone}" x="{across.start + index * step + 0.7:.1f}" y="{up(count)}" width="{step - 1.4:.1f}" '
        f'height="{96 - up(count):.1f}"><title>{count} page{"s" * (count != 1)}</title></rect>'
        for index, count in enumerate(counts)
        if count
    ]
    ends = ((0.0, "start"), (0.5, "middle"), (1.0, "end"))
    parts.append('<line class="base" x1="4" x2="256" y1="96" y2="96"/>')
    parts += [f'<text class="tick {side}" x="{across(at)}" y="112">{at:g}</text>' for at, side in ends]
    if isfinite(mean):
        parts.append(f'<line class="mean" x1="{across(mean)}" x2="{across(mean)}" y1="4" y2="96"/>')
    return svg(title, 260, 116, parts, "panel")

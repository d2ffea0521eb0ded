"""Where in the source of a page each leaf is."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from turbohtml import parse, unescape

from dehusk.page.fast_source import fill_between, fill_events
from dehusk.page.fast_walk import Span, Tags, WalkStep, walk

Ints = NDArray[np.int64]
TAG: Final = re.compile(r"<[^<>]*>")


def source_spans(html: str, strings: Sequence[str], limit: int, *, shadows: bool = False) -> list[Span | None]:
    """Return the span in `html` of each leaf, given the leaves' texts in document order and the limit on elements.

    The parser reports where tags are, but not texts; a text is what lies between the tags around it. Each span is
    checked against the leaf's own text, so that it is right or None.
    """
    normal = html.replace("\r\n", "\n").replace("\r", "\n")
    tree = parse(normal, source_locations=True, scripting=True, allow_declarative_shadow_roots=shadows)
    steps: list[Tags | WalkStep] = []
    walk(tree, limit, shadows, steps)
    # An element whose walk was cut off has one step and two tags.
    start, end, following, left, right = (np.empty(2 * len(steps), np.int64) for _ in range(5))
    count = fill_between(normal, start, end, fill_events(steps, start, end), following, left, right)
    spans = [
        (first, last) if first <= last and _is_source(normal[first:last], string) else None
        for string, first, last in zip(strings, left[:count].tolist(), right[:count].tolist(), strict=False)
    ]
    return _with_carriage_returns(spans + [None] * (len(strings) - len(spans)), html)


def _is_source(source: str, text: str) -> bool:
    """Return whether a piece of source reads as a text: stray tags removed, references resolved, space collapsed."""
    if source == text:
        return True
    if "<" in source:
        source = TAG.sub("", source)
    if "&" in source:
        source = unescape(source)
    return source.split() == text.split()


def _with_carriage_returns(spans: list[Span | None], html: str) -> list[Span | None]:
    """Convert spans in the normalised source, where CR LF is one character, to spans in the source itself."""
    if "\r\n" not in html:
        return spans
    pairs = np.array([pair.start() for pair in re.finditer("\r\n", html)])
    line_ends = pairs - np.arange(len(pairs))  # of the normalised source, those that were pairs
    offsets = np.array([span or (0, 0) for span in spans], np.int64).reshape(-1, 2)
    shifted = (offsets + np.searchsorted(line_ends, offsets, side="left")).tolist()
    return [span and (start, end) for span, (start, end) in zip(spans, shifted, strict=True)]

"""Which leaves of a page's text some spans of it reach into, and where they are a whole paragraph.

Compiled with the C types in fast_leaf_ranges.pxd; as plain Python it returns the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dehusk.page import Span
from dehusk.page.walk_flags import LINKED, NEW_BLOCK, VERBATIM


class LeafRange:
    """The leaves that a span of a page's text reaches into, from `first` up to `stop`."""

    def __init__(self, first: int, stop: int, simple: bool) -> None:
        self.first = first
        self.stop = stop
        self.simple = simple  # whether they are whole and collapsed, and nothing else is in their paragraph


class KeptLeaves(NamedTuple):
    """The leaves that some spans of a page's text reach into."""

    ranges: list[LeafRange]  # one per span
    kept: bytearray  # per leaf, whether it is in one of the spans
    short_links: list[int]  # the leaves in the spans that can be clicked and are short


def kept_leaves(
    spans: list[Span],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    parted: NDArray[np.uint8],
    state: NDArray[np.uint8],
    max_link_length: int,
) -> KeptLeaves:
    """Return the leaves that spans reach into, given the spans in order and the columns of all leaves."""
    count = len(starts)
    ranges = []
    kept = bytearray(count)
    short_links = []
    leaf, previous = 0, -1
    last = LeafRange(0, 0, False)
    for start, end in spans:
        while leaf < count and ends[leaf] <= start:
            leaf += 1
        stop = leaf
        simple = leaf < count and starts[leaf] == start
        while stop < count and starts[stop] < end:
            if state[stop] & VERBATIM or (stop > leaf and parted[stop] == NEW_BLOCK):
                simple = False
            if state[stop] & LINKED and ends[stop] - starts[stop] <= max_link_length:
                short_links.append(stop)
            kept[stop] = 1
            stop += 1
        if stop > leaf:
            on_new_line = previous < 0
            while previous < leaf and not on_new_line:
                previous += 1
                on_new_line = parted[previous] == NEW_BLOCK
            if not on_new_line:
                last.simple = False
            last = LeafRange(leaf, stop, bool(simple and on_new_line and ends[stop - 1] == end))
            ranges.append(last)
            previous = stop - 1
            leaf = stop - 1 if ends[stop - 1] > end else stop
        else:
            ranges.append(LeafRange(leaf, leaf, False))
    return KeptLeaves(ranges, kept, short_links)

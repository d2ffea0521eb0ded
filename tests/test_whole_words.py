"""A word that the edge of a block cuts goes to the side that has more of it."""

import numpy as np
import pytest

from dehusk.blocks import Blocks
from dehusk.page.leaves import Elements
from dehusk.whole_words import split_at_blocks, whole_words


def cut_at(text: str, *edges: int) -> Blocks:
    """Return the blocks of a text that has no markup, cut at these offsets."""
    start, end = (np.array(column, np.int32) for column in ((0, *edges), (*edges, len(text))))
    rows = np.zeros(len(start), np.int32)
    return Blocks(text, start, end, rows > 0, rows, Elements.none(), rows, rows, rows + 1)


@pytest.mark.parametrize(
    ("edge", "kept", "spans"),
    [
        (6, (True, False), [(0, 8)]),  # half of `word`
        (6, (False, True), [(4, 13)]),
        (5, (True, False), [(0, 3)]),  # a quarter
        (5, (False, True), [(4, 13)]),
        (7, (True, False), [(0, 8)]),  # three quarters
        (7, (False, True), [(9, 13)]),
    ],
)
def test_a_word_is_kept_whole_if_at_least_half_of_it_is(
    edge: int, kept: tuple[bool, bool], spans: list[tuple[int, int]]
) -> None:
    assert whole_words(cut_at("one word more", edge), np.array(kept)) == spans


def test_spans_are_split_where_a_block_begins_after_white_space_only() -> None:
    blocks = cut_at("one word more", 4, 6)
    assert split_at_blocks(blocks, [(0, 13)]) == [(0, (0, 4)), (1, (4, 13))]
    assert split_at_blocks(blocks, [(5, 8)]) == [(1, (5, 8))]
    assert split_at_blocks(blocks, [(4, 13)]) == [(1, (4, 13))]


def test_white_space_that_a_block_begins_with_stays() -> None:
    assert whole_words(cut_at("  one word", 8), np.array([True, False])) == [(0, 10)]

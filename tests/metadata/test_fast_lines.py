"""The lines around a leaf are found alike, compiled and as plain Python."""

import numpy as np
import pytest

from dehusk.metadata import fast_lines
from dehusk.page.walk_flags import NEW_BLOCK, NEW_LINE
from tests.helpers.compiled import uncompiled

both = pytest.mark.parametrize("module", [fast_lines, uncompiled(fast_lines)], ids=["compiled", "source"])


@both
def test_the_lines_round_a_leaf_are_counted_both_ways(module: object) -> None:
    parted = np.array([NEW_BLOCK, NEW_LINE, 0, NEW_BLOCK, 0, NEW_LINE], np.uint8)
    assert module.line_edges(parted, 2, 6, 15, 12, NEW_LINE) == ([0, 1, 3, 5, 6], 1)  # type: ignore[attr-defined]
    assert module.line_edges(parted, 4, 1, 0, 12, NEW_LINE) == ([1, 3, 4], 1)  # type: ignore[attr-defined]

"""Spans are joined and matched with blocks alike, compiled and as plain Python."""

from pathlib import Path

import numpy as np
import pytest

from dehusk import Page, fast_blocks, fast_spans
from dehusk.blocks import cut
from dehusk.characters import WORD_CLASSES, word_totals
from dehusk.html_tables import PARTS
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled

plain = uncompiled(fast_spans)
both = pytest.mark.parametrize("module", [fast_spans, plain], ids=["compiled", "source"])


@both
def test_a_text_is_joined_by_what_stood_between(module: object) -> None:
    text = "One two\nthree  four"
    assert module.joined(text, [(0, 3), (4, 7), (8, 13), (15, 19)]) == "One two\nthree four"  # type: ignore[attr-defined]
    assert module.joined(text, [(0, 2), (2, 7)]) == "One two"  # type: ignore[attr-defined]
    assert module.joined(text, []) == ""  # type: ignore[attr-defined]


@both
def test_pieces_are_whole_blocks_that_do_not_touch(module: object) -> None:
    starts, ends = np.array([0, 4, 8], np.int32), np.array([3, 8, 9], np.int32)
    kept = np.array([1, 1, 0], np.uint8)
    assert module.whole_pieces([(0, 3), (4, 8)], kept, starts, ends) == [(0, (0, 3)), (1, (4, 8))]  # type: ignore[attr-defined]
    assert module.whole_pieces([(0, 3), (5, 8)], kept, starts, ends) is None  # type: ignore[attr-defined]
    assert module.whole_pieces([(0, 3)], kept, starts, ends) is None  # type: ignore[attr-defined]
    assert module.whole_pieces([(4, 8), (8, 9)], np.array([0, 1, 1], np.uint8), starts, ends) is None  # type: ignore[attr-defined]


@both
def test_blocks_without_text_have_no_piece(module: object) -> None:
    starts, ends = np.array([0, 4, 5], np.int32), np.array([3, 4, 9], np.int32)
    kept = np.ones(3, np.uint8)
    assert module.whole_pieces([(0, 3), (5, 9)], kept, starts, ends) == [(0, (0, 3)), (2, (5, 9))]  # type: ignore[attr-defined]


@pytest.mark.parametrize("folder", FOLDERS[::5], ids=lambda folder: folder.name)
def test_columns_of_golden_pages_are_the_same(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    blocks, elements = cut(page), page.elements
    kept, values = np.arange(len(blocks)) % 3 == 0, np.linspace(0, 1, len(blocks))
    found = []
    for tables, spans in ((fast_blocks, fast_spans), (uncompiled(fast_blocks), plain)):
        enclosing, is_layout = np.empty(len(elements), np.int32), np.empty(len(elements), np.uint8)
        tables.fill_enclosing_tables(elements.tag, elements.parents, PARTS, enclosing, is_layout)
        totals = spans.totals(blocks.start, blocks.end, kept.view(np.uint8), values)
        words, firsts, lasts = (np.empty(len(blocks), np.int32) for _ in range(3))
        spans.count_words(page.text, blocks.start, blocks.end, WORD_CLASSES, words)
        spans.edge_elements(page.leaves.element, blocks.first_leaf, blocks.last_leaf, firsts, lasts)
        columns = (enclosing, is_layout, words, firsts, lasts)
        found.append([*(column.tolist() for column in columns), [round(total, 6) for total in totals]])
    assert found[0] == found[1]
    expected = word_totals(page.text)
    assert found[0][2] == (expected[blocks.end] - expected[blocks.start]).tolist()


@both
def test_the_elements_of_blocks_without_leaves_are_the_root(module: object) -> None:
    firsts, lasts = np.empty(2, np.int32), np.empty(2, np.int32)
    leaves = np.array([0, 3], np.int32), np.array([3, 3], np.int32)
    module.edge_elements(np.array([7, 5, 9], np.int32), *leaves, firsts, lasts)  # type: ignore[attr-defined]
    assert (firsts.tolist(), lasts.tolist()) == ([5, 0], [9, 0])

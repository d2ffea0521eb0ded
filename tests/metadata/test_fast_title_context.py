"""Compiled and as plain Python, the same lines near a title are found."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dehusk import Page
from dehusk.metadata import fast_title_context
from dehusk.metadata.authors import BY_PREFIXES, BY_WORDS
from dehusk.metadata.fast_title_context import MARK_HINTS, MARKS, TitleLine
from dehusk.page.walk_flags import NEW_BLOCK, NEW_LINE
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled
from tests.test_invariants import markup

plain = uncompiled(fast_title_context)
both = pytest.mark.parametrize("module", [fast_title_context, plain], ids=["compiled", "source"])


def author_marks(module: Any, page: Page) -> Any:
    return module.AuthorMarks(page.elements.node, page.elements.parent, page.leaves.element)


def results(module: Any, page: Page) -> list[object]:
    """Return everything that a module finds on a page."""
    found: list[object] = []
    marks = author_marks(module, page)
    for leaf in range(0, len(page.leaves), 10):
        lines = module.lines_near(page.text, page.leaves, leaf)
        found.append([(line, marks.marked_elements(line.first, line.last)) for line in lines])
        found.append([marks.next_candidate(lines, place, BY_WORDS, BY_PREFIXES) for place in range(len(lines) + 1)])
        found.append([module.dated_lines(lines, every, 30) for every in (True, False)])
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_both_find_the_same_on_golden_pages(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    assert results(fast_title_context, page) == results(plain, page)


@given(markup)
def test_both_find_the_same_on_any_page(html: str) -> None:
    page = Page.from_html(html)
    assert results(fast_title_context, page) == results(plain, page)


@both
def test_lines_around_a_leaf_are_counted_in_both_directions(module: ModuleType) -> None:
    parted = np.array([NEW_BLOCK, NEW_LINE, 0, NEW_BLOCK, 0, NEW_LINE], np.uint8)
    assert module.line_edges(parted, 2, 6, 15) == ([0, 1, 3, 5, 6], 1)
    assert module.line_edges(parted, 4, 1, 0) == ([1, 3, 4], 1)


@both
def test_long_lines_are_left_out(module: ModuleType) -> None:
    page = Page.from_html(f"<p>One<h1>Title</h1><p>{'long ' * 41}<p>Two")
    assert module.lines_near(page.text, page.leaves, 1) == [("One", 0, 1, -1), ("Two", 3, 4, 2)]
    assert module.lines_near(page.text, page.leaves, -1) == module.lines_near(page.text, page.leaves, 4) == []


@both
def test_lines_with_a_year_have_the_short_line_before_them_as_label(module: ModuleType) -> None:
    below = [("Updated", 1, 2, 1), ("3 June 2024", 2, 3, 2), ("A line that is long", 3, 4, 3), ("In 2023", 4, 5, 4)]
    above = [("Home", 0, 1, -1), ("1999", 0, 1, -2)]
    lines = [TitleLine(*line) for line in (below[0], above[0], below[1], above[1], *below[2:])]
    assert module.dated_lines(lines, False, 15) == [(below[1], "Updated", 2), (below[3], "", 4), (above[1], "", 4)]
    assert [dated.line for dated in module.dated_lines(lines, True, 15)] == below + above


@both
def test_lines_that_name_nobody_are_skipped(module: ModuleType) -> None:
    page = Page.from_html("<p>News<p>Written BY: Ann<p>byAnn<p class=author>Bob<p>Baby food")
    marks = author_marks(module, page)
    lines = [TitleLine(text, place, place + 1, place + 1) for place, text in enumerate(page.text.split("\n"))]
    owner = page.elements.tag.index("p") + 3
    assert marks.next_candidate(lines, 0, BY_WORDS, BY_PREFIXES) == (1, None, True)
    assert marks.next_candidate(lines, 2, BY_WORDS, BY_PREFIXES) == (2, None, True)
    assert marks.next_candidate(lines, 3, BY_WORDS, BY_PREFIXES) == (3, [owner], False)
    assert marks.next_candidate(lines, 4, BY_WORDS, BY_PREFIXES) == (5, None, False)


@both
@pytest.mark.parametrize(
    ("html", "owner"),
    [
        ("<p class=byline>Ann", "p"),
        ("<p class=Author><span>Ann", "p"),
        ("<p rel=author>Ann", "p"),
        ("<p itemprop=creator><b><i><u>Ann", "p"),
        ("<p itemprop=creator><b><i><u><s>Ann", None),  # too far up
        ("<p class=author><span class=bio>Ann", None),  # about the author
        ("<div class=comments><p class=author>Ann", None),  # the author of a comment
        ("<p class=price>Ann", None),
    ],
)
def test_a_text_belongs_to_the_nearest_marked_element(module: ModuleType, html: str, owner: str | None) -> None:
    page = Page.from_html(html)
    owners = author_marks(module, page).marked_elements(0, 1)
    assert (owners and page.elements.tag[owners[0]]) == owner


def test_every_mark_contains_a_hint() -> None:
    assert [mark for mark in MARKS if not any(hint in mark for hint in MARK_HINTS)] == []

"""Compiled and as plain Python, the scans over a page's elements find the same."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dehusk import Page
from dehusk.metadata.claims import LINK_RELATIONS
from dehusk.metadata.meta_names import KNOWN
from dehusk.page import fast_scan
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled
from tests.test_invariants import markup

plain = uncompiled(fast_scan)
both = pytest.mark.parametrize("module", [fast_scan, plain], ids=["compiled", "source"])
TAGS = frozenset({"h1", "p", "time"})


def select(page: Page, selector: str) -> list[Any]:
    return page.tree.select(selector) if page.tree else []


def results(module: Any, page: Page) -> list[object]:
    """Return everything that a module finds on a page."""
    elements, leaves = page.elements, page.leaves
    targets = module.elements_with_tags(elements.tag, TAGS, 0, len(elements), 50)
    columns = (leaves.start, leaves.end, leaves.element, leaves.opened)
    return [
        module.meta_values(select(page, "meta"), KNOWN, 4000),
        targets,
        module.element_texts(page.text, targets, elements.parent, *columns),
        module.links_by_rel(select(page, "a[rel]"), LINK_RELATIONS),
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_both_find_the_same_on_golden_pages(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    assert results(fast_scan, page) == results(plain, page)


@given(markup)
def test_both_find_the_same_on_any_page(html: str) -> None:
    page = Page.from_html(html)
    assert results(fast_scan, page) == results(plain, page)


@both
def test_unknown_meta_names_are_skipped(module: ModuleType) -> None:
    html = (
        '<meta name=" OG:Title " content=One><meta property=og:title name=x content=Two><meta name=og:title>'
        '<meta name=viewport content=Three><meta content=Four><meta itemprop=datePublished content="2024-05-02">'
    )
    values = module.meta_values(select(Page.from_html(html), "meta"), KNOWN, 4)
    assert values == {"og:title": ["One", "Two"], "datepublished": ["2024"]}


@both
def test_elements_are_found_in_a_range_and_up_to_a_limit(module: ModuleType) -> None:
    tags = ["#document", "html", "p", "h1", "p", "h1"]
    assert module.elements_with_tags(tags, TAGS, 0, 99, 99) == [2, 3, 4, 5]
    assert module.elements_with_tags(tags, TAGS, 3, 5, 99) == [3, 4]
    assert module.elements_with_tags(tags, TAGS, 0, 99, 1) == [2]
    assert module.elements_with_tags(tags, TAGS, 0, 99, 0) == []


@both
def test_elements_around_another_are_above_and_after_it(module: ModuleType) -> None:
    tags, parents = ["#document", "p", "div", "h1", "p", "p"], [-1, 0, 1, 2, 3, 2]
    assert sorted(module.elements_with_tags_around(tags, parents, TAGS, 3, 5)) == [1, 3, 4]
    assert module.elements_with_tags_around(tags, parents, TAGS, 0, 0) == []


@both
def test_the_text_of_an_element_includes_that_of_its_descendants(module: ModuleType) -> None:
    # 1 has a leaf before, in and after its child 2; 3 has none, and 4 has the last.
    parents = [-1, 0, 1, 0, 0]
    start, end = np.array([0, 2, 4, 6], np.int32), np.array([1, 3, 5, 7], np.int32)
    element, opened = np.array([1, 2, 1, 4], np.int32), np.array([2, 3, 3, 5], np.int32)
    texts = module.element_texts("a b c d", [1, 2, 3, 4], parents, start, end, element, opened)
    assert texts == [("a b c", 0), ("b", 1), ("d", 3)]


@both
def test_links_are_found_by_each_word_of_their_rel(module: ModuleType) -> None:
    html = "<a rel='TAG nofollow tag'>a</a><a rel=nofollow>b</a><a rel='license tag'>c</a><a rel>d</a><a rel=tags>e</a>"
    links = module.links_by_rel(select(Page.from_html(html), "a[rel]"), frozenset({"tag", "license"}))
    texts = {word: [node.text for node in nodes] for word, nodes in links.items()}
    assert texts == {"tag": ["a", "c"], "license": ["c"]}

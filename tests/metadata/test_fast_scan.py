"""What the compiled core finds near a title is what its source finds as plain Python."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dehusk import Page
from dehusk.metadata.around import AFTER, BEFORE, LEAVES, LONGEST, NEAREST
from dehusk.metadata.bylines import GLUED, HINTS, MARKS, OTHERS
from dehusk.metadata.fast_lines import line_edges
from dehusk.metadata.names import BY_WORDS
from dehusk.metadata.tags import RELATIONS
from dehusk.metadata.vocabulary import KNOWN
from dehusk.page import fast_scan as near
from dehusk.page.leaves import NEW_LINE
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled
from tests.test_invariants import markup

plain = uncompiled(near)
both = pytest.mark.parametrize("module", [near, plain], ids=["compiled", "source"])
TAGS = frozenset({"h1", "p", "time"})


def found(module: Any, page: Page) -> list[object]:
    """Return all that a module finds on a page."""
    elements, leaves = page.elements, page.leaves
    metas = page.tree.select("meta") if page.tree else []
    places = module.places_of(elements.tag, TAGS, 0, len(elements), 50)
    marks = module.Marks(elements.node, elements.parent, leaves.element, HINTS, MARKS, OTHERS)
    links = module.related(page.tree.select("a[rel]") if page.tree else [], RELATIONS)
    columns = (leaves.start, leaves.end, leaves.element, leaves.opened)
    some: list[object] = [
        module.told(metas, KNOWN, 4000),
        places,
        module.texts_below(page.text, places, elements.parent, *columns),
        links,
    ]
    for leaf in range(0, len(leaves), 10):
        edges, here = line_edges(leaves.parted, leaf, BEFORE, AFTER, LEAVES, NEW_LINE)
        lines = module.lines(page.text, leaves.start, leaves.end, edges, here, NEAREST, LONGEST)
        some.append([(*line, marks.owners(line[1], line[2])) for line in lines])
        some.append([marks.next_named(lines, place, BY_WORDS, GLUED) for place in range(len(lines) + 1)])
        some.append([module.dated(lines, every, 30) for every in (True, False)])
    return some


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_golden_pages_look_the_same_to_both(folder: Any) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    assert found(near, page) == found(plain, page)


@given(markup)
def test_any_page_looks_the_same_to_both(html: str) -> None:
    page = Page.from_html(html)
    assert found(near, page) == found(plain, page)


@both
def test_names_that_nobody_asks_for_are_passed_over(module: ModuleType) -> None:
    html = (
        '<meta name=" OG:Title " content=One><meta property=og:title name=x content=Two><meta name=og:title>'
        '<meta name=viewport content=Three><meta content=Four><meta itemprop=datePublished content="2024-05-02">'
    )
    tree = Page.from_html(html).tree
    assert tree is not None
    told = {"og:title": ["One", "Two"], "datepublished": ["2024"]}
    assert module.told(tree.select("meta"), KNOWN, 4) == told


@both
def test_places_end_where_they_are_told_to(module: ModuleType) -> None:
    tags = ["#document", "html", "p", "h1", "p", "h1"]
    assert module.places_of(tags, TAGS, 0, 99, 99) == [2, 3, 4, 5]
    assert module.places_of(tags, TAGS, 3, 5, 99) == [3, 4]
    assert module.places_of(tags, TAGS, 0, 99, 1) == [2]
    assert module.places_of(tags, TAGS, 0, 99, 0) == []


@both
def test_places_round_an_element_are_above_and_after_it(module: ModuleType) -> None:
    tags, parents = ["#document", "p", "div", "h1", "p", "p"], [-1, 0, 1, 2, 3, 2]
    assert sorted(module.places_round(tags, parents, TAGS, 3, 5)) == [1, 3, 4]
    assert module.places_round(tags, parents, TAGS, 0, 0) == []


@both
def test_the_text_of_an_element_is_that_of_its_descendants(module: ModuleType) -> None:
    # 1 has a leaf before, in and after its child 2; 3 has none, and 4 has the last.
    parents = [-1, 0, 1, 0, 0]
    start, end = np.array([0, 2, 4, 6], np.int32), np.array([1, 3, 5, 7], np.int32)
    element, opened = np.array([1, 2, 1, 4], np.int32), np.array([2, 3, 3, 5], np.int32)
    found = module.texts_below("a b c d", [1, 2, 3, 4], parents, start, end, element, opened)
    assert found == [("a b c", 0), ("b", 1), ("d", 3)]


@both
def test_links_are_known_by_each_word_of_their_rel(module: ModuleType) -> None:
    html = "<a rel='TAG nofollow tag'>a</a><a rel=nofollow>b</a><a rel='license tag'>c</a><a rel>d</a><a rel=tags>e</a>"
    tree = Page.from_html(html).tree
    assert tree is not None
    found = module.related(tree.select("a[rel]"), frozenset({"tag", "license"}))
    assert {word: [node.text for node in nodes] for word, nodes in found.items()} == {
        "tag": ["a", "c"],
        "license": ["c"],
    }


@both
def test_lines_with_a_year_come_with_the_short_line_before_them(module: ModuleType) -> None:
    below = [("Updated", 1, 2, 1), ("3 June 2024", 2, 3, 2), ("A line that is long", 3, 4, 3), ("In 2023", 4, 5, 4)]
    above = [("Home", 0, 1, -1), ("1999", 0, 1, -2)]
    lines = [below[0], above[0], below[1], above[1], *below[2:]]
    assert module.dated(lines, False, 15) == [(below[1], "Updated", 2), (below[3], "", 4), (above[1], "", 4)]
    assert [near for near, _, _ in module.dated(lines, True, 15)] == below + above


@both
def test_lines_that_name_nobody_are_passed_over(module: Any) -> None:
    page = Page.from_html("<p>News<p>Written BY: Ann<p>byAnn<p class=author>Bob<p>Baby food")
    elements, leaves = page.elements, page.leaves
    marks = module.Marks(elements.node, elements.parent, leaves.element, HINTS, MARKS, OTHERS)
    lines = [(text, place, place + 1, place + 1) for place, text in enumerate(page.text.split("\n"))]
    owner = elements.tag.index("p") + 3
    assert marks.next_named(lines, 0, BY_WORDS, GLUED) == (1, None, True)
    assert marks.next_named(lines, 2, BY_WORDS, GLUED) == (2, None, True)
    assert marks.next_named(lines, 3, BY_WORDS, GLUED) == (3, [owner], False)
    assert marks.next_named(lines, 4, BY_WORDS, GLUED) == (5, None, False)


@both
def test_long_lines_are_left_out(module: ModuleType) -> None:
    start, end = np.array([0, 4, 9], np.int32), np.array([3, 8, 19], np.int32)
    text = "One Four and a long"
    assert module.lines(text, start, end, [0, 1, 2, 3], 1, [1, -1, 2, -2], 9) == [("One", 0, 1, -1)]


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
        ("<div class=comments><p class=author>Ann", None),  # of another
        ("<p class=price>Ann", None),
    ],
)
def test_a_text_belongs_to_the_nearest_mark_above_it(module: Any, html: str, owner: str | None) -> None:
    page = Page.from_html(html)
    marks = module.Marks(page.elements.node, page.elements.parent, page.leaves.element, HINTS, MARKS, OTHERS)
    owners = marks.owners(0, 1)
    assert (owners and page.elements.tag[owners[0]]) == owner


def test_every_mark_has_its_hint() -> None:
    assert [mark for mark in MARKS if not any(hint in mark for hint in HINTS)] == []

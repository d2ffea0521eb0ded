import numpy as np
import pytest

from dehusk import Limits, Page
from dehusk.blocks import cut
from dehusk.features.text import text_features
from dehusk.features.tree import ABOVE, COUNTS, FAR, NAMES, Tree, running, tree, tree_features

LISTS = "<ul><li>a<li>b</ul><ul><li>c</ul><p>d"


def features(page: str | Page) -> dict[str, list[float]]:
    """Return every feature by its name, rounded; counts as the counts that they are."""
    page = Page.from_html(page) if isinstance(page, str) else page
    blocks = cut(page)
    told = text_features(blocks)
    matrix = tree_features(page, blocks, tree(page, blocks), told, running(told)).astype(np.float64)
    matrix[: len(COUNTS)] = np.expm1(matrix[: len(COUNTS)])
    return {name: [round(value, 3) for value in row.tolist()] for name, row in zip(NAMES, matrix, strict=True)}


def seen(html: str) -> Tree:
    page = Page.from_html(html)
    return tree(page, cut(page))


def tags_above(html: str) -> list[set[str]]:
    return [{tag for bit, tag in enumerate(ABOVE) if bits >> bit & 1} for bits in seen(html).above.tolist()]


def test_depth_counts_the_elements_down_to_the_one_that_holds_the_block() -> None:
    # html, body, p; then div and p in it; bold letters hold no block.
    assert features("<p>One<div><p>Two</p></div><p><b>Three</b>")["depth"] == [3, 4, 3]


def test_leaves_and_tags_of_a_block_are_counted() -> None:
    found = features("<p>plain<p>One <a href=x>two</a> <i><b>three</b></i>")
    assert found["leaves"] == [1, 3]
    assert found["tags"] == [0, 3]
    assert found["link_leaves"] == [0, 1]


def test_links_are_told_by_share_and_when_nothing_else_is_there() -> None:
    found = features("<p><a href=x>Home</a><p><a href=x>half</a> half<p>none")
    assert found["link_share"] == [1, 0.444, 0]
    assert found["all_link"] == [1, 0, 0]


def test_tags_above_a_block_are_known_and_those_beside_it_are_not() -> None:
    assert tags_above("<nav><ul><li><a href=x>Home</a></ul></nav><article><p>Text <b>bold</b></article>") == [
        {"nav", "ul", "li", "a"},
        {"article", "p"},
    ]


def test_a_block_is_held_by_the_nearest_block_level_element() -> None:
    found = seen("<div><span><b>Bold</b> text</span></div>")
    tags = Page.from_html("<div><span><b>Bold</b> text</span></div>").elements.tag
    assert [tags[index] for index in found.holder] == ["div"]


def test_subtrees_count_what_the_ancestors_hold() -> None:
    found = features("<div><p>one two</p><p>three</p></div><p>four</p>")
    # One step up from a paragraph in the div is the div, two steps up the body.
    assert found["words_1"] == [3, 3, 4]
    assert found["blocks_1"] == [2, 2, 3]
    assert found["elements_1"] == [3, 3, 5]
    assert found["page_1"] == [0.75, 0.75, 1]
    assert found["words_2"] == [4, 4, 4]
    assert found["elements_2"] == [5, 5, 6 + 1]  # html has a head, too


def test_subtrees_know_how_much_of_them_is_links_and_prose() -> None:
    prose = "word " * 20
    found = features(f"<div><p><a href=x>one two</a></p><p>three four</p></div><section><p>{prose}</section>")
    assert found["links_1"] == [0.5, 0.5, 0]
    assert found["prose_1"] == [0, 0, 1]
    assert found["prose_2"] == [round(20 / 24, 3)] * 3


def test_blocks_since_a_heading_are_counted_and_without_one_they_are_far() -> None:
    found = features("<p>a<h2>b</h2><p>c<p>d<h1>e</h1><p>f")
    assert found["since_heading"] == [FAR, 0, 1, 2, 0, 1]
    assert found["since_h1"] == [FAR, FAR, FAR, FAR, 0, 1]
    assert features("<h1>a</h1>" + "<p>b" * 60)["since_h1"][-1] == FAR


def test_text_that_stands_elsewhere_too_is_counted() -> None:
    assert features("<p>Share<p>Text<p>Share<p>share")["repeated"] == [1, 0, 1, 0]
    assert features("<p>a<p>a<p>a")["repeated"] == [2, 2, 2]
    assert features("<p>a<p>b")["repeated"] == [0, 0]


def test_blocks_are_grouped_by_path_parent_and_grandparent() -> None:
    found = seen(LISTS)
    assert found.groups[:3].tolist() == [
        [0, 0, 0, 1],  # three items under the same tags
        [0, 0, 1, 2],  # of two lists
        [0, 0, 0, 1],  # in one body; what is above the paragraph's is html
    ]
    assert found.sizes[:3].tolist() == [[3, 1, 0, 0], [2, 1, 1, 0], [3, 1, 0, 0]]
    assert features(LISTS)["alike"] == [3, 3, 3, 1]
    assert features(LISTS)["siblings"] == [2, 2, 1, 1]
    assert features(LISTS)["cousins"] == [3, 3, 3, 1]


def test_a_path_is_its_block_level_tags_alone() -> None:
    html = "<div><p>a</p></div><div><span><p>b</p></span></div><section><p>c</p></section>"
    assert seen(html).groups[0].tolist() == [0, 0, 1]


def test_blocks_in_like_places_share_their_means() -> None:
    found = features("<ul><li><a href=x>a</a><li>b c d</ul><p>e f g h i j")
    assert found["alike_links"] == [0.5, 0.5, 0]
    assert found["alike_page"] == [0.4, 0.4, 0.6]
    assert found["alike_words"] == [round(float(np.log1p([1, 3]).mean()), 3)] * 2 + [round(float(np.log1p(6)), 3)]


def test_position_runs_from_the_first_block_to_the_last() -> None:
    found = features("<p>aaa<p>bbb<p>ccc")
    assert found["position"] == [0, 0.5, 1]
    assert found["place"] == [0, round(4 / 11, 3), round(8 / 11, 3)]
    assert features("<p>alone")["position"] == [0]


def test_what_browsers_do_not_show_is_told() -> None:
    assert features("<p hidden>a<p>b")["hidden"] == [1, 0]


def test_the_element_with_most_of_the_words_dominates_its_blocks() -> None:
    story = "<p>It rained all day long.</p>" * 3
    found = features(f"<nav><a href=x>Home</a></nav><div><article>{story}</article></div><footer>Imprint</footer>")
    assert found["inside_40"] == found["inside_70"] == [0, 1, 1, 1, 0]
    assert found["below_70"] == [0, 0.4, 0.4, 0.4, 0]  # one step below, and a fifth that says so
    assert sum(found["inside_20"]) == 1  # a single paragraph holds a fifth


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (Page.from_html(""), 0),
        (Page.from_bytes(b"%PDF-1.4"), 0),
        (Page.from_html("<p>One"), 1),
        (Page.from_text("One line."), 1),
        (Page.from_text("One line.\n\nAnother one."), 2),
    ],
    ids=["empty", "refused", "one block", "one line", "two lines"],
)
def test_pages_with_little_or_no_tree_have_finite_features(page: Page, count: int) -> None:
    found = features(page)
    assert list(found) == list(NAMES)
    assert all(len(row) == count and np.isfinite(row).all() for row in found.values())


def test_lines_of_plain_text_stand_in_nothing_but_the_page() -> None:
    found = features(Page.from_text("One line.\nAnother."))
    assert (found["depth"], found["alike"], found["siblings"]) == ([0, 0], [2, 2], [2, 2])
    assert (found["words_1"], found["page_5"], found["elements_1"]) == ([3, 3], [1, 1], [1, 1])


def test_blocks_beyond_the_limit_do_not_count() -> None:
    page = Page.from_html("<div><p>a</p><p>b</p></div><p>c", limits=Limits(blocks=1))
    assert features(page)["words_1"] == features(page)["words_2"] == [1]

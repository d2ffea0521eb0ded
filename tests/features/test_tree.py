import numpy as np
import pytest

from dehusk import Limits, Page
from dehusk.blocks import cut
from dehusk.features.fast_tree import TreeRow
from dehusk.features.tokens import TokenVocabulary
from dehusk.features.tree import ABOVE, FARTHEST, NAMES, SHARES, STEPS_UP, Tree, read_tree
from dehusk.methods.kernel.features import ROWS, page_features

LISTS = "<ul><li>a<li>b</ul><ul><li>c</ul><p>d"


def features(page: str | Page) -> dict[str, list[float]]:
    """Return every feature by its name, rounded; counts as the counts that they are."""
    page = Page.from_html(page) if isinstance(page, str) else page
    rows = [ROWS[name] for name in NAMES]
    matrix = page_features(page, cut(page), TokenVocabulary.of([])).matrix[rows].astype(float)
    matrix[: TreeRow.LINKS_1] = np.expm1(matrix[: TreeRow.LINKS_1])
    return {name: [round(value, 3) for value in row.tolist()] for name, row in zip(NAMES, matrix, strict=True)}


def seen(html: str) -> Tree:
    page = Page.from_html(html)
    return read_tree(page, cut(page))


def tags_above(html: str) -> list[set[str]]:
    return [{tag for bit, tag in enumerate(ABOVE) if bits >> bit & 1} for bits in seen(html).above.tolist()]


def test_rows_are_named_after_the_steps_and_shares_that_they_count() -> None:
    groups = ("words", "blocks", "elements", "links", "prose", "page")
    assert NAMES[TreeRow.WORDS_1 : TreeRow.BLOCK_POSITION] == tuple(
        f"{group}_{n}" for group in groups for n in STEPS_UP
    )
    dominance = tuple(f"{name}_{100 * share:.0f}" for share in SHARES for name in ("inside", "below"))
    assert NAMES[TreeRow.INSIDE_20 :] == dominance


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # html, body, p; then div and p in it; bold letters hold no block
        ("<p>One<div><p>Two</p></div><p><b>Three</b>", {"depth": [3, 4, 3]}),
        ("<p>plain<p>One <a href=x>two</a> <i>three</i>", {"leaves": [1, 3], "tags": [0, 2], "link_leaves": [0, 1]}),
        ("<p>plain<p>One <i><b>three</b></i>", {"leaves": [1, 2], "tags": [0, 2], "link_leaves": [0, 0]}),
        (
            "<p><a href=x>Home</a><p><a href=x>half</a> half<p>none",
            {"link_density": [1, 0.444, 0], "all_links": [1, 0, 0]},
        ),
        ("<p>Share<p>Text<p>Share<p>share", {"repeated": [1, 0, 1, 0]}),
        ("<p>a<p>a<p>a", {"repeated": [2, 2, 2], "block_position": [0, 0.5, 1], "text_position": [0, 0.4, 0.8]}),
        ("<p hidden>a<p>b", {"hidden": [1, 0], "repeated": [0, 0]}),
        ("<p>alone", {"block_position": [0]}),
    ],
)
def test_features_of_small_pages(html: str, expected: dict[str, list[float]]) -> None:
    found = features(html)
    assert {name: found[name] for name in expected} == expected


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
    assert found["since_heading"] == [FARTHEST, 0, 1, 2, 0, 1]
    assert found["since_h1"] == [FARTHEST, FARTHEST, FARTHEST, FARTHEST, 0, 1]
    assert features("<h1>a</h1>" + "<p>b" * 60)["since_h1"][-1] == FARTHEST


def test_blocks_are_grouped_by_path_parent_and_grandparent() -> None:
    found = seen(LISTS)
    assert found.groups[:3].tolist() == [
        [0, 0, 0, 1],  # three items under the same tags
        [0, 0, 1, 2],  # of two lists
        [0, 0, 0, 1],  # in one body; what is above the paragraph's is html
    ]
    assert found.sizes[:3].tolist() == [[3, 1, 0, 0], [2, 1, 1, 0], [3, 1, 0, 0]]
    assert features(LISTS)["same_path"] == [3, 3, 3, 1]
    assert features(LISTS)["siblings"] == [2, 2, 1, 1]
    assert features(LISTS)["cousins"] == [3, 3, 3, 1]


def test_a_path_is_its_block_level_tags_alone() -> None:
    html = "<div><p>a</p></div><div><span><p>b</p></span></div><section><p>c</p></section>"
    assert seen(html).groups[0].tolist() == [0, 0, 1]


def test_blocks_in_like_places_share_their_means() -> None:
    found = features("<ul><li><a href=x>a</a><li>b c d</ul><p>e f g h i j")
    assert found["same_path_links"] == [0.5, 0.5, 0]
    assert found["same_path_page"] == [0.4, 0.4, 0.6]
    assert found["same_path_words"] == [round(float(np.log1p([1, 3]).mean()), 3)] * 2 + [round(float(np.log1p(6)), 3)]


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
    assert (found["depth"], found["same_path"], found["siblings"]) == ([0, 0], [2, 2], [2, 2])
    assert (found["words_1"], found["page_5"], found["elements_1"]) == ([3, 3], [1, 1], [1, 1])


def test_blocks_beyond_the_limit_do_not_count() -> None:
    page = Page.from_html("<div><p>a</p><p>b</p></div><p>c", limits=Limits(blocks=1))
    assert features(page)["words_1"] == features(page)["words_2"] == [1]

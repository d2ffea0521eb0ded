import pytest

from dehusk import Blocks, Kind, Limits, Page
from dehusk.blocks import cut
from dehusk.html_tables import cell_positions


def kinds(html: str) -> list[tuple[str, int]]:
    return [(block.kind.label, block.level) for block in cut(Page.from_html(html))]


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<p>x", ("paragraph", 0)),
        ("x", ("paragraph", 0)),
        ("<h4><a href=/>x</a></h4>", ("heading", 4)),
        ("<ul><li><p>x", ("list item", 1)),
        ("<ul><li><ol><li>x", ("list item", 2)),
        ("<dl><dd>x", ("list item", 1)),
        ("<table><tr><td><p>x", ("table cell", 0)),
        ("<table><tr><td><h2>x", ("heading", 2)),
        ("<pre>x", ("code", 0)),
        ("<p>a <code>x", ("paragraph", 0)),
        ("<blockquote><p>x", ("quote", 0)),
        ("<figure><figcaption>x", ("caption", 0)),
        ("<button>x", ("other", 0)),
    ],
)
def test_the_nearest_tag_with_a_kind_gives_the_kind(html: str, kind: tuple[str, int]) -> None:
    assert kinds(html) == [kind]


def test_cells_of_a_table_that_lays_out_the_page_are_paragraphs() -> None:
    html = "<table><tr><td>menu<td>text<table><tr><td>data</table></table><table><tr><td>x<td><h1>y</h1>z</table>"
    assert [kind for kind, _ in kinds(html)] == [
        "paragraph", "paragraph", "table cell", "paragraph", "heading", "paragraph",
    ]  # fmt: skip


def test_two_line_breaks_separate_blocks_and_one_does_not() -> None:
    assert [block.text for block in cut(Page.from_html("a<br>b<br>\n<br>c"))] == ["a\nb", "c"]


def test_blocks_of_white_space_are_left_out() -> None:
    assert [block.text for block in cut(Page.from_html("<pre>\n\n  \n</pre><p>a<pre> b </pre>"))] == ["a", " b "]


def test_blocks_know_their_links_and_whether_they_are_hidden() -> None:
    blocks = cut(Page.from_html("<p>ab <a href=/>cd</a><p hidden>ef<p>gh <i hidden>ij</i>"))
    assert blocks.link_chars.tolist() == [2, 0, 0]
    assert blocks.hidden.tolist() == [False, True, False]


def test_blocks_beyond_the_limit_are_cut_off_and_reported() -> None:
    two, three = (cut(Page.from_html("<p>a<p>b<p>c", limits=Limits(blocks=limit))) for limit in (2, 3))
    assert [block.text for block in two] == ["a", "b"]
    assert not two.complete
    assert three.complete


def test_a_page_without_text_has_no_blocks() -> None:
    assert len(cut(Page.from_html(""))) == 0


def test_cells_have_rows_and_columns_with_spans_resolved() -> None:
    page = Page.from_html(
        "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g<table><tr><td>h</table></table>"
    )
    places = list(cell_positions(page.elements).values())
    assert places == [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (0, 0)]


def test_spans_are_read_as_browsers_read_them() -> None:
    page = Page.from_html(
        "<table><tbody><tr><td colspan=2px>a<td rowspan=0>b<tr><td>c<td>d<td>e<tbody><tr><td>f<td>g<td>h</table>"
    )
    places = list(cell_positions(page.elements).values())
    assert places == [(0, 0), (0, 2), (1, 0), (1, 1), (1, 3), (2, 0), (2, 1), (2, 2)]


def test_empty_tables_cost_nothing() -> None:
    page = Page.from_html("<p>x</p>" + "<table></table>" * 100_000)
    assert cell_positions(page.elements) == {}


@pytest.mark.parametrize("span", ["9007199254740991", "-3", "0", "", "x", "1e9", "٣", "9" * 100_000])
def test_absurd_spans_are_clamped(span: str) -> None:
    page = Page.from_html(f"<table><tr><td colspan={span} rowspan={span}>a<td>b<tr><td>c</table>")
    assert len(cell_positions(page.elements)) == 3
    assert all(column < 1000 for _, column in cell_positions(page.elements).values())


def test_blocks_made_by_hand_read_like_any_other() -> None:
    blocks = Blocks.of(("Home", 4), ("A plain sentence.", 0))
    assert [(block.text, block.kind) for block in blocks] == [
        ("Home", Kind.PARAGRAPH),
        ("A plain sentence.", Kind.PARAGRAPH),
    ]
    assert blocks.strings() == ["Home", "A plain sentence."]
    assert len(Blocks.of()) == 0


@pytest.mark.parametrize("html", ["<pre> </pre><p>x", "<pre> </pre>", "<p>a<pre>\n</pre><p>b<pre> </pre>"])
def test_columns_stay_in_one_piece_when_blank_runs_are_left_out(html: str) -> None:
    # Compiled loops accept nothing else.
    blocks = cut(Page.from_html(html))
    columns = (blocks.start, blocks.end, blocks.hidden, blocks.link_chars, blocks.owner, blocks.first_leaf)
    assert all(column.flags.c_contiguous and len(column) == len(blocks) for column in columns)


def test_blocks_are_found_by_number() -> None:
    blocks = cut(Page.from_html("<h2>a</h2><p>b<table><tr><th>c<th>d<tr><td>e<td>f</table><ul><li>g"))
    listed = list(blocks)
    assert [blocks[number] for number in range(len(blocks))] == listed
    assert [blocks[number] for number in range(-len(blocks), 0)] == listed
    assert blocks[0] == listed[0]
    assert (blocks[0].kind, blocks[0].level, blocks[0].text) == (Kind.HEADING, 2, "a")
    for part in (slice(None), slice(2, 5), slice(-2, None), slice(None, None, -2), slice(90, 99)):
        assert blocks[part] == listed[part]


@pytest.mark.parametrize("number", [2, -3, 10**30])
def test_a_number_beyond_the_last_block_is_an_index_error(number: int) -> None:
    with pytest.raises(IndexError, match=f"no block {number}: there are 2, counted from 0"):
        Blocks.of(("a", 0), ("b", 0))[number]


def test_blocks_show_the_first_of_them() -> None:
    assert repr(cut(Page.from_html(""))) == "Blocks(0 blocks, 0 characters)"
    many = Blocks.of(*[(f"{number} " + "x" * 50, 0) for number in range(9)])
    assert repr(many) == f"Blocks(9 blocks, 468 characters: {', '.join(repr(f'{n} ' + 'x' * 38) for n in range(3))}, …)"

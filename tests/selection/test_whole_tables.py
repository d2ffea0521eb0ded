"""Tables of data come out whole, in whole rows, or not at all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import Extractor, Page
from dehusk.blocks import Blocks, cut
from dehusk.html_tables import DataTables
from dehusk.selection import Selection
from dehusk.selection.whole_tables import with_whole_tables
from testing.growth import FACTOR, LINEAR, exponent
from tests.selection.documents import lines, only, scored, table, without

HAY = ("crop tons price", "hay 12 90", "oats 7 130", "rye 3 110")


def test_a_missing_cell_is_filled_in() -> None:
    document = without(table(HAY), "12", "price", "rye")
    assert lines(document) == " ".join(HAY).split()
    assert "| rye | 3 | 110 |" in document.markdown()


def test_a_stray_cell_of_a_table_that_is_dropped_is_dropped() -> None:
    assert lines(only(f"<p>Text</p>{table(HAY)}", "Text", "oats")) == ["Text"]


def test_in_between_rows_are_decided_one_by_one_and_headers_stay_with_them() -> None:
    rows = (*HAY, "barley 2 100", "wheat 40 200")
    document = only(
        table(rows, caption="Harvest"), *["Harvest", "crop", "tons", "oats", "7", "130", "rye", "110", "barley"]
    )
    assert " ".join(lines(document)) == "Harvest crop tons price oats 7 130 rye 3 110 barley 2 100"


def test_the_first_row_is_the_header_where_none_is_marked() -> None:
    document = only(
        table((*HAY, "straw 400 100"), head=False), *["crop", "tons", "oats", "7", "130", "rye", "3", "110"]
    )
    assert lines(document) == ["crop", "tons", "price", "oats", "7", "130", "rye", "3", "110"]


def test_headers_of_a_section_go_with_its_rows() -> None:
    summer = "<tr><th colspan=2>May<tr><td>maize<td>20<tr><td>millet<td>1"
    html = f"<table><tr><th>crop<th>tons<tr><th colspan=2>Oct<tr><td>rye<td>3{summer}<tr><th colspan=2>Dec<tr><td>kale"
    assert lines(only(html, *["crop", "tons", "rye", "3", "May", "millet", "1"])) == [
        "crop",
        "tons",
        "Oct",
        "rye",
        "3",
        "May",
        "millet",
        "1",
    ]


def test_a_table_without_any_row_that_is_mostly_kept_is_dropped() -> None:
    rows = ("cropname tonnage priceperton", "hay 1200 9000", "oats 7000 1300", "rye 3000 1100")
    html = table(rows, caption="Harvest")
    kept = ["Text", "Harvest", "cropname", "tonnage", "priceperton", "hay", "oats", "rye"]
    assert lines(only(f"<p>Text</p>{html}", *kept)) == ["Text"]


def test_rows_that_a_cell_connects_stay_together() -> None:
    head = "<tr><th>farm<th>crop<th>tons"
    rows = "<tr><td rowspan=2>North<td>hay<td>12<tr><td>oats<td>7<tr><td>South<td>sugar beet<td>9"
    document = only(f"<table>{head}{rows}", *["farm", "crop", "North", "hay", "12", "oats"])
    assert " ".join(lines(document)) == "farm crop tons North hay 12 oats 7"


def test_a_caption_goes_with_its_table() -> None:
    assert lines(without(table(HAY, caption="Harvest"), "Harvest"))[0] == "Harvest"
    assert lines(only(f"<p>Text</p>{table(HAY, caption='Harvest')}", "Text", "Harvest")) == ["Text"]


def test_a_cell_with_something_in_it_is_no_hole() -> None:
    rows = "".join(f"<tr><td>{job}<td><p>Pick {job} by hand.</p><p>Apply</p>" for job in ("plums", "pears"))
    assert "Apply" not in without(f"<table><tr><th>job<th>text{rows}</table>", "Apply", "plums").text
    assert "plums" in without(f"<table><tr><th>job<th>text{rows}</table>", "Apply", "plums").text


def test_hidden_cells_are_not_added_unless_the_whole_table_is_hidden() -> None:
    row = table(HAY).replace("<td>12</td>", "<td hidden>12</td>")
    assert "12" not in lines(without(row, "12", "3"))
    assert "3" in lines(without(row, "12", "3"))
    assert "12" in lines(without(f"<div hidden>{table(HAY)}</div>", "12"))


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>Menu<td><h1>Hay</h1><p>Text<tr><td>Ads<td>More</table>",  # a heading in it
        f"<table><tr><td>Menu<td>Text{table(HAY)}<tr><td>Ads<td>More</table>",  # another table in it
        "<table><tr><td>Menu<td>Text</table>",  # one row
        "<table><tr><td>Monday<td>#1<tr><td>Ads<td><p>The hay is late this year.<p>Is it so with you?</table>",
    ],
)
def test_tables_for_layout_are_left_as_they_are(html: str) -> None:
    assert "Ads" not in without(html, "Ads", "Menu", "Monday").text
    assert "Menu" not in without(html, "Ads", "Menu", "Monday").text


def test_a_table_of_data_in_one_for_layout_is_made_whole() -> None:
    assert lines(without(f"<table><tr><td>Menu<td>{table(HAY)}</table>", "Menu", "12")) == " ".join(HAY).split()


def test_tables_can_still_be_left_out_and_other_methods_keep_their_choice() -> None:
    assert lines(without(f"<p>Text</p>{table(HAY)}", "12", selection=Selection(tables=False, refine=True))) == ["Text"]
    assert "12" not in lines(without(table(HAY), "12", selection=Selection()))


def test_the_scores_stay_as_they_were() -> None:
    document = without(table(HAY), "12")
    at = document.blocks.strings().index("12")
    assert (document.scores.values[at], bool(document.kept[at])) == (0.9, True)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[bool]]:
    """Return a table with a header, spans and gaps, and which of its words are kept."""
    count, rows = 0, []
    for row in range(draw(st.integers(2, 6))):
        cells = []
        for _ in range(draw(st.integers(1, 5))):
            tag = "th" if row == 0 or draw(st.integers(0, 5)) == 0 else "td"
            spans = f"rowspan={draw(st.sampled_from((1, 1, 1, 2, 3, 0)))} colspan={draw(st.sampled_from((1, 1, 2)))}"
            words = [f"word{count + number}" for number in range(draw(st.sampled_from((0, 1, 1, 1, 2))))]
            count += len(words)
            cells.append(f"<{tag} {spans}>{''.join(f'<p>{word}</p>' for word in words)}</{tag}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    kept = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return f"<table><caption>Name</caption>{''.join(rows)}</table>", [draw(st.booleans()), *kept]


@given(tables())
def test_no_table_has_holes(drawn: tuple[str, list[bool]]) -> None:
    html, choice = drawn
    page = Page.from_html(html)
    blocks = cut(page)
    kept = with_whole_tables(blocks, np.array(choice, np.bool_))
    cells = DataTables(page.elements).cells(page.elements.tag.index("table"))
    filled = {cell.element: _states(blocks, kept, cell.element) for cell in cells}
    rows: dict[int, set[bool]] = {}
    for cell in cells:
        for row in range(cell.row, cell.row + cell.high):
            rows.setdefault(row, set()).update({any(filled[cell.element])} if filled[cell.element] else ())
    assert all(len(states) <= 1 for states in rows.values())
    if any(filled.values()):  # not a caption over empty cells
        assert bool(kept[0]) == any(any(states) for states in filled.values())


def _states(blocks: Blocks, kept: np.ndarray, element: int) -> list[bool]:
    owners = enumerate(blocks.owner.tolist())
    return [bool(kept[number]) for number, owner in owners if element in blocks.elements.chain(owner)]


def test_a_table_of_a_hundred_thousand_cells_costs_no_more_than_its_size() -> None:
    small, large = (cut(Page.from_html(table(["word " * 10] * rows))) for rows in (1_250, 1_250 * FACTOR))

    def keep_whole(blocks: Blocks) -> None:  # three cells in five are kept already
        assert with_whole_tables(blocks, np.arange(len(blocks)) % 5 < 3).all()

    assert exponent(lambda: keep_whole(small), lambda: keep_whole(large)) < LINEAR


def test_kernel_keeps_tables_whole() -> None:
    text = "<p>The harvest was better than last year, and the weather was fair until the last day of it.</p>" * 3
    html = f"<title>Harvest</title><article><h1>Harvest</h1>{text}{table(HAY)}{text}</article>"
    document = Extractor().extract(html)
    inside = document.kept[[text in " ".join(HAY).split() for text in document.blocks.strings()]]
    assert len(set(inside.tolist())) == 1
    assert scored(html, lambda _: 0.1).text.count("oats") == 1


HEAD = "<tr><th>x<th>y"
PROSE = "<p>What follows is a table.</p>"


@pytest.mark.parametrize(
    ("rows", "dropped", "kept"),
    [
        # Mostly kept: whole, also a row of which nothing was.
        ("<tr><td>aaaaaaaa<td>bbbbbbbb<tr><td>c<td>d", "cd", {"aaaaaaaa", "bbbbbbbb", "c", "d", "x", "y"}),
        # Little is kept: nothing, also of a row that was.
        ("<tr><td>aaaa<td>bbbb<tr><td>cccccccc<td>dddddddd", ("cccccccc", "dddddddd"), set()),
        # In between, a row of which exactly half was kept goes.
        (
            "<tr><td>aa<td>bb<tr><td>cccc<td>dddd<tr><td>ee<td>ff",
            ("dddd", "ee", "ff"),
            {"aa", "bb", "x", "y"},
        ),
    ],
    ids=["mostly kept", "little kept", "a row of which half was kept"],
)
def test_how_much_of_a_table_is_kept_decides_on_all_of_it(rows: str, dropped: str, kept: set[str]) -> None:
    document = without(f"{PROSE}<table>{HEAD}{rows}</table>", *dropped)
    assert set(document.text.split()) - {"What", "follows", "is", "a", "table."} == kept


@pytest.mark.parametrize(("count", "is_data"), [(4, False), (6, True)])
def test_a_table_without_header_needs_six_cells(count: int, is_data: bool) -> None:
    cells = [f"<tr><td>{'abcdef'[index] * 3}<td>{'abcdef'[index + 1] * 3}" for index in range(0, count, 2)]
    document = without(f"{PROSE}<table>{''.join(cells)}</table>", "aaa")
    assert ("aaa" in document.text) is is_data

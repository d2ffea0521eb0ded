"""The outline: what belongs where, and that hostile pages cost no more than others."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Extractor, Page, formats
from dehusk.assemble import assemble
from dehusk.formats import Look
from dehusk.html_tables import DataTables, cell_positions
from dehusk.methods.alltext import AllText
from dehusk.outline.build import outline
from dehusk.outline.fast_nodes import Container, LeafBlock
from dehusk.outline.images import largest
from dehusk.outline.kinds import TABLE
from dehusk.outline.nodes import Image
from dehusk.scores import Scores
from tests.golden import FOLDERS

RICH = Look(links=True, images=True)


def images(html: str, *dropped: str) -> list[str]:
    """Return the images that are written of a page when the blocks with these words are dropped."""
    page = Page.from_html(html, url="https://example.org/")
    method = AllText()
    blocks = method.segment(page)
    values = np.array([float(any(word in text for word in dropped)) for text in blocks.strings()])
    document = assemble(page, blocks, Scores(blocks, values, "test"))
    leaves = [event for event in outline(document, look=RICH).events if isinstance(event, LeafBlock)]
    runs = [run for leaf in leaves if isinstance(leaf.content, list) for run in leaf.content]
    return [run.content.address.rpartition("/")[2] for run in runs if isinstance(run.content, Image)]


def test_an_image_goes_with_the_text_that_shares_the_smallest_element_with_it() -> None:
    html = (
        "<header><a href=/><img src=logo.png></a><a href=/m>Menu</a></header>"
        "<article><img src=lead.jpg><h1>Title</h1><p>Some text. <img src=inline.png></p>"
        "<figure><img src=figure.jpg><figcaption>Caption</figcaption></figure>"
        "<div class=ad><img src=ad.gif>Buy this</div></article>"
        "<aside><div><img src=teaser.jpg></div><div>Another story</div></aside>"
    )
    kept = ["lead.jpg", "inline.png", "figure.jpg"]
    assert images(html, "Menu", "Buy", "Another") == kept
    assert images(html, "Menu", "Buy", "Another", "Caption") == kept[:2]
    assert images(html) == ["logo.png", *kept, "ad.gif", "teaser.jpg"]


@pytest.mark.parametrize(
    ("candidates", "address"),
    [
        ("a.jpg 1x, b.jpg 2x", "b.jpg"),
        ("a.jpg, b.jpg", "a.jpg"),
        ("a,b.jpg 100w,c.jpg 90w", "a,b.jpg"),
        ("a.jpg 99999999999999999999w, b.jpg nanw", "a.jpg"),
        ("a.jpg w, b.jpg 2x", "b.jpg"),
        (" , ,", None),
        ("", None),
    ],
)
def test_the_largest_image_of_a_srcset_is_taken(candidates: str, address: str | None) -> None:
    assert largest(candidates) == address


def naive_places(rows: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the rows and columns of cells with these widths and heights, worked out place by place."""
    taken: set[tuple[int, int]] = set()
    places = []
    for row, cells in enumerate(rows):
        column = 0
        for wide, high in cells:
            while (row, column) in taken:
                column += 1
            places.append((row, column))
            taken |= {(row + down, column + right) for down in range(high) for right in range(wide)}
            column += wide
    return places


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), max_size=6), min_size=1, max_size=6))
def test_cells_are_where_the_standard_puts_them(rows: list[list[tuple[int, int]]]) -> None:
    html = "".join("<tr>" + "".join(f"<td colspan={wide} rowspan={high}>x" for wide, high in row) for row in rows)
    elements = Page.from_html(f"<table>{html}</table>").elements
    assert list(cell_positions(elements).values()) == naive_places(rows)
    cells = DataTables(elements).cells(elements.tag.index("table"))
    assert [(cell.row, cell.column) for cell in cells] in ([], naive_places(rows))


def test_only_data_tables_are_tables() -> None:
    html = (
        "<table><tr><td><table><tr><th>a<th>b<tr><td>c<td>d</table></table>"
        "<table><tr><td>one cell</table><table><tr><td>one<td>row</table><table><tr><td>a<tr><td>column</table>"
        "<table><tr><th>a<tr><td>column with a head</table><table><tr><td><h2>x</h2><td>y<tr><td>z<td>z</table>"
    )
    events = outline(Extractor("alltext").extract(html)).events
    tables = [event for event in events if isinstance(event, Container) and event.kind == TABLE]
    assert [len(table.cells) for table in tables] == [4, 2]


NAMES = ("markdown", "html", "tei", "json", "xml")
FROM_SOURCE = """
from tests.helpers.compiled import import_from_source
import_from_source()
from tests.golden import FOLDERS
from tests.outline.test_outline import everything
print("\\0".join(map(everything, FOLDERS[::3])), end="")
"""


def everything(folder: Path) -> str:
    """Return a page in every format that is partly compiled: all of it, and what a method keeps."""
    documents = [Extractor(method).extract((folder / "source.html").read_bytes()) for method in ("alltext", "bte")]
    return "\n".join(formats.render(page, name, look=RICH) for page in documents for name in NAMES)


def test_compiled_modules_write_what_their_sources_do() -> None:
    command = [sys.executable, "-c", FROM_SOURCE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.split("\0") == [everything(folder) for folder in FOLDERS[::3]]

"""json: what is written of which blocks, and that any text can be read back."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dehusk import Extractor, Page, Scores, formats
from dehusk.assemble import assemble
from dehusk.blocks import cut

PLACED = {"xpath", "source"}


def written(html: str, *, every: bool = False) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(formats.render(Extractor("alltext").extract(html), "json", every=every))
    return record


def test_locations_are_written_with_every_block_only() -> None:
    html = "<h1>Title</h1><p>Some text."
    assert all(PLACED.isdisjoint(row) for row in written(html)["blocks"])
    rows = written(html, every=True)["blocks"]
    assert [(row["xpath"], row["source"]) for row in rows] == [("/html/body/h1", [4, 9]), ("/html/body/p", [17, 27])]


def test_the_page_is_parsed_again_only_for_locations(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("requested")

    document = Extractor("alltext").extract("<p>Some text.<table><tr><td>a<td>b</table>")
    monkeypatch.setattr(Page, "source_spans", fail)
    monkeypatch.setattr(Page, "paths", fail)
    assert len(json.loads(formats.render(document, "json"))["blocks"]) == 3
    with pytest.raises(AssertionError, match="requested"):
        formats.render(document, "json", every=True)


def test_only_kept_blocks_are_written_unless_all_are_requested() -> None:
    page = Page.from_html("<p>Menu<p>Some text.<p>Not scored.")
    blocks = cut(page)
    document = assemble(page, blocks, Scores(blocks, np.array([0.93217, 0.00004, np.nan]), "demo"))
    rows = json.loads(formats.render(document, "json"))["blocks"]
    assert [(row["text"], row["score"], row["letter"]) for row in rows] == [
        ("Some text.", 0.0, "a"),
        ("Not scored.", None, "-"),
    ]
    every = json.loads(formats.render(document, "json", every=True))["blocks"]
    assert [(row["score"], row["kept"]) for row in every] == [(0.9322, False), (0.0, True), (None, True)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>x", {"kind": "heading", "level": 2}),
        ("<ul><li><ul><li>x", {"kind": "list item", "depth": 2}),
        ("<table><tr><td><td>x</table>", {"kind": "table cell", "row": 0, "column": 1}),
        ("<p>x", {"kind": "paragraph"}),
        ("<p hidden>x", {"kind": "paragraph", "hidden": True}),
    ],
)
def test_a_block_has_the_fields_of_its_kind(html: str, expected: dict[str, object]) -> None:
    (row,) = written(html)["blocks"]
    assert {key: row.get(key) for key in expected} == expected
    assert {"level", "depth", "row", "column"} & set(row) == {"level", "depth", "row", "column"} & set(expected)
    assert (row["start"], row["end"], row["comment"]) == (0, 1, None)


@pytest.mark.parametrize(
    "text", ['"', "\\", '\\"', "\x01\x1f", "\x7f\x85", "\u2028", '{"a": 1}', "😀", "\ud800", "%s{}"]
)
def test_any_text_is_read_back_as_it_was(text: str) -> None:
    page = Page.from_html(f"<pre>a{text}b</pre>")
    for every in (False, True):
        document = Extractor("alltext").extract(page)
        record = json.loads(formats.render(document, "json", every=every))
        assert [row["text"] for row in record["blocks"]] == [page.text] == [record["text"]]


def test_a_page_without_text_has_no_blocks() -> None:
    assert written("")["blocks"] == []
    assert written("", every=True)["blocks"] == []


@pytest.mark.parametrize("name", ["json", "xml", "cleaneval", "text"])
def test_columns_of_any_kind_of_number_can_be_written(name: str) -> None:
    page = Page.from_html("<h1>One</h1><p>Two<p>Three")
    usual = cut(page)
    wide = {key: getattr(usual, key).astype(np.int64) for key in ("start", "end", "owner")}
    values = np.array([[0.25, 9], [0.75, 9], [0.5, 9]], np.float32)[:, 0]
    odd = assemble(page, replace(usual, **wide), Scores(replace(usual, **wide), values, "odd"))  # type: ignore[arg-type]
    plain = assemble(page, usual, Scores(usual, values.astype(np.float64), "odd"))
    for every in (True, False):
        assert formats.render(odd, name, every=every) == formats.render(plain, name, every=every)

"""Golden pages with a metadata.json, which is written by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from dehusk import Extractor, Page
from dehusk.formats import render
from dehusk.metadata import read, read_kept
from tests.golden import FOLDERS

PINNED = [folder for folder in FOLDERS if (folder / "metadata.json").exists()]


def expected(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    return record


def test_there_are_pages_with_pinned_metadata() -> None:
    assert len(PINNED) >= 2


@pytest.mark.parametrize("folder", PINNED, ids=lambda folder: folder.name)
def test_metadata_is_as_pinned(folder: Path) -> None:
    pinned = expected(folder)
    document = Extractor().extract((folder / "source.html").read_bytes(), url=pinned["url"])
    found = json.loads(render(document, "json"))["metadata"]
    origin = found.pop("origin")
    wanted = {key: value for key, value in pinned.items() if key not in ("url", "canonical", "origin")}
    assert {key: found[key] for key in wanted} == wanted
    assert found["url"] == pinned["canonical"]
    assert {key: origin.get(key) for key in pinned["origin"]} == pinned["origin"]
    # Every filled field has an origin, and no other.
    assert set(origin) == {key for key, value in found.items() if value}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_first_lines_of_the_kept_text_are_enough(folder: Path) -> None:
    document = Extractor().extract((folder / "source.html").read_bytes(), url="https://example.org/2024/")
    assert document.metadata == read(document.page, document.text, document.kind)


def test_a_first_line_in_many_pieces_is_read_to_its_end() -> None:
    page = Page.from_html("<title>Rain</title><p>" + "It rained all day long. " * 100 + "<p>By Ann Example<p>The end.")
    line = page.text.index("\n")
    spans = [(start, min(start + 6, line)) for start in range(0, line, 6)]
    kept = [*spans, (line + 1, len(page.text))]
    assert read_kept(page, kept) == read(page, page.text)
    assert read_kept(page, []) == read(page, "")

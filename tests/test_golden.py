import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden import FILES, FOLDERS, JUDGED, WRITTEN, document, misses, structure, written

golden = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def expected(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return record


def test_there_are_enough_golden_pages_and_each_says_why() -> None:
    assert len(FOLDERS) >= 25
    assert all((folder / "why.md").stat().st_size > 20 for folder in FOLDERS)


@golden
def test_all_text_is_as_pinned(folder: Path) -> None:
    assert document(folder, "alltext").text == (folder / "expected.txt").read_text(encoding="utf-8")


@golden
def test_structure_is_as_pinned(folder: Path) -> None:
    pinned = expected(folder)
    found = structure(document(folder, "alltext"))
    assert found == {key: pinned[key] for key in found}


@golden
def test_all_text_holds_every_snippet(folder: Path) -> None:
    pinned = expected(folder)
    flat = " ".join(document(folder, "alltext").text.split())
    assert [snippet for snippet in pinned["with"] + pinned["without"] if snippet not in flat] == []


@golden
@pytest.mark.parametrize("method", JUDGED)
def test_a_method_is_wrong_only_where_it_is_known_to_be(folder: Path, method: str) -> None:
    # Exactly, not "at most": a snippet that a method now gets right has to be removed from the list.
    pinned = expected(folder)
    assert misses(pinned, document(folder, method).text) == pinned["misses"][method]


@pytest.mark.parametrize("folder", WRITTEN, ids=lambda folder: folder.name)
@pytest.mark.parametrize("format", FILES)
def test_a_page_is_written_in_a_format_as_pinned(folder: Path, format: str) -> None:
    assert written(folder, format) == (folder / FILES[format]).read_text(encoding="utf-8")

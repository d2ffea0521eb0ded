"""Target nodes: the rule of the paper, paragraphs between line breaks, the repair, and both forms of the loops."""

from pathlib import Path

import numpy as np
import pytest

from dehusk import Page
from dehusk.methods.fiasco import fast_targets, targets
from dehusk.methods.fiasco.targets import Targets, find_targets
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled


def texts(html: str, *, repair: bool = True) -> list[str]:
    page = Page.from_html(html)
    found = find_targets(page, repair=repair)
    return [page.text[start:end] for start, end in zip(found.start, found.end, strict=True)]


def test_the_outermost_node_with_a_tenth_of_its_text_is_a_target() -> None:
    page = Page.from_html("<div>0123456789<b>" + "x" * 90 + "</b></div><div>012345678<b>" + "y" * 90 + "</b></div>")
    found = find_targets(page, repair=False)
    assert [page.elements.tag[element] for element in found.element] == ["div", "b"]
    assert found.of_leaf.tolist() == [0, 0, -1, 1]
    assert found.own.tolist() == [True, False, False, True]


def test_paragraphs_between_two_line_breaks_are_virtual_targets() -> None:
    page = Page.from_html("<td>One <i>two</i><br><br>three<br>four<br> <br><a href=/>five</a><br><br>six</td>")
    found = find_targets(page, repair=False)
    assert [page.text[start:end] for start, end in zip(found.start, found.end, strict=True)] == [
        "One two",
        "three\nfour",
        "five",
        "six",
    ]
    assert found.virtual.tolist() == [True, True, False, True]  # a paragraph that is one link has no text of its own


def test_a_body_with_text_of_its_own_is_divided() -> None:
    html = "<body>Some text of the body itself<p>First paragraph.<p>Second paragraph.</p>and an end"
    assert texts(html, repair=False) == [Page.from_html(html).text]
    assert texts(html) == ["Some text of the body itself", "First paragraph.", "Second paragraph.", "and an end"]


def test_single_line_breaks_divide_what_has_no_other_structure() -> None:
    html = "<p>One line<br>another line<br>a third"
    assert len(texts(html, repair=False)) == 1
    assert texts(html) == ["One line", "another line", "a third"]


def test_a_page_of_one_paragraph_has_one_target() -> None:
    assert texts("<p>All that there is.") == ["All that there is."]


@pytest.mark.parametrize("html", ["", "<p>", "<body><div></div>", "<script>x</script>"])
def test_a_page_without_text_has_no_targets(html: str) -> None:
    assert texts(html) == []


def test_the_lines_of_plain_text_are_targets() -> None:
    page = Page.from_text("One block.\n\nAnother block.")
    found = find_targets(page)
    assert [page.text[start:end] for start, end in zip(found.start, found.end, strict=True)] == page.text.split("\n")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_targets_are_disjoint_runs_of_leaves_compiled_or_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    found = find_targets(page)
    check(page, found)
    plain = uncompiled(fast_targets)
    for name in ("TargetFinder", "find_breaks", "sum_up"):
        monkeypatch.setattr(targets, name, getattr(plain, name))
    again = find_targets(page)
    for column in ("element", "virtual", "start", "end", "of_leaf", "of_element", "own"):
        np.testing.assert_array_equal(getattr(found, column), getattr(again, column))


def check(page: Page, found: Targets) -> None:
    """Hold targets to what their columns promise."""
    assert (found.end[:-1] <= found.start[1:]).all()
    for number in range(len(found)):
        leaves = np.flatnonzero(found.of_leaf == number)
        assert leaves.tolist() == list(range(found.first_leaf[number], found.last_leaf[number]))
        lengths = (page.leaves.end - page.leaves.start)[leaves]
        assert lengths[found.own[leaves]].sum() >= targets.OWN_SHARE * lengths.sum()
        for leaf in leaves.tolist():
            assert found.element[number] in page.elements.chain(int(page.leaves.element[leaf]))

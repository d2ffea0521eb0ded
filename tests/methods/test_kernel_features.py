from math import log1p
from pathlib import Path

import numpy as np
import pytest

from dehusk import Page
from dehusk.blocks import cut
from dehusk.features.tokens import TokenVocabulary
from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.features import NAMES, PAGE_NAMES, TAGS, PageFeatures, page_features
from tests.golden import FOLDERS

VOCABULARY = TokenVocabulary.of(["menu", "post", "comments"])


def seen(page: str | Page) -> PageFeatures:
    page = Page.from_html(page) if isinstance(page, str) else page
    return page_features(page, cut(page), VOCABULARY)


def summary(html: str) -> dict[str, float]:
    return dict(zip(PAGE_NAMES, seen(html).page.tolist(), strict=True))


def flags(html: str) -> set[str]:
    return {name for name, value in list(summary(html).items())[5:] if value}


def assert_whole(found: PageFeatures, count: int) -> None:
    """Hold a view to what the network relies on: it reads without looking at bounds."""
    assert found.matrix.shape == (len(NAMES), count)
    assert found.matrix.dtype == np.float32
    assert np.isfinite(found.matrix).all()
    assert len(found) == len(found.above) == len(found.tag) == len(found.tokens.nearby) == count
    assert ((found.tag >= 0) & (found.tag < TAGS)).all()
    assert ((found.above >= 0) & (found.above < 1 << len(ABOVE))).all()
    assert found.groups.shape == found.sizes.shape == (4, count)
    for groups, sizes in zip(found.groups, found.sizes, strict=True):
        assert np.bincount(groups, minlength=count).tolist() == sizes.tolist()
    assert found.page.shape == (len(PAGE_NAMES),)
    assert np.isfinite(found.page).all()


def test_no_two_features_share_a_name() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert len(set(PAGE_NAMES[:5])) == 5


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_golden_pages_are_seen_whole_and_always_alike(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    first, second = seen(page), seen(page)
    assert_whole(first, len(cut(page)))
    assert first.matrix.tobytes() == second.matrix.tobytes()
    assert first.tokens.anywhere.tolist() == second.tokens.anywhere.tolist()


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (Page.from_html(""), 0),
        (Page.from_bytes(b"%PDF-1.4"), 0),
        (Page.from_html("<p>One"), 1),
        (Page.from_html("bare text"), 1),
        (Page.from_text("One line.\nAnother."), 2),
    ],
    ids=["empty", "refused", "one block", "bare text", "plain text"],
)
def test_pages_with_little_or_no_tree_are_seen_whole(page: Page, count: int) -> None:
    assert_whole(seen(page), count)


def test_the_page_is_summed_up() -> None:
    found = summary("<p><a href=x>one two</a><p>" + "word " * 18)
    assert found["blocks"] == pytest.approx(log1p(2) / 5)
    assert found["words"] == pytest.approx(log1p(20) / 5)
    assert found["elements"] == pytest.approx(log1p(7) / 5)  # the root, html, head, body, two p and an a
    assert found["links"] == pytest.approx(0.1)
    assert found["prose"] == pytest.approx(0.9)


XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a", {"none", ""}),
        ("<!doctype html><p>a", {"html5", ""}),
        (f"{XHTML}<p>a", {"xhtml", ""}),
        ('<!doctype html><meta property="og:type" content="article"><p>a', {"html5", "article"}),
        ('<meta property="og:type" content=" og:Product "><p>a', {"none", "product"}),
        ('<meta property="og:type" content="video.movie"><p>a', {"none"}),
        ('<body><p>a<meta property="og:type" content="article">', {"none", ""}),
    ],
)
def test_doctype_and_declared_type_are_told(html: str, expected: set[str]) -> None:
    assert flags(html) == expected


def test_the_tag_that_holds_a_block_has_one_number_wherever_it_stands() -> None:
    first, second, other = seen("<div><p>a</p></div><p><b>b</b></p><h1>c</h1>").tag.tolist()
    assert first == second != other

import numpy as np
import pytest

from dehusk import Page
from dehusk.blocks import cut
from dehusk.features.title import FARTHEST, NAMES
from dehusk.features.tokens import TokenVocabulary
from dehusk.methods.kernel.features import ROWS, page_features


def features(page: str | Page) -> dict[str, list[float]]:
    page = Page.from_html(page) if isinstance(page, str) else page
    matrix = page_features(page, cut(page), TokenVocabulary.of([])).matrix
    return {name: matrix[ROWS[name]].round(3).tolist() for name in NAMES}


def since(blocks: int) -> float:
    return round(float(np.log1p(blocks)), 3)


def test_the_heading_that_says_what_the_title_says_is_the_title() -> None:
    found = features("<title>Hay in July - The Farm</title><p>Menu<h1>Hay in July</h1><p>It rained.<p>A lot.")
    assert found["title_overlap"] == [0, 1, 0, 0]
    assert found["before_title"] == [1, 0, 0, 0]
    assert found["since_title"] == [pytest.approx(since(n), abs=1e-3) for n in (0, 0, 1, 2)]


def test_the_heading_that_says_most_of_the_title_is_chosen() -> None:
    found = features("<title>Hay in July</title><h2>Hay in summer</h2><p>a<h2>Hay in July</h2><p>b")
    assert found["title_overlap"] == [pytest.approx(0.667, abs=1e-3), 0, 1, 0]
    assert found["before_title"] == [1, 1, 0, 0]


def test_case_and_blanks_do_not_matter() -> None:
    assert features("<title> HAY\nin   july </title><h1>Hay  in <b>July</b></h1>")["title_overlap"] == [1]


def test_one_word_in_common_is_chance() -> None:
    found = features("<title>The farm</title><h3>Farm</h3><p>a")
    assert found["title_overlap"] == [pytest.approx(0.333, abs=1e-3), 0]
    assert found["since_title"] == found["before_title"] == [0, 0]


def test_only_headings_can_be_the_title() -> None:
    assert features("<title>Hay in July</title><p>Hay in July<h1>Something else here</h1>")["title_overlap"] == [0, 0]


def test_without_a_title_nothing_is_told() -> None:
    assert all(row == [0, 0] for row in features("<h1>Hay in July</h1><p>a").values())


def test_blocks_far_below_the_title_are_all_as_far() -> None:
    found = features("<title>Hay in July</title><h1>Hay in July</h1>" + "<p>x" * (FARTHEST + 50))["since_title"]
    assert found[FARTHEST] == found[-1] == max(found)


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (Page.from_html(""), 0),
        (Page.from_html("<title>Hay in July</title>"), 0),
        (Page.from_bytes(b"%PDF-1.4"), 0),
        (Page.from_text("Hay in July\nIt rained."), 2),
    ],
    ids=["empty", "title alone", "refused", "plain text"],
)
def test_pages_without_headings_have_no_title(page: Page, count: int) -> None:
    assert features(page) == dict.fromkeys(NAMES, [0.0] * count)

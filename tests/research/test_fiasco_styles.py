"""The experiment on style sheets: labels from marked blocks, figures, and folds that separate."""

import numpy as np
import pytest

from dehusk import Page
from dehusk.methods.fiasco.targets import find_targets
from research.fiasco.styles import Example, figures, labels, report

MARKED = """
<div data-block=1 data-block-type=Menu><a href=/>Home</a></div>
<div data-block=1 data-block-type=Sidebar>
<div data-block=2 data-block-type=Article><p>Text of it</p></div><p>Beside</p></div>
<p data-block-type=Article>Not marked as a block</p><h1 data-block=1 data-block-type=Title>Title</h1>
"""


def test_the_innermost_block_says_whether_a_target_is_clean() -> None:
    page = Page.from_html(MARKED)
    targets = find_targets(page)
    texts = [page.text[start:end] for start, end in zip(targets.start, targets.end, strict=True)]
    found = dict(zip(texts, labels(page, targets), strict=True))
    assert found == {
        "Home": False, "Text of it": True, "Beside": False, "Not marked as a block": None, "Title": True,
    }  # fmt: skip


def test_figures_by_hand() -> None:
    clean = np.array([True, True, False, False, False, False])
    decisions = np.array([2.0, -1, 1, -2, -3, -4])
    assert figures(decisions, clean) == pytest.approx((4 / 6, 0.5, 0.5, 0.5, 0.0, 7 / 8))
    assert figures(clean - 0.5, clean) == pytest.approx((1, 1, 1, 1, 1, 1))


def test_looks_that_tell_are_told_from_looks_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("research.fiasco.styles.SAMPLES", 20)
    draw = np.random.default_rng(0)
    pages = []
    for number in range(12):
        clean = draw.random(30) < 0.4
        telling = np.column_stack([clean, draw.random((30, 4))]).astype(np.float64)
        pages.append(Example(f"site{number}", clean, (telling, draw.random((30, 5)))))
    first, styled, plain, apart = report(pages).splitlines()
    assert first.startswith("12 pages, 12 sites, 360 targets")
    assert float(styled.partition("accuracy ")[2].split()[0]) > 0.9
    assert float(plain.partition("accuracy ")[2].split()[0]) < 0.7
    assert float(apart.partition("accuracy ")[2].split()[0]) > 0.2

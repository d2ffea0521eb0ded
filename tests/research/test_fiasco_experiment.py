"""The experiment on fiasco: what the paper's figures imply, intervals, folds, nodes, and invented targets."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from dehusk import Page
from dehusk.evaluation.metrics import MatchCounts
from dehusk.gold.pages import GoldPage
from dehusk.methods.fiasco.targets import find_targets
from dehusk.methods.fiasco.words import CLOSED, Lexicon
from dehusk.training.fiasco.examples import FiascoPacked, pack
from dehusk.training.fiasco.keywords import General
from dehusk.training.fiasco.svm import SvmRecipe
from research.fiasco import alignments, nodes, paper, words
from research.fiasco.degenerate import Shape
from research.fiasco.nodes import Judged, clean_figures, gain
from research.fiasco.runs import Runs

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="needs scikit-learn")
STORY = "The shearers came on the second of June, four of them, with their own stand and no dog."
HTML = f"<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>{STORY}</p><p>It rained.</p><div>Legal</div>"


def source(number: int) -> GoldPage:
    labels = (("Home", 1), ("News", 1), (STORY, 0), ("It rained.", 0), ("Legal", 1))
    gold = f"{STORY}\nIt rained."
    return GoldPage("mine", str(number), "all", HTML, gold, url=f"http://s{number}.example/", labels=labels)


@pytest.fixture(scope="module")
def packed() -> FiascoPacked:
    return pack(map(source, range(20)), {"mine": "CC0"}, Lexicon.of({"the": CLOSED}), 1)


def test_the_share_of_clean_nodes_follows_from_the_papers_figures() -> None:
    # 100 nodes, 20 of them clean, 16 of these found with 4 others: 92 % right where always "dirty" has 80 %.
    assert paper.error_reduction(0.92, 0.8, 0.8) == pytest.approx(1 - 8 / 20)
    assert set(paper.ROWS) == set(paper.TABLE_2) == set(paper.TABLE_3)


def test_figures_of_clean_targets_and_the_reduction_of_error() -> None:
    found = Judged(np.array([True] * 6 + [False] * 4), np.array([True] * 7 + [False] * 3), np.arange(10))
    assert found.figures() == pytest.approx((90.0, 0.75, 1.0, 6 / 7))
    assert found.error_reduction() == pytest.approx(1 - 0.1 / 0.3)
    low, high = found.interval()
    assert low < found.error_reduction() < high
    assert clean_figures(np.array([True]), np.array([True])) == (100.0, 1.0, 1.0, 1.0)
    mean, low, high = gain(found, Judged(~found.gold, found.gold, found.page))
    assert mean == pytest.approx(90)
    assert 0 < low < mean < high


def test_folds_by_site_keep_the_targets_of_a_site_together(packed: FiascoPacked) -> None:
    rows = nodes.drawn(packed, np.ones(20, np.bool_), 60)
    assert len(rows) == len(set(rows.tolist())) == 60
    by_site = nodes.folds_of(packed, rows, by_site=True)
    assert all(len(set(by_site[packed.page[rows] == page].tolist())) <= 1 for page in range(20))
    assert np.bincount(nodes.folds_of(packed, rows, by_site=False)).tolist() == [6] * 10


def test_machines_judge_targets_of_other_folds(packed: FiascoPacked) -> None:
    rows = nodes.drawn(packed, np.ones(20, np.bool_))
    folds = nodes.folds_of(packed, rows, by_site=True, folds=3)
    found = nodes.judged(packed, rows, folds, paper.ROWS["All"], General(), SvmRecipe())
    assert found.figures()[0] > 90
    others = nodes.other_classifiers(packed.matrix[rows], packed.shares[rows] < 0.5, folds)
    assert all(accuracy > 90 for accuracy in others.values())


def test_node_labels_are_found_in_the_text() -> None:
    page = Page.from_html(HTML)
    targets = find_targets(page)
    found = alignments.by_nodes(page, targets, source(1))
    assert found is not None
    assert found.tolist() == [0, 0, 1, 1, 0]
    (labelled,) = alignments.labelled([source(1), GoldPage("mine", "2", "all", HTML, "x")])
    assert labelled.gold.tolist() == labelled.ours.tolist() == [False, False, True, True, False]
    assert labelled.dice[-1][2:4].all()
    assert alignments.alignment_rate(page, f"{STORY}\nNothing like it at all", 0.8) == 0.5
    lost = GoldPage("mine", "3", "all", HTML, "x", labels=(("elsewhere", 0), ("nowhere", 1)))
    assert alignments.by_nodes(page, targets, lost) is None


def test_degenerate_pages_are_counted() -> None:
    pages = [Page.from_html(f"<body>{STORY}<p>{STORY}<p>{STORY}<p>{STORY}"), Page.from_html(HTML)]
    assert Shape.of(pages, repair=False).one == 50
    assert Shape.of(pages, repair=True).one == 0


def test_pages_with_next_to_no_recall_are_set_apart() -> None:
    counts = [MatchCounts(90, 10, 10), MatchCounts(0, 0, 100)]
    assert words.not_lost(counts) == counts[:1]
    assert words.per_cent(counts[:1]) == pytest.approx((90, 90, 90))


def test_results_are_computed_once(tmp_path: Path) -> None:
    runs = Runs(tmp_path, lambda step: None)
    assert runs.cached("a row", lambda: [1, 2]) == [1, 2]
    assert runs.cached("a row", lambda: 1 / 0) == [1, 2]

"""The experiment on texrex: metrics, folds, and all of it on invented vectors."""

from pathlib import Path

import numpy as np
import pytest

from dehusk.errors import InputError
from dehusk.methods.texrex.features import NAMES
from dehusk.training.texrex import page_folds
from dehusk.training.texrex.rprop import TexrexRecipe
from dehusk.training.texrex.vectors import Vectors
from research import PaperTable, texrex
from research.texrex import classifiers, folds, metrics, paper, runs
from research.texrex.metrics import Curve, balance, curve, differs, precision_at, shares, weighted_f1
from research.texrex.paper import LANGUAGES

LENGTH, MARKUP = NAMES.index("Length"), NAMES.index("MarkupProp")


def invented(seed: int, rows: int = 400) -> Vectors:
    """Return vectors of pages with ten blocks each; boilerplate is short, or not long and full of tags."""
    random = np.random.default_rng(seed)
    inputs = random.random((rows, len(NAMES))).astype(np.float32)
    inputs[:, page_folds.PAGE] = np.repeat(random.random(rows // 10), 10)
    boilerplate = (inputs[:, LENGTH] < 0.6) | ((inputs[:, LENGTH] < 0.8) & (inputs[:, MARKUP] > 0.5))
    return Vectors(inputs, boilerplate.astype(np.float32))


class TestFigures:
    def test_shares(self) -> None:
        called, gold = np.array([1, 1, 1, 0, 0]) > 0, np.array([1, 1, 0, 1, 0]) > 0
        found = shares(called, gold)
        assert (found.precision, found.recall, found.correct) == (2 / 3, 2 / 3, 3 / 5)
        # Of the other class one of two is right: 3/5 × 2/3 + 2/5 × 1/2.
        assert weighted_f1(called, gold) == pytest.approx(0.6)

    def test_the_balance_is_where_precision_is_recall(self) -> None:
        output = np.array([0.1, 0.2, 0.35, 0.65, 0.8, 0.9])
        gold = np.array([0, 0, 1, 0, 1, 1]) > 0
        found = balance(curve(output, gold))
        assert 0.35 <= found.threshold < 0.65
        assert found.f1 == pytest.approx(2 / 3)
        assert found.correct == pytest.approx(2 / 3)

    def test_precision_at_a_recall(self) -> None:
        found = Curve(np.array([0.5, 0.8, 1.0]), np.array([1.0, 0.98, 0.4]), np.zeros(3))
        assert precision_at(found, 0.98) == 0.8
        assert np.isnan(precision_at(Curve(found.precision, found.recall / 2, found.correct), 0.98))

    def test_a_difference_must_be_larger_than_chance(self) -> None:
        noise = np.random.default_rng(0).normal(0, 0.01, 10)
        assert differs(np.full(10, 0.9), 0.95 + noise) == 1
        assert differs(np.full(10, 0.9), 0.85 + noise) == -1
        assert differs(np.full(10, 0.9), 0.9 + noise) == 0


class TestFolds:
    def test_random_folds_are_of_one_size(self) -> None:
        assert np.bincount(folds.random_folds(invented(0), 0)).tolist() == [40] * 10

    def test_no_page_is_in_two_folds_and_folds_are_of_one_size(self) -> None:
        vectors = invented(1)
        found = page_folds.page_folds(vectors, 0)
        page = vectors.inputs[:, page_folds.PAGE]
        assert all(len(set(found[page == each].tolist())) == 1 for each in set(page.tolist()))
        assert np.bincount(found).tolist() == [40] * 10

    def test_every_vector_is_judged_by_a_net_that_has_not_seen_it(self) -> None:
        # Labels at random: a network that has seen a vector knows its label, any other can only guess.
        vectors = Vectors(invented(2).inputs, (np.random.default_rng(3).random(400) < 0.5).astype(np.float32))
        output = folds.held_out(vectors, folds.random_folds(vectors, 0), TexrexRecipe(epochs=150))
        assert ((output > 0.5) == vectors.targets).mean() < 0.62

    def test_only_informative_features_have_merit(self) -> None:
        vectors = invented(4)
        merit = folds.merits(vectors, folds.random_folds(vectors, 0), TexrexRecipe(hidden=2, epochs=80))
        assert int(np.argmax(merit)) == LENGTH
        assert merit[LENGTH] > 0.1
        assert np.delete(merit, LENGTH).max() < 0.05


def test_the_papers_table_4_is_put_right() -> None:
    assert [round(paper.corrected(language)[2], 3) for language in LANGUAGES] == [0.986, 0.994, 0.97, 0.98]
    assert [round(paper.corrected(language)[3], 3) for language in LANGUAGES] == [0.976, 0.990, 0.952, 0.965]


def test_missing_vectors_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DEHUSK_DATA", raising=False)
    with pytest.raises(InputError, match="DEHUSK_DATA is not set"):
        runs.Runs.open(tmp_path, print)
    monkeypatch.setenv("DEHUSK_DATA", str(tmp_path))
    with pytest.raises(InputError, match="cannot be read"):
        runs.Runs.open(tmp_path, print)


def test_what_is_kept_is_of_the_same_inputs_and_labels(tmp_path: Path) -> None:
    vectors = {language: invented(number, 20) for number, language in enumerate(LANGUAGES)}
    other = {**vectors, "en": Vectors(vectors["en"].inputs, 1 - vectors["en"].targets)}

    def kept(given: dict[str, Vectors], number: int) -> float:
        found = runs.Runs(given, tmp_path, lambda _: None)._cached("a", "b", lambda: {"number": np.array([number])})
        return float(found["number"][0])

    assert [kept(vectors, 1), kept(other, 2), kept(vectors, 3)] == [1, 2, 1]


def test_pearson_separates_what_lines_cannot() -> None:
    pytest.importorskip("sklearn")
    inputs = np.random.default_rng(0).random((400, 2))
    targets = (((inputs - 0.5) ** 2).sum(axis=1) < 0.1).astype(np.float64)
    called = classifiers.Pearson().fit(inputs[:300], targets[:300]).predict(inputs[300:])
    assert (called == targets[300:]).mean() > 0.93


def test_other_classifiers_predict_what_they_have_not_seen() -> None:
    pytest.importorskip("sklearn")
    assert set(classifiers.makers()) == set(paper.CLASSIFIERS) - {"MLP"}
    vectors = Vectors(invented(5).inputs, (np.random.default_rng(3).random(400) < 0.5).astype(np.float32))
    called, seconds = classifiers.held_out("IBk", vectors, folds.random_folds(vectors, 0), 0)
    assert (called == vectors.targets).mean() < 0.62
    assert seconds.shape == (10,)


@pytest.mark.slow
def test_the_whole_experiment_runs_once_and_then_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(texrex, "WORK", tmp_path)
    monkeypatch.setattr(runs, "RECIPE", TexrexRecipe(epochs=20))
    monkeypatch.setattr(runs, "SHORT", TexrexRecipe(epochs=10))
    monkeypatch.setattr(page_folds, "EPOCHS", (5, 10))
    monkeypatch.setattr(texrex, "_milliseconds", lambda: PaperTable("Section 3.5: time", (), ()))
    monkeypatch.setattr(runs, "ALONE", TexrexRecipe(hidden=2, epochs=5))
    vectors = {language: invented(number, 200) for number, language in enumerate(LANGUAGES)}
    made: list[str] = []
    monkeypatch.setattr(runs.Runs, "open", lambda work, tick: runs.Runs(vectors, work, tick))
    titles = [table.title.partition(":")[0] for table in texrex.tables(made.append)]
    assert titles == [
        *("Table 2", "Table 3", "Table 4", "Epochs", "Table 5", "Table 6", "Figure 2", "Figure 3", "Section 3.5")
    ]
    assert {path.name for path in tmp_path.glob("*.png")} == {"figure-1.png", "figure-2.png", "figure-3.png"}
    assert len(made) == 8 + 8 + 9 * 4 + 1 + 4 + 1
    for table in texrex.tables(made.append):
        assert all(len(line.paper) == len(line.ours) == len(table.columns) for line in table.lines)
    assert len(made) == 8 + 8 + 9 * 4 + 1 + 4 + 2  # only the plots were made again
    assert metrics.THRESHOLDS[50] == 0.5

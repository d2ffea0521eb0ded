"""The experiment on boilernet: how nodes are counted, how pages are split, and all of it on invented scores."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dehusk.errors import InputError
from dehusk.evaluation.metrics import ByClass, MatchCounts
from dehusk.gold.corpora import TRAINING_SETS
from dehusk.gold.pages import GoldPage
from dehusk.training.boilernet.examples import make_examples
from dehusk.training.boilernet.packed import BoilernetExample, BoilernetPacked
from dehusk.training.boilernet.recipe import PAPER, BoilernetRecipe
from research import boilernet
from research.boilernet.cross_validation import FOLDS, NETWORKS, CrossValidation, site_folds
from research.boilernet.node_counts import node_counts
from research.boilernet.runs import Runs
from research.cache import file_name

SIZES = {("googletrends2017", "train"): 6, ("googletrends2017", "dev"): 3, ("googletrends2017", "test"): 2}
SIZES |= {("cleaneval", "dev"): 8, ("cleaneval", "test"): 3}
LABELS = (("Home", 1), ("It rained all day.", 0), ("Nobody minded.", 0), ("Legal", 1), ("gone", 0))
HTML = "<a href=/>Home</a><p>It rained all day.<p>Nobody minded.<footer>Legal</footer>"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Return a work folder in which networks drop the first leaf and the last two."""
    scores = [0.9, 0.1, 0.6, 0.7]
    found = [
        make_examples(GoldPage(corpus, f"{split}/{number}", split, HTML, None, labels=LABELS))[0][0]
        for (corpus, split), count in SIZES.items()
        for number in range(count)
    ]
    BoilernetPacked.of([each for each in found if isinstance(each, BoilernetExample)], {}, {}).save(
        tmp_path / "pages.npz"
    )
    for corpus, trained, test in (("googletrends2017", 6, 2), ("googletrends2017", 4, 2), ("cleaneval", 3, 3)):
        for seed in range(boilernet.SEEDS):
            path = tmp_path / f"{corpus}-{trained}-{seed}.npz"
            np.savez(path, scores=np.tile(scores, test), recipe=np.array(str(PAPER)))
            unweighted = replace(PAPER, balanced=False)
            np.savez(
                tmp_path / f"{path.stem}-unweighted.npz", scores=np.zeros(4 * test), recipe=np.array(str(unweighted))
            )
    for corpus in ("googletrends2017", "cleaneval"):
        for peer in boilernet.PEERS.values():
            np.savez(tmp_path / f"{corpus}-{peer}.npz", counts=np.array([3, 1, 1, 3]))
        for shipped in (boilernet.SHIPPED[corpus], *NETWORKS):
            dropped = np.tile([True, False, False, True], SIZES[corpus, "test"])
            np.savez(tmp_path / file_name(corpus, shipped, "npz"), dropped=dropped)
    return tmp_path


def cross_validated(work: Path) -> None:
    """Write pages of six sites, and scores by which the large network is right and the small one keeps everything."""
    found = [
        make_examples(GoldPage("googletrends2017", str(n), "train", HTML, None, f"http://s{n}.org/", labels=LABELS))
        for n in range(6)
    ]
    packed = BoilernetPacked.of([examples[0] for examples, _ in found], dict.fromkeys(TRAINING_SETS, ""), {})
    packed.save(work / "features.npz")
    scores = {"boilernet": [0.9, 0.3, 0.3, 0.9], "boilernet-small": [0.3] * 4}
    for fold in range(FOLDS):
        arrays: dict[str, Any] = {f"{name}-recipe": np.array(str(recipe)) for name, recipe in NETWORKS.items()}
        arrays |= {f"{name}-threshold": np.array(0.4) for name in NETWORKS}
        arrays |= {f"{name}-scores": np.array(values * 2) for name, values in scores.items()}
        np.savez(work / f"fold-{fold}.npz", **arrays)


def test_no_site_is_in_two_folds(work: Path) -> None:
    cross_validated(work)
    folds = [CrossValidation.open(work, print).held_out(fold)[0] for fold in range(FOLDS)]
    assert sorted(page for fold in folds for page in fold) == [*range(6)]
    assert {len(fold) for fold in folds} == {2}
    assert len(set(site_folds(["a.org"] * 5 + ["b.org"]).values())) == 2


def test_a_node_is_kept_where_most_of_its_words_come_out() -> None:
    page = GoldPage("", "", "", "", None, labels=LABELS)
    assert node_counts(page, "It rained all day.\nLegal").tolist() == [1, 2, 1, 1]
    assert node_counts(page, "").tolist() == [2, 3, 0, 0]


def test_nodes_missing_from_the_tree_count_as_dropped(work: Path) -> None:
    runs = Runs.open(work, print)
    found = runs.by_network(runs.parts("googletrends2017"), 0)
    assert found == ByClass(MatchCounts(4, 4, 0), MatchCounts(2, 0, 4))


def test_networks_of_another_recipe_are_refused(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs.open(work, print)
    parts = runs.parts("googletrends2017")
    np.savez(work / "googletrends2017-6-1.npz", scores=np.zeros(8))  # from before recipes were noted
    with pytest.raises(InputError, match=r"googletrends2017-6-1.npz was trained with another recipe; remove it"):
        runs.by_network(parts, 1)
    monkeypatch.setattr("research.boilernet.runs.PAPER", BoilernetRecipe(width=8))
    with pytest.raises(InputError, match="another recipe"):
        runs.by_network(parts, 0)


def test_parts_are_the_papers(work: Path) -> None:
    runs = Runs.open(work, print)
    trends, clean = runs.parts("googletrends2017"), runs.parts("cleaneval")
    assert [len(each) for each in (trends.train, trends.check, trends.test)] == [6, 3, 2]
    assert [len(each) for each in (clean.train, clean.check, clean.test)] == [3, 5, 3]
    assert not set(clean.train) & set(clean.check)
    fewer = runs.fewer(trends, 4, 1)
    assert set(fewer.train) < set(trends.train)
    assert list(fewer.train) != list(runs.fewer(trends, 4, 2).train)


def test_pages_without_content_are_used_but_no_test_page(tmp_path: Path) -> None:
    found = [
        make_examples(GoldPage("cleaneval", f"dev/{number}", "dev", HTML, None, labels=LABELS))[0][0]
        for number in (1, 2, 3, 4, 5, 6, 32, 47, 60)
    ]
    BoilernetPacked.of([each for each in found if isinstance(each, BoilernetExample)], {}, {}).save(
        tmp_path / "pages.npz"
    )
    runs = Runs.open(tmp_path, print)
    parts = runs.parts("cleaneval")
    used = {runs.packed.info[page].id for page in (*parts.train, *parts.check)}
    assert {"dev/32", "dev/47"} < used
    assert "dev/60" not in used  # test/60 is the same page


@pytest.mark.training
def test_what_is_missing_is_trained(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch  # noqa: PLC0415

    html = HTML.replace("<p>It rained", "<button>It rained").replace("<p>Nobody", "</button><p>Nobody")
    pages = [
        make_examples(GoldPage("googletrends2017", f"{split}/{number}", split, html, None, labels=LABELS))[0][0]
        for split in ("train", "dev", "test")
        for number in range(3)
    ]
    BoilernetPacked.of([each for each in pages if isinstance(each, BoilernetExample)], {}, {}).save(work / "pages.npz")
    monkeypatch.setattr("research.boilernet.runs.PAPER", BoilernetRecipe(width=8, epochs=20, rate=0.05))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several threads wait for each other if other processes use the cores
    messages: list[str] = []
    runs = Runs.open(work, messages.append)
    found = runs.by_network(runs.parts("googletrends2017"), 0)
    torch.set_num_threads(threads)
    with np.load(work / "googletrends2017-3-0.npz") as file:
        assert file["scores"].reshape(3, 4)[:, 1].tolist() == [1.0] * 3  # buttons are not read
    assert found.boilerplate == MatchCounts(6, 6, 0)
    assert not [*work.glob("*.pt")]
    begun, middle, end = messages
    assert begun == "googletrends2017, 3 pages, seed 0"
    assert middle.startswith(f"{begun}, epoch 10 of 20: loss ")
    assert end.startswith(f"{begun}, epoch 20 of 20: loss ")


def test_the_tables_have_the_figures_of_the_paper_too(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boilernet, "WORK", work)
    monkeypatch.setattr(boilernet, "FEWER", (4,))
    cross_validated(work)
    first, second, validated, curve = boilernet.tables(print)
    assert [line.name for line in validated.lines] == ["boilernet", "boilernet-small"]
    assert validated.lines[0].ours[2] == pytest.approx(4 / 5)
    assert validated.lines[1].ours[2] == 0.0
    assert "3 training pages, 5 validation pages, 3 test pages" in first.title
    (ours,) = (line for line in second.lines if line.name.startswith("BoilerNet"))
    assert ours.paper[5] == 0.78
    assert ours.ours[2] == pytest.approx(2 / 3)
    assert second.note == (
        "By seed: boilerplate F1 0.667 0.667 0.667 0.667 0.667, mean 0.667; "
        "content F1 0.500 0.500 0.500 0.500 0.500, mean 0.500"
    )
    assert curve.lines[-1].ours[0] == pytest.approx(2 / 3)
    by_name = {line.name: line for line in second.lines}
    assert by_name["boilernet-paper, as shipped"].ours[2] == pytest.approx(
        4 / 5
    )  # the node that the tree lacks is lost
    assert by_name["class weight ignored, mean"].ours[2] == 0.0  # they keep everything
    assert next(line for line in first.lines if line.name.startswith("BoilerPipe")).ours[2] == 0.75
    assert [line.name for line in curve.lines] == ["4 pages, 3 seeds", "6 pages, 5 seeds"]
    assert (work / "learning-curve.png").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    ("corpus", "boilerplate", "content"), [("googletrends2017", 0.89, 0.77), ("cleaneval", 0.81, 0.86)]
)
def test_the_shipped_networks_of_the_paper_are_as_good(
    tmp_path: Path, corpus: str, boilerplate: float, content: float
) -> None:
    runs = Runs.open(tmp_path, lambda _: None)
    found = runs.by_method(runs.parts(corpus), boilernet.SHIPPED[corpus])
    assert found.boilerplate.prf.f1 >= boilerplate
    assert found.content.prf.f1 >= content

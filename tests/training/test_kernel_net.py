"""Training of the kernel with torch: a network learns, its arrays give the same scores, and it extracts."""

import doctest
import json
import random
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk.blocks import cut
from dehusk.errors import InputError, UsageError
from dehusk.evaluation.run import Row
from dehusk.extractor import Extractor
from dehusk.gold.corpora import Corpus, open_corpus, training_pages
from dehusk.methods.kernel import Kernel
from dehusk.methods.kernel.features import PageFeatures, page_features
from dehusk.methods.kernel.network import inputs, run_ensemble
from dehusk.page import Page
from dehusk.training.kernel import load_features, recipe
from dehusk.training.kernel.cross_validation import cross_validate, fold_files, in_fold, leave_out, trainable
from dehusk.training.kernel.packed import TOP, KernelPacked
from dehusk.training.kernel.pipeline import origin_of, write
from dehusk.training.kernel.recipe import KernelRecipe, Shape
from dehusk.training.kernel.tuning import UNTUNED, tuned_on_others
from research.kernel import measured
from tests.helpers.train_command import train

torch = pytest.importorskip("torch")

from dehusk.training.kernel.net.arrays import arrays
from dehusk.training.kernel.net.batches import DeviceExamples, batch
from dehusk.training.kernel.net.fit import fit, fit_all, predict, predict_all

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("one_thread")]

TINY = KernelRecipe(seeds=(0,), shape=Shape(width=16, steps=(1, 2), groups=3), epochs=12, batch=8, warmup=5, rate=0.02)
NOUNS = ("rain", "valley", "river", "town", "council", "bridge", "winter", "road", "farmer", "school", "market")


def sentence(chance: random.Random, length: int) -> str:
    return " ".join(chance.choice(NOUNS) for _ in range(length)).capitalize() + "."


def html_and_gold(number: int) -> tuple[str, str]:
    """A page made of a menu, a story and a footer, and its story."""
    chance = random.Random(number)
    story = [sentence(chance, chance.randint(12, 30)) for _ in range(chance.randint(3, 8))]
    menu = "".join(f"<li><a href=/{noun}>{noun}</a></li>" for noun in chance.sample(NOUNS, 6))
    name = chance.choice(("story", "content", "post"))
    body = "".join(f"<p>{line}</p>" for line in story)
    html = (
        f"<!doctype html><body><div class=nav><ul>{menu}</ul></div><div class={name}>{body}</div>"
        f"<div class=footer><p><a href=/c>Contact</a></p><p>© {1990 + number}</p></div>"
    )
    return html, "\n".join(story)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[Corpus]:
    """Two sets of pages, each of which is a site of its own."""
    folder = tmp_path_factory.mktemp("corpora")
    for name, first in (("one", 0), ("two", 100)):
        rows = []
        for number in range(first, first + 30):
            html, gold = html_and_gold(number)
            rows.append({"id": f"page{number}", "html": html, "gold": gold, "page_type": "article"})
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return [open_corpus(folder / f"{name}.jsonl") for name in ("one", "two")]


@pytest.fixture(scope="module")
def packed(corpora: list[Corpus], tmp_path_factory: pytest.TempPathFactory) -> KernelPacked:
    return load_features(
        tmp_path_factory.mktemp("features") / "features.npz", [str(corpus.path) for corpus in corpora], jobs=2
    )


@pytest.fixture(scope="module")
def trained(packed: KernelPacked) -> Any:
    return fit(DeviceExamples.of(packed, "cpu"), trainable(packed), TINY, seed=1)


def write_untuned(folder: Path, nets: Any, packed: KernelPacked) -> None:
    write(folder, arrays(nets, packed), len(packed.vocabulary), UNTUNED, origin_of(packed, (1,), {"one": 0.5}))


def test_arrays_score_like_torch(packed: KernelPacked, corpora: list[Corpus], trained: Any, tmp_path: Path) -> None:
    write_untuned(tmp_path / "kernel", [trained], packed)
    kernel = Kernel.load(tmp_path / "kernel")
    plain = packed.plain()
    predicted = predict(DeviceExamples.of(packed, "cpu"), trained, plain)
    for gold, number, logits in zip(training_pages(corpora), plain, predicted, strict=True):
        page = Page.from_html(str(gold.html))
        seen = page_features(page, cut(page), kernel.vocabulary)
        # With the numbers that torch was given, only the order of additions may differ.
        coarse = packed.numbers[:, packed.blocks([number])] / TOP * packed.high[:, None]
        same = replace(seen, matrix=np.ascontiguousarray(coarse, np.float32))
        assert np.abs(logits_of(kernel, same) - logits).max() < 1e-4
        # With the page's own numbers, probabilities may differ by the precision of storage.
        exact = logits_of(kernel, seen)
        assert np.abs(1 / (1 + np.exp(-exact)) - 1 / (1 + np.exp(-logits))).max() < 1e-3


def logits_of(kernel: Kernel, seen: PageFeatures) -> NDArray[np.float32]:
    return run_ensemble(kernel.networks, inputs(kernel.networks, seen, len(kernel.vocabulary)))[0]


def test_the_model_says_what_it_was_trained_on(packed: KernelPacked, trained: Any, tmp_path: Path) -> None:
    write_untuned(tmp_path, [trained], packed)
    about = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert [entry["set"] for entry in about["trained_on"]] == ["one", "two"]
    assert sum(entry["pages"] for entry in about["trained_on"]) == len(packed.plain())
    assert about["command"] == "dehusk train kernel --corpus one --corpus two --seed 1"
    assert (about["seeds"], about["figures"]) == ([1], {"one": 0.5})
    assert (tmp_path / "weights.npz").stat().st_size < 1_000_000


def test_the_same_seed_gives_the_same_weights(packed: KernelPacked) -> None:
    store, short = DeviceExamples.of(packed, "cpu"), replace(TINY, epochs=2)
    first, again, other = (fit(store, trainable(packed), short, seed).weights for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["mix0"], other["mix0"])


def test_pages_in_one_batch_do_not_see_each_other(packed: KernelPacked, trained: Any) -> None:
    store, pages = DeviceExamples.of(packed, "cpu"), packed.plain()[:5]
    alone = [predict(store, trained, [page])[0] for page in pages]
    assert all(np.allclose(one, two, atol=1e-5) for one, two in zip(alone, predict(store, trained, pages), strict=True))


def test_the_answer_of_several_networks_is_their_mean(packed: KernelPacked, tmp_path: Path) -> None:
    store = DeviceExamples.of(packed, "cpu")
    nets = fit_all(store, trainable(packed), replace(TINY, epochs=1, seeds=(0, 1)))
    each = [1 / (1 + np.exp(-predict(store, net, [0])[0])) for net in nets]
    assert not np.allclose(each[0], each[1])
    assert np.allclose(1 / (1 + np.exp(-predict_all(store, nets, [0])[0])), np.mean(each, axis=0), atol=1e-5)
    write_untuned(tmp_path, nets, packed)
    assert len(Kernel.load(tmp_path).networks) == 2


def test_nothing_is_hidden_when_predicting(packed: KernelPacked) -> None:
    store = DeviceExamples.of(packed, "cpu")
    first, again, hidden = (batch(store, [0, 1], 2, noise) for noise in (None, None, TINY.noise))
    assert (first.bits == again.bits).all()
    assert (first.numbers == again.numbers).all()
    assert not first.corpus.any()
    assert (first.numbers != hidden.numbers).any()
    assert (hidden.bits <= first.bits).all()
    assert (store.labels[hidden.blocks] == hidden.labels).all()


QUICK = replace(TINY, epochs=4)


def test_every_page_is_predicted_once_by_a_model_that_had_not_seen_it(
    packed: KernelPacked, corpora: list[Corpus], tmp_path: Path
) -> None:
    folds = cross_validate(packed, QUICK, tmp_path)
    names = [name for found in folds.values() for name, _ in found]
    assert sorted(names) == sorted((packed.info[page].corpus, packed.info[page].id) for page in packed.plain())
    for fold in folds:
        sites = {packed.info[page].site for page in in_fold(packed, fold)}
        assert not sites & {packed.info[page].site for page in trainable(packed, in_fold(packed, fold))}
    written = {path: path.stat().st_mtime_ns for path in fold_files(tmp_path).values()}
    cross_validate(packed, QUICK, tmp_path)
    assert written == {path: path.stat().st_mtime_ns for path in written}
    with pytest.raises(InputError, match="by another recipe"):
        cross_validate(packed, TINY, tmp_path)
    tunings = tuned_on_others(packed, folds)
    rows: list[Row] = measured(corpora, [(found, tunings[fold]) for fold, found in folds.items()], jobs=2)
    assert [(row.corpus, row.page) for row in rows] == [(page.corpus, page.id) for page in training_pages(corpora)]
    assert np.mean([row.f1 for row in rows]) > 0.8


def test_a_set_that_is_left_out_is_predicted_by_the_others(packed: KernelPacked, tmp_path: Path) -> None:
    found = leave_out(packed, QUICK, tmp_path)
    assert {name: set(predictions.corpus) for name, predictions in found.items()} == {"one": {"one"}, "two": {"two"}}


def test_the_command_trains_a_kernel_that_extracts(
    corpora: list[Corpus], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "RECIPE", TINY)
    sets = [part for corpus in corpora for part in ("--corpus", str(corpus.path))]
    options = [
        "--features",
        str(tmp_path / "work" / "features.npz"),
        "--output",
        str(tmp_path / "kernel"),
        "--jobs",
        "2",
    ]
    early = train("kernel", "--only", "weights", *sets, *options)
    assert isinstance(early.exception, UsageError)
    assert "run --only folds first" in str(early.exception)
    done = train("kernel", *options)  # without the pages, since the features exist
    assert done.exit_code == 0, done.output
    about = json.loads((tmp_path / "kernel" / "model.json").read_text(encoding="utf-8"))
    assert about["command"] == "dehusk train kernel --corpus one --corpus two --seed 0"
    assert min(about["figures"].values()) > 0.8
    extractor = Extractor(tmp_path / "kernel")
    right = 0
    for number in range(1000, 1020):  # pages that it has not seen
        html, gold = html_and_gold(number)
        right += extractor.extract(html).text == gold
    assert right >= 16
    again = train("kernel", *options)
    assert isinstance(again.exception, UsageError)
    assert "not empty" in str(again.exception)


def test_the_examples_in_docstrings_hold() -> None:
    for name in ("batches", "network", "losses", "fit", "arrays"):
        assert doctest.testmod(import_module(f"dehusk.training.kernel.net.{name}")).failed == 0

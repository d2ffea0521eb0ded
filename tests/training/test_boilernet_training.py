"""Training boilernet: pages become examples and inputs; with torch, networks learn them and say the same as ONNX."""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from dehusk import Extractor, Page
from dehusk.cli import app
from dehusk.errors import InputError
from dehusk.gold.corpora import GoldPage
from dehusk.methods.boilernet import Boilernet
from dehusk.methods.boilernet.features import Vocabulary, boilernet_features, cut
from dehusk.training.boilernet import recipe, tuning
from dehusk.training.boilernet.examples import NO_GOLD, labels_of, made
from dehusk.training.boilernet.inputs import choose, inputs
from dehusk.training.boilernet.packed import Example, Packed
from dehusk.training.makers import NO_BLOCKS, UNALIGNED

NOUNS = ("rain", "valley", "river", "town", "council", "bridge", "winter", "road", "farmer", "school", "market")
TINY = replace(recipe.LARGE, width=16, epochs=30, batch=4, rate=0.02)
TINY_SMALL = replace(TINY, cell="gru", layers=1)


def pages(count: int = 10) -> list[dict[str, str]]:
    """Return pages of as many sites, their text in paragraphs between menus of links, with their gold."""
    made_up = random.Random(1)
    found = []
    for number in range(count):
        lines = [" ".join(["The", *made_up.choices(NOUNS, k=12)]) + "." for _ in range(5)]
        menu = "".join(f"<li><a href=/{word}>{word.title()}</a>" for word in made_up.sample(NOUNS, 5))
        html = f"<ul>{menu}</ul>" + "".join(f"<p>{line}</p>" for line in lines) + f"<div><a href=/>{NOUNS[0]}</a></div>"
        found.append(
            {"id": str(number), "url": f"https://s{number}.example.org/", "html": html, "gold": "\n".join(lines)}
        )
    return found


def example(page: dict[str, str], labels: tuple[tuple[str, int], ...] | None = None) -> Example | str:
    source = GoldPage("mine", page["id"], "all", page["html"], page["gold"], page["url"], labels=labels)
    return made(None, source)[0]


def packed(count: int = 10) -> Packed:
    found = [each for page in pages(count) if isinstance(each := example(page), Example)]
    return Packed.of(found, {"mine": "mine"}, {})


class TestExamples:
    def test_gold_text_labels_leaves(self) -> None:
        found = example(pages(1)[0])
        assert isinstance(found, Example)
        assert found.labels.tolist() == [1] * 5 + [0] * 5 + [1]
        assert found.chains[0] == "html body ul li a"
        assert found.words[5][0] == "the"

    def test_labelled_nodes_label_leaves(self) -> None:
        page = Page.from_html("<p>One two <b>three</b> four<p>five")
        said = labels_of(cut(page), [("One two", 0), ("three four", 0), ("gone", 0), ("five", 1)])
        assert said.labels[[0, 3]].tolist() == [0, 1]
        assert said.nodes.sum() == 3
        assert (said.lost_boilerplate, said.lost_content) == (0, 1)

    @pytest.mark.parametrize(
        ("html", "gold", "reason"),
        [("<p>x", None, NO_GOLD), ("", "x", NO_BLOCKS), ("<p>One two three", "Not of this page at all", UNALIGNED)],
    )
    def test_what_is_no_good_is_told(self, html: str, gold: str | None, reason: str) -> None:
        assert made(None, GoldPage("mine", "1", "all", html, gold)) == (reason,)

    def test_a_page_without_main_text_is_all_boilerplate(self) -> None:
        found = example(pages(1)[0] | {"gold": ""})
        assert isinstance(found, Example)
        assert set(found.labels.tolist()) == {1.0}


class TestInputs:
    def test_a_file_brings_back_what_was_packed(self, tmp_path: Path) -> None:
        whole = packed(3)
        whole.save(tmp_path / "features.npz")
        read = Packed.load(tmp_path / "features.npz")
        assert (read.about, read.words, read.chains) == (whole.about, whole.words, whole.chains)
        np.testing.assert_array_equal(read.word, whole.word)
        (tmp_path / "features.npz").write_bytes(b"no zip")
        with pytest.raises(InputError, match="does not hold boilernet's examples"):
            Packed.load(tmp_path / "features.npz")

    def test_nothing_to_train_on_is_told(self) -> None:
        with pytest.raises(InputError, match=r"no page can be trained on \(3: no text on the page\);"):
            Packed.of([], {}, {NO_BLOCKS: 3})

    def test_words_are_those_of_the_training_pages_alone(self) -> None:
        whole = packed(2)
        _, words = choose(whole, [0])
        first = Page.from_html(pages(1)[0]["html"]).text.lower()
        assert set(words) - {"."} <= set(first.replace(".", " ").split())

    def test_training_and_use_count_alike(self) -> None:
        whole = packed(3)
        tags, words = choose(whole, [0])
        data, vocabulary = inputs(whole, tags[:4], words[:5]), Vocabulary.of(tags[:4], words[:5])
        for number, page in enumerate(pages(3)):
            found = boilernet_features(cut(Page.from_html(page["html"])), vocabulary)
            ours = np.zeros((found.leaves, data.width), np.float32)
            ours[found.rows, found.columns] = found.values
            theirs = np.zeros_like(ours)
            for row in range(found.leaves):
                entries = slice(*data.entries[data.start[number] + row :][:2])
                theirs[row, data.column[entries]] = data.value[entries]
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)

    def test_counts_may_stay_as_they_are(self) -> None:
        whole = packed(2)
        vocabulary = choose(whole, [0])
        counts, logs = inputs(whole, *vocabulary, "counts"), inputs(whole, *vocabulary)
        np.testing.assert_allclose(np.log1p(counts.value), logs.value, rtol=1e-6)
        assert counts.value.max() > 1
        assert set(counts.value.tolist()) <= set(range(100))

    def test_leaves_may_be_left_out(self) -> None:
        whole = packed(3)
        lists = np.array(["li" in tags.split() for tags in whole.chains])[whole.chain]
        part = whole.only(~lists)
        assert part.size.tolist() == [6, 6, 6]  # of eleven, five stand in lists
        assert part.start[-1] == len(part.chain) == len(part.labels)
        assert part.distinct.sum() == len(part.word) == len(part.count)
        tags, words = choose(whole, [0])
        all_leaves, some = inputs(whole, tags, words), inputs(part, tags, words)
        np.testing.assert_array_equal(some.value, all_leaves.value[np.repeat(~lists, np.diff(all_leaves.entries))])
        assert whole.only(np.zeros(len(lists), np.bool_)).size.tolist() == [0, 0, 0]


class TestTuning:
    def test_no_site_is_trained_and_checked_on(self) -> None:
        assert len(tuning.check_pages(packed(10))) == 1
        assert tuning.check_pages(packed(10)) == tuning.check_pages(packed(10))

    @pytest.mark.parametrize("large", ["a.example.org", "b.example.org", "c.example.org"])
    def test_there_is_always_a_site_to_train_on(self, large: str) -> None:
        whole = packed(20)
        sites = ["s.example.org", *[large] * 19]
        about = tuple(replace(each, site=site) for each, site in zip(whole.about, sites, strict=True))
        assert 0 < len(tuning.check_pages(replace(whole, about=about))) < 20

    def test_the_threshold_parts_the_leaves(self) -> None:
        whole = packed(4)
        said = np.where(whole.labels > 0.5, 0.4, 0.2).astype(np.float32)
        assert 0.2 < tuning.best_threshold(whole, range(4), said) <= 0.4
        assert tuning.figures_by_set(whole, range(4), said < 0.3) == {"mine": 1.0}


@pytest.mark.parametrize("shipped", [recipe.LARGE, recipe.SMALL])
def test_the_shipped_networks_are_the_best_of_all_epochs(shipped: recipe.Recipe) -> None:
    assert shipped.chosen_from >= shipped.epochs
    assert not shipped.averaged
    assert recipe.PAPER.chosen_from < recipe.PAPER.epochs


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Let torch run on one core: threads that wait for each other take minutes where others want the cores, too."""
    import torch  # noqa: PLC0415

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.training
@pytest.mark.usefixtures("one_thread")
def test_ten_pages_are_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "LARGE", TINY)
    monkeypatch.setattr(recipe, "SMALL", TINY_SMALL)
    data = tmp_path / "mine.jsonl"
    data.write_text("\n".join(map(json.dumps, pages())), encoding="utf-8")
    output, work = tmp_path / "out", tmp_path / "work"
    command = ["train", "boilernet", "--data", str(data), "--output", str(output), "--work", str(work), "--jobs", "1"]
    with monkeypatch.context() as broken:
        broken.setattr("dehusk.training.boilernet.net.trained.Ground.distilled", lambda *_: sys.exit(9))
        begun = CliRunner().invoke(app, command)
    assert begun.exit_code == 9
    assert "large, epoch 30 of 30" in begun.output
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "large, epoch" not in done.output
    assert "small, epoch 30 of 30" in done.output
    for name in ("boilernet", "boilernet-small"):
        method = Boilernet.load(output / name)
        right = [Extractor(method).extract(page["html"]).text == page["gold"] for page in pages()]
        assert sum(right) >= 9
    again = CliRunner().invoke(app, command)
    assert again.exit_code != 0
    assert "not empty" in str(again.exception)


@pytest.mark.training
@pytest.mark.usefixtures("one_thread")
class TestNet:
    def test_onnx_says_what_torch_says(self, tmp_path: Path) -> None:
        from dehusk.methods.boilernet.onnx import Network  # noqa: PLC0415
        from dehusk.training.boilernet.net.onnx import write_eight_bits, write_onnx  # noqa: PLC0415
        from dehusk.training.boilernet.net.trained import Ground  # noqa: PLC0415

        ground = Ground.of(packed())
        net = ground.fitted(replace(TINY, epochs=3), 0, lambda *_: None, tmp_path / "kept.pt")
        write_onnx(net, tmp_path / "whole.onnx")
        write_eight_bits(ground.narrowed(net), tmp_path / "eight.onnx")
        found = boilernet_features(cut(Page.from_html(pages()[4]["html"])), Vocabulary.of(ground.tags, ground.words))
        entries = found.rows, found.columns, found.values, found.leaves
        torch_says = ground.said(net, [4])
        np.testing.assert_allclose(Network.load(tmp_path / "whole.onnx").run(*entries), torch_says, atol=1e-5)
        np.testing.assert_allclose(Network.load(tmp_path / "eight.onnx").run(*entries), torch_says, atol=0.15)

    def test_less_between_the_layers_says_about_the_same(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import torch  # noqa: PLC0415

        from dehusk.training.boilernet.net import narrow  # noqa: PLC0415
        from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415
        from dehusk.training.boilernet.net.trained import Ground  # noqa: PLC0415

        ground = Ground.of(packed())
        net = ground.fitted(replace(TINY, epochs=3), 0, lambda *_: None, tmp_path / "kept.pt")
        says = ground.said(net, [4])
        rows = Store.of(ground.data, "cpu").batch([(int(ground.data.start[4]), int(ground.data.start[5]))]).rows
        for passed, differ in ((32, 1e-5), (6, 0.05)):
            monkeypatch.setattr(narrow, "PASSED", passed)
            made_narrow = ground.narrowed(net)
            assert made_narrow.second.input_size == passed
            with torch.no_grad():
                np.testing.assert_allclose(made_narrow(net.dense(rows)).numpy(), says, atol=differ)

    @pytest.mark.parametrize("short", [replace(TINY, epochs=5), replace(recipe.PAPER, width=16, epochs=5, batch=4)])
    def test_a_run_that_broke_off_goes_on(self, tmp_path: Path, short: recipe.Recipe) -> None:
        from dehusk.training.boilernet.net.trained import Ground  # noqa: PLC0415

        class StoppedError(Exception):
            pass

        def stop(epoch: int, loss: float, figure: float) -> None:
            if epoch == 3:
                raise StoppedError

        ground = Ground.of(packed())
        whole = ground.fitted(short, 0, lambda *_: None, tmp_path / "whole.pt")
        with pytest.raises(StoppedError):
            ground.fitted(short, 0, stop, tmp_path / "parts.pt")
        parts = ground.fitted(short, 0, lambda *_: None, tmp_path / "parts.pt")
        np.testing.assert_array_equal(ground.said(whole, [0, 1]), ground.said(parts, [0, 1]))
        with pytest.raises(InputError, match="other pages, with another seed or by another recipe"):
            ground.fitted(short, 1, lambda *_: None, tmp_path / "parts.pt")
        (tmp_path / "parts.pt").write_bytes(b"no network")
        with pytest.raises(InputError, match="does not hold a network"):
            ground.fitted(short, 0, lambda *_: None, tmp_path / "parts.pt")

    @pytest.mark.parametrize(("chosen_from", "best"), [(2, 3), (4, 1), (50, 1)])
    def test_the_best_is_one_of_the_epochs_to_choose_from(self, tmp_path: Path, chosen_from: int, best: int) -> None:
        from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415
        from dehusk.training.boilernet.net.fit import Task, fit, scores  # noqa: PLC0415

        said: list[NDArray[np.float32]] = []

        def judge(found: NDArray[np.float32]) -> float:
            said.append(found)
            return 1 / len(said)  # each epoch is worse than the one before

        whole = packed(3)
        data = inputs(whole, *choose(whole, [0, 1]))
        task = Task(data, data.labels, [0, 1], [2], judge)
        short = replace(TINY, epochs=4, chosen_from=chosen_from)
        net = fit(task, short, 0, lambda *_: None, tmp_path / "kept.pt")
        np.testing.assert_array_equal(scores(net, Store.of(data), data, [2]), said[best - 1])
        assert not any(np.array_equal(one, other) for one, other in pairwise(said))

    def test_weights_may_be_averaged_over_steps(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from dehusk.training.boilernet.net import fit  # noqa: PLC0415

        steps: list[NDArray[np.float32]] = []
        finish = fit._State.finish

        def noted(state: fit._State, figure: float) -> None:
            steps.append(state.net.dense.weight.detach().numpy().copy())
            finish(state, figure)

        monkeypatch.setattr(fit._State, "finish", noted)
        whole = packed(3)
        data = inputs(whole, *choose(whole, [0, 1]))
        task = fit.Task(data, data.labels, [0, 1], [2], lambda _: 0.0)
        for averaged, shares in ((0.0, (0, 0, 1)), (0.75, (0.75**2, 0.75 * 0.25, 0.25))):
            steps.clear()
            short = replace(TINY, epochs=3, averaged=averaged)  # both pages are one batch, so that a step is an epoch
            net = fit.fit(task, short, 0, lambda *_: None, tmp_path / f"{averaged}.pt")
            wanted = sum(share * step for share, step in zip(shares, steps, strict=True))
            np.testing.assert_allclose(net.dense.weight.detach().numpy(), wanted, atol=1e-6)

    def test_too_little_to_train_on_is_told(self) -> None:
        from dehusk.training.boilernet.net.trained import Ground  # noqa: PLC0415

        with pytest.raises(InputError, match="one page is too little"):
            Ground.of(packed(1))
        whole = packed(3)
        for label in (0, 1, np.nan):
            with pytest.raises(InputError, match="text nodes of both kinds"):
                Ground.of(replace(whole, labels=np.full_like(whole.labels, label)))

    def test_batches_are_even_and_drawn_anew(self) -> None:
        from dehusk.training.boilernet.net.batches import Store, parted, pieces_of  # noqa: PLC0415

        whole, random = packed(10), np.random.default_rng(0)
        data = inputs(whole, *choose(whole, [0]))
        pieces = pieces_of(data, range(10), 6)  # pages of eleven leaves are learnt in two pieces
        assert len(pieces) == 20
        first, second = parted(pieces, 8, random), parted(pieces, 8, random)
        assert [len(batch) for batch in first] == [7, 7, 6]
        assert sorted(chain.from_iterable(first)) == sorted(chain.from_iterable(second)) == pieces
        assert {frozenset(batch) for batch in first} != {frozenset(batch) for batch in second}
        batch = Store.of(data, "cpu").batch([(0, 3), (3, 30)])
        assert (len(batch.leaves), batch.places) == (30, 54)

    @pytest.mark.parametrize("batches", ["even", "alike"])
    def test_every_epoch_has_batches_of_its_own(
        self, batches: Literal["even", "alike"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from dehusk.training.boilernet.net import fit  # noqa: PLC0415

        seen: list[set[frozenset[tuple[int, int]]]] = []
        learnt = fit._epoch

        def noted(*told: Any) -> float:
            seen.append({frozenset(batch) for batch in told[3]})
            return learnt(*told)

        monkeypatch.setattr(fit, "_epoch", noted)
        whole = packed(6)
        data = inputs(whole, *choose(whole, range(5)))
        task = fit.Task(data, data.labels, range(5), [5], lambda _: 0.0)
        fit.fit(task, replace(TINY, batch=2, epochs=3, batches=batches), 0, lambda *_: None, tmp_path / "kept.pt")
        assert [len(each) for each in seen] == [3, 3, 3]
        assert seen[0] != seen[1] or seen[1] != seen[2]

    def test_what_fills_up_short_pages_is_never_read(self) -> None:
        from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415
        from dehusk.training.boilernet.net.network import Net  # noqa: PLC0415

        whole = packed(3)
        data = inputs(whole, *choose(whole, [0]))
        store, net = Store.of(data, "cpu"), Net(data.width, TINY).eval()
        together = net.logits(store.batch([(0, 3), (3, 30)])).detach().numpy()
        alone = net.logits(store.batch([(0, 3)])).detach().numpy()
        np.testing.assert_allclose(together[:3], alone, atol=1e-6)

    @pytest.mark.parametrize("tiny", [TINY, TINY_SMALL])
    @pytest.mark.parametrize("steps", [1, 4, 100])
    def test_a_few_steps_at_a_time_give_what_all_at_once_do(
        self, tiny: recipe.Recipe, steps: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import torch  # noqa: PLC0415

        from dehusk.training.boilernet.net import stretches  # noqa: PLC0415
        from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415
        from dehusk.training.boilernet.net.network import Net  # noqa: PLC0415

        monkeypatch.setattr(stretches, "STEPS", steps)
        whole = packed(3)
        data = inputs(whole, *choose(whole, [0]))
        torch.manual_seed(0)
        net = Net(data.width, tiny)
        batch = Store.of(data, "cpu").batch([(0, 3), (3, 12), (12, 13), (13, 33)])
        found = []
        for stretched in (False, True):
            net.zero_grad()
            dense = net.dense(batch.rows)
            said = stretches.read(net.recurrent, dense, batch.lengths) if stretched else net.packed(dense, batch)
            said.square().sum().backward()
            found.append([said.detach(), *(weight.grad for weight in net.parameters() if weight.grad is not None)])
        assert len(found[0]) > 6
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)

    @pytest.mark.parametrize("tiny", [TINY, TINY_SMALL])
    def test_a_gate_of_an_lstm_has_one_bias(self, tmp_path: Path, tiny: recipe.Recipe) -> None:
        from dehusk.training.boilernet.net.network import Net  # noqa: PLC0415
        from dehusk.training.boilernet.net.trained import Ground  # noqa: PLC0415

        ground = Ground.of(packed())
        begun = Net(ground.data.width, tiny).state_dict()
        learnt = ground.fitted(replace(tiny, epochs=2), 0, lambda *_: None, tmp_path / "kept.pt").state_dict()
        moved = {name for name in begun if "bias" in name and not begun[name].equal(learnt[name])}
        assert {"recurrent.bias_ih_l0", "recurrent.bias_ih_l0_reverse"} <= moved
        # A GRU has two of them in Keras, too.
        assert any("bias_hh" in name for name in moved) == (tiny.cell == "gru")
        forgets = begun["recurrent.bias_ih_l0"].tolist()[16:32]
        assert set(forgets) == ({1.0} if tiny.cell == "lstm" else {0.0})

    def test_all_is_multiplied_in_32_bits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import torch  # noqa: PLC0415

        from dehusk.training.boilernet.net.batches import Store  # noqa: PLC0415

        monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
        torch.set_float32_matmul_precision("high")  # as the kernel's training does
        whole = packed(3)
        Store.of(inputs(whole, *choose(whole, [0])), "cpu")
        assert not torch.backends.cudnn.allow_tf32
        assert not torch.backends.cuda.matmul.allow_tf32

"""Training of boilernet with torch: networks learn, and their files give the same scores."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Extractor, Page
from dehusk.errors import InputError
from dehusk.methods.boilernet import Boilernet, Reading
from dehusk.methods.boilernet.features import BoilernetVocabulary, boilernet_features, cut
from dehusk.training.boilernet import recipe
from dehusk.training.boilernet.inputs import Inputs, choose_vocabulary, inputs
from dehusk.training.boilernet.paper import UNREAD, split_of_folder
from tests.helpers.boilernet import TINY, TINY_SMALL, packed, pages
from tests.helpers.train_command import train

torch = pytest.importorskip("torch")

from dehusk.methods.boilernet.onnx import OnnxNetwork
from dehusk.training.boilernet.net import chunked_rnn, fit, narrow
from dehusk.training.boilernet.net.batches import DeviceInputs, even_batches, pieces_of
from dehusk.training.boilernet.net.network import LeafNet
from dehusk.training.boilernet.net.onnx import write_eight_bit_weights, write_eight_bits, write_onnx
from dehusk.training.boilernet.net.trainer import Trainer

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("one_thread")]


def data_of(count: int, train: Sequence[int]) -> Inputs:
    whole = packed(count)
    return inputs(whole, *choose_vocabulary(whole, train))


def test_ten_pages_are_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "LARGE", TINY)
    monkeypatch.setattr(recipe, "SMALL", TINY_SMALL)
    data = tmp_path / "mine.jsonl"
    data.write_text("\n".join(map(json.dumps, pages())), encoding="utf-8")
    output, work = tmp_path / "out", tmp_path / "work"
    command = ["boilernet", "--data", str(data), "--output", str(output), "--work", str(work), "--jobs", "1"]
    with monkeypatch.context() as broken:
        broken.setattr("dehusk.training.boilernet.net.trainer.Trainer.distil", lambda *_: sys.exit(9))
        begun = train(*command)
    assert begun.exit_code == 9
    assert "large, epoch 30 of 30" in begun.output
    done = train(*command)
    assert done.exit_code == 0, done.output
    assert "large, epoch" not in done.output
    assert "small, epoch 30 of 30" in done.output
    for name in ("boilernet", "boilernet-small"):
        right = [Extractor(output / name).extract(page["html"]).text == page["gold"] for page in pages()]
        assert sum(right) >= 9
    again = train(*command)
    assert again.exit_code != 0
    assert "not empty" in str(again.exception)


class TestPaper:
    def test_a_network_of_the_papers_recipe_is_trained_and_read(self, tmp_path: Path) -> None:
        data, split = tmp_path / "mine.jsonl", tmp_path / "split"
        data.write_text("\n".join(map(json.dumps, pages())), encoding="utf-8")
        split.mkdir()
        (split / "train_set.txt").write_text("\n".join(str(number) for number in range(7)), encoding="utf-8")
        (split / "dev_set.txt").write_text("7.html\n8.html\n", encoding="utf-8")
        output = tmp_path / "out"
        sizes = ["--layers", "1", "--units", "24", "--dropout", "0.2", "--epochs", "150", "--tags", "6", "--words", "9"]
        command = ["boilernet", "--paper", "--data", str(data), "--split", str(split), *sizes]
        done = train(*command, "--output", str(output), "--work", str(tmp_path / "work"), "--jobs", "1")
        assert done.exit_code == 0, done.output
        assert "7 training pages, 2 validation pages" in done.output
        about = json.loads((output / "model.json").read_text(encoding="utf-8"))
        assert (len(about["tags"]), len(about["words"]), about["recipe"]["layers"]) == (6, 9, 1)
        assert about["command"].startswith("dehusk train boilernet --paper --layers 1 --units 24 --dropout 0.2")
        assert about["trained_on"] == [{"set": "mine", "pages": 9, "licence": "the user's own"}]
        method = Boilernet.load(output)
        assert method.reading == Reading(logs=False, unread=UNREAD, window=8192)
        unseen = pages()[9]  # in neither file
        assert Extractor(method).extract(unseen["html"]).text == unseen["gold"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--layers", "3", "--data", "x.jsonl"], "--layers is for one network by the paper's recipe; add --paper"),
            (["--paper"], "--paper trains on one set; name it with --data"),
        ],
    )
    def test_options_that_do_not_fit_are_an_error(self, options: list[str], message: str) -> None:
        ended = train("boilernet", *options)
        assert message in str(ended.exception)

    @pytest.mark.parametrize(
        ("train_set", "dev_set", "message"),
        [
            ("0 1", "77", "names '77'"),
            ("0 1", "1", "both a training and a validation page"),
            ("0", None, "cannot be read"),
        ],
    )
    def test_a_split_that_does_not_fit_is_an_error(
        self, tmp_path: Path, train_set: str, dev_set: str | None, message: str
    ) -> None:
        (tmp_path / "train_set.txt").write_text(train_set, encoding="utf-8")
        if dev_set is not None:
            (tmp_path / "dev_set.txt").write_text(dev_set, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            split_of_folder(packed(3), tmp_path)

    def test_scores_are_those_of_the_papers_formulas(self, tmp_path: Path) -> None:
        """Three text nodes, one of them in a button; tags p and b, words "sea" and "the": all can be counted by eye."""
        torch.manual_seed(3)
        net = LeafNet(6, replace(recipe.PAPER, layers=1, width=2)).eval()
        for name, weight in net.named_parameters():
            if "weight" in name:  # what 8 bits hold exactly: multiples of a 127th of the largest
                weight.data = torch.round(weight.data * 32).clamp(-126, 126) / 127
                weight.data.view(len(weight), -1)[:, 0] = 1.0
        about = {"format": 1, "name": "tiny", "threshold": 0.5, "logs": False, "unread": ["button"], "window": 8192}
        (tmp_path / "model.json").write_text(json.dumps(about | {"tags": ["b", "p"], "words": ["sea", "the"]}))
        write_eight_bit_weights(net, tmp_path / "network.onnx")
        method = Boilernet.load(tmp_path)
        page = Page.from_html("<p>The sea, the <button>sea</button><b>sea</b>")
        found = method.score(page, method.segment(page)).values
        # Columns: other tags (html, body), b, p, other words (the comma), sea, the.
        rows = np.array([[2, 0, 1, 1, 1, 2], [2, 1, 1, 0, 1, 0]], np.float64)
        np.testing.assert_allclose(found, [*by_hand(net, rows)[:1], 1.0, *by_hand(net, rows)[1:]], atol=1e-6)

    def test_without_class_weights_all_text_nodes_count_the_same(self) -> None:
        data = data_of(3, [0, 1])
        task = fit.FitTask(data, data.labels, [0, 1], [2], lambda _: 0.0)
        weights = fit._weights(task, replace(recipe.PAPER, balanced=False))
        assert set(weights[:, : data.start[2]].ravel().tolist()) == {1.0}
        assert set(weights[:, data.start[2] :].ravel().tolist()) == {0.0}
        assert len(set(fit._weights(task, recipe.PAPER)[:, 0].tolist())) == 2


def by_hand(net: LeafNet, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores of rows by the formulas of a dense layer and an LSTM that reads them in both directions."""
    weights = {name: value.detach().numpy().astype(np.float64) for name, value in net.state_dict().items()}
    dense = np.maximum(rows @ weights["dense.weight"].T + weights["dense.bias"], 0)
    sides = []
    for end, order in (("l0", (0, 1)), ("l0_reverse", (1, 0))):
        states, hidden, cell = np.zeros((2, 2)), np.zeros(2), np.zeros(2)
        for place in order:
            gates = weights[f"recurrent.weight_ih_{end}"] @ dense[place] + weights[f"recurrent.bias_ih_{end}"]
            gates = gates + weights[f"recurrent.weight_hh_{end}"] @ hidden + weights[f"recurrent.bias_hh_{end}"]
            enter, forget, new, leave = gates.reshape(4, 2)
            cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
            hidden = sigmoid(leave) * np.tanh(cell)
            states[place] = hidden
        sides.append(states)
    found: NDArray[np.float64] = sigmoid(np.hstack(sides) @ weights["out.weight"][0] + weights["out.bias"])
    return found


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 1 / (1 + np.exp(-values))
    return found


class TestNet:
    def test_onnx_gives_the_scores_of_torch(self, tmp_path: Path) -> None:
        trainer = Trainer.of(packed())
        net = trainer.fit(replace(TINY, epochs=3), 0, lambda *_: None, tmp_path / "checkpoint.pt")
        write_onnx(net, tmp_path / "whole.onnx")
        write_eight_bits(trainer.narrow(net), tmp_path / "eight.onnx")
        found = boilernet_features(
            cut(Page.from_html(pages()[4]["html"])), BoilernetVocabulary.of(trainer.tags, trainer.words)
        )
        entries = found.rows, found.columns, found.values, found.leaves
        torch_scores = trainer.scores(net, [4])
        np.testing.assert_allclose(OnnxNetwork.load(tmp_path / "whole.onnx").run(*entries), torch_scores, atol=1e-5)
        np.testing.assert_allclose(OnnxNetwork.load(tmp_path / "eight.onnx").run(*entries), torch_scores, atol=0.15)

    def test_a_narrow_network_gives_similar_scores(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        trainer = Trainer.of(packed())
        net = trainer.fit(replace(TINY, epochs=3), 0, lambda *_: None, tmp_path / "checkpoint.pt")
        scores = trainer.scores(net, [4])
        rows = (
            DeviceInputs.of(trainer.data, "cpu").batch([(int(trainer.data.start[4]), int(trainer.data.start[5]))]).rows
        )
        for passed, differ in ((32, 1e-5), (6, 0.05)):
            monkeypatch.setattr(narrow, "PASSED", passed)
            made_narrow = trainer.narrow(net)
            assert made_narrow.second.input_size == passed
            with torch.no_grad():
                np.testing.assert_allclose(made_narrow(net.dense(rows)).numpy(), scores, atol=differ)

    @pytest.mark.parametrize("short", [replace(TINY, epochs=5), replace(recipe.PAPER, width=16, epochs=5, batch=4)])
    def test_an_interrupted_training_continues(self, tmp_path: Path, short: recipe.BoilernetRecipe) -> None:
        class StoppedError(Exception):
            pass

        def stop(epoch: int, loss: float, figure: float) -> None:
            if epoch == 3:
                raise StoppedError

        trainer = Trainer.of(packed())
        whole = trainer.fit(short, 0, lambda *_: None, tmp_path / "whole.pt")
        with pytest.raises(StoppedError):
            trainer.fit(short, 0, stop, tmp_path / "parts.pt")
        parts = trainer.fit(short, 0, lambda *_: None, tmp_path / "parts.pt")
        np.testing.assert_array_equal(trainer.scores(whole, [0, 1]), trainer.scores(parts, [0, 1]))
        with pytest.raises(InputError, match="other pages, with another seed or by another recipe"):
            trainer.fit(short, 1, lambda *_: None, tmp_path / "parts.pt")
        (tmp_path / "parts.pt").write_bytes(b"no network")
        with pytest.raises(InputError, match="does not contain a network"):
            trainer.fit(short, 0, lambda *_: None, tmp_path / "parts.pt")

    @pytest.mark.parametrize(("chosen_from", "best"), [(2, 3), (4, 1), (50, 1)])
    def test_the_best_is_one_of_the_epochs_to_choose_from(self, tmp_path: Path, chosen_from: int, best: int) -> None:
        scored: list[NDArray[np.float32]] = []

        def judge(found: NDArray[np.float32]) -> float:
            scored.append(found)
            return 1 / len(scored)  # each epoch is worse than the one before

        data = data_of(3, [0, 1])
        task = fit.FitTask(data, data.labels, [0, 1], [2], judge)
        short = replace(TINY, epochs=4, chosen_from=chosen_from)
        net = fit.fit(task, short, 0, lambda *_: None, tmp_path / "checkpoint.pt")
        np.testing.assert_array_equal(fit.scores(net, DeviceInputs.of(data), data, [2]), scored[best - 1])
        assert not any(np.array_equal(one, other) for one, other in pairwise(scored))

    def test_weights_may_be_averaged_over_steps(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        steps: list[NDArray[np.float32]] = []
        finish = fit._FitState.finish

        def noted(state: fit._FitState, figure: float) -> None:
            steps.append(state.net.dense.weight.detach().numpy().copy())
            finish(state, figure)

        monkeypatch.setattr(fit._FitState, "finish", noted)
        data = data_of(3, [0, 1])
        task = fit.FitTask(data, data.labels, [0, 1], [2], lambda _: 0.0)
        for averaged, shares in ((0.0, (0, 0, 1)), (0.75, (0.75**2, 0.75 * 0.25, 0.25))):
            steps.clear()
            short = replace(TINY, epochs=3, averaged=averaged)  # both pages are one batch, so that a step is an epoch
            net = fit.fit(task, short, 0, lambda *_: None, tmp_path / f"{averaged}.pt")
            wanted = sum(share * step for share, step in zip(shares, steps, strict=True))
            np.testing.assert_allclose(net.dense.weight.detach().numpy(), wanted, atol=1e-6)

    def test_too_little_to_train_on_is_an_error(self) -> None:
        with pytest.raises(InputError, match="one page is not enough"):
            Trainer.of(packed(1))
        whole = packed(3)
        for label in (0, 1, np.nan):
            with pytest.raises(InputError, match="text nodes of both kinds"):
                Trainer.of(replace(whole, labels=np.full_like(whole.labels, label)))

    def test_batches_are_even_and_different_each_time(self) -> None:
        data, random = data_of(10, [0]), np.random.default_rng(0)
        pieces = pieces_of(data, range(10), 6)  # pages of eleven leaves are split in two
        assert len(pieces) == 20
        first, second = even_batches(pieces, 8, random), even_batches(pieces, 8, random)
        assert [len(batch) for batch in first] == [7, 7, 6]
        assert sorted(chain.from_iterable(first)) == sorted(chain.from_iterable(second)) == pieces
        assert {frozenset(batch) for batch in first} != {frozenset(batch) for batch in second}
        batch = DeviceInputs.of(data, "cpu").batch([(0, 3), (3, 30)])
        assert (len(batch.leaves), batch.padded_size) == (30, 54)

    @pytest.mark.parametrize("batches", ["even", "alike"])
    def test_every_epoch_has_batches_of_its_own(
        self, batches: Literal["even", "alike"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[set[frozenset[tuple[int, int]]]] = []
        learnt = fit._epoch

        def noted(*given: Any) -> float:
            seen.append({frozenset(batch) for batch in given[3]})
            return learnt(*given)

        monkeypatch.setattr(fit, "_epoch", noted)
        data = data_of(6, range(5))
        task = fit.FitTask(data, data.labels, range(5), [5], lambda _: 0.0)
        fit.fit(task, replace(TINY, batch=2, epochs=3, batches=batches), 0, lambda *_: None, tmp_path / "checkpoint.pt")
        assert [len(each) for each in seen] == [3, 3, 3]
        assert seen[0] != seen[1] or seen[1] != seen[2]

    def test_padding_is_never_read(self) -> None:
        data = data_of(3, [0])
        store, net = DeviceInputs.of(data, "cpu"), LeafNet(data.width, TINY).eval()
        together = net.logits(store.batch([(0, 3), (3, 30)])).detach().numpy()
        alone = net.logits(store.batch([(0, 3)])).detach().numpy()
        np.testing.assert_allclose(together[:3], alone, atol=1e-6)

    @pytest.mark.parametrize("tiny", [TINY, TINY_SMALL])
    @pytest.mark.parametrize("steps", [1, 4, 100])
    def test_a_few_steps_at_a_time_give_the_same_as_all_at_once(
        self, tiny: recipe.BoilernetRecipe, steps: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(chunked_rnn, "STEPS", steps)
        data = data_of(3, [0])
        torch.manual_seed(0)
        net = LeafNet(data.width, tiny)
        batch = DeviceInputs.of(data, "cpu").batch([(0, 3), (3, 12), (12, 13), (13, 33)])
        found = []
        for chunked in (False, True):
            net.zero_grad()
            dense = net.dense(batch.rows)
            run = chunked_rnn.run_chunked
            states = run(net.recurrent, dense, batch.lengths) if chunked else net.run_packed(dense, batch)
            states.square().sum().backward()
            found.append([states.detach(), *(weight.grad for weight in net.parameters() if weight.grad is not None)])
        assert len(found[0]) > 6
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)

    @pytest.mark.parametrize("tiny", [TINY, TINY_SMALL])
    def test_a_gate_of_an_lstm_has_one_bias(self, tmp_path: Path, tiny: recipe.BoilernetRecipe) -> None:
        trainer = Trainer.of(packed())
        begun = LeafNet(trainer.data.width, tiny).state_dict()
        learnt = trainer.fit(replace(tiny, epochs=2), 0, lambda *_: None, tmp_path / "checkpoint.pt").state_dict()
        moved = {name for name in begun if "bias" in name and not begun[name].equal(learnt[name])}
        assert {"recurrent.bias_ih_l0", "recurrent.bias_ih_l0_reverse"} <= moved
        # A GRU has two of them in Keras, too.
        assert any("bias_hh" in name for name in moved) == (tiny.cell == "gru")
        forgets = begun["recurrent.bias_ih_l0"].tolist()[16:32]
        assert set(forgets) == ({1.0} if tiny.cell == "lstm" else {0.0})

    def test_all_is_multiplied_in_32_bits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
        torch.set_float32_matmul_precision("high")  # as the kernel's training does
        DeviceInputs.of(data_of(3, [0]), "cpu")
        assert not torch.backends.cudnn.allow_tf32
        assert not torch.backends.cuda.matmul.allow_tf32

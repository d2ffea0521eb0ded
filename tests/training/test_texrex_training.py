"""Training of texrex: RPROP, vectors, examples of pages, and the command."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from dehusk import Extractor
from dehusk.errors import InputError, UsageError
from dehusk.gold.pages import GoldPage
from dehusk.methods.texrex import Texrex
from dehusk.methods.texrex.fann import read_data, read_net
from dehusk.methods.texrex.features import NAMES
from dehusk.training.figures import FOLDS, fold_of, folds_by_site
from dehusk.training.texrex import page_folds, pages, vectors
from dehusk.training.texrex.examples import TexrexPacked, make_examples, pack
from dehusk.training.texrex.rprop import TexrexRecipe, fit
from dehusk.training.texrex.vectors import Vectors, groups, language_in, read_all
from tests.helpers import train_command
from tests.helpers.train_command import message

STORY = "The first frost came in the night of the ninth, and the dahlias, which stood until then, were black by noon."
train = partial(train_command.train, "texrex")
SMALL = TexrexRecipe(epochs=40)


def problem(rows: int = 300, inputs: int = 37, seed: int = 0) -> tuple[Vectors, np.ndarray]:
    """Return vectors whose label depends on the first two columns together."""
    numbers = np.random.default_rng(seed).random((rows, inputs)).astype(np.float32)
    return Vectors(numbers, ((numbers[:, 0] > 0.5) != (numbers[:, 1] > 0.5)).astype(np.float32)), numbers


def dat(folder: Path, language: str, given: Vectors) -> Path:
    path = folder / f"mine.{language}.dat"
    rows = "".join(
        " ".join(f"{value:.6f}" for value in row) + f"\n{target:.0f}\n"
        for row, target in zip(given.inputs, given.targets, strict=True)
    )
    path.write_text(f"{len(given)} {given.inputs.shape[1]} 1\n{rows}")
    return path


def gold(number: int, html: str = "", text: str = STORY) -> GoldPage:
    html = html or f"<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>{STORY}</p>" + "<p>Menu</p>" * number
    return GoldPage("mine", str(number), "all", html, text, url=f"http://www.site{number}.example/")


class TestRprop:
    @pytest.mark.parametrize("activation", ["sigmoid symmetric", "gaussian symmetric"])
    def test_it_learns_what_no_line_can_separate(self, activation: str) -> None:
        given, inputs = problem(1000, 2)
        weights = np.ones((1, len(given)), np.float32)
        net = fit(inputs, given.targets, weights, TexrexRecipe(activation, epochs=300))[0]
        # A line would get half of them right.
        assert ((net.run(inputs.T) > 0.5) == given.targets).mean() > 0.94

    def test_nets_side_by_side_learn_as_each_would_alone(self) -> None:
        given, inputs = problem()
        weights = (np.random.default_rng(1).random((3, len(given))) < 0.7).astype(np.float32)
        together = fit(inputs, given.targets, weights, SMALL)
        for row, net in zip(weights, together, strict=True):
            alone = fit(inputs, given.targets, row[None], SMALL)[0]
            np.testing.assert_allclose(net.run(inputs.T), alone.run(inputs.T), atol=0.02)

    def test_rows_without_weight_teach_nothing(self) -> None:
        given, inputs = problem()
        weights = np.ones((1, len(given)), np.float32)
        weights[:, :100] = 0
        other = given.targets.copy()
        other[:100] = 1 - other[:100]
        first, second = (fit(inputs, targets, weights, SMALL)[0] for targets in (given.targets, other))
        np.testing.assert_array_equal(first.hidden, second.hidden)

    def test_what_a_net_does_not_see_has_no_weight(self) -> None:
        given, inputs = problem(inputs=5)
        seen = np.array([[True, True, False, False, False], [False, False, True, False, False]])
        first, second = fit(inputs, given.targets, np.ones((2, len(given)), np.float32), SMALL, seen=seen)
        assert not first.hidden[2:5].any()
        assert first.hidden[[0, 1, 5]].all()
        assert not second.hidden[[0, 1, 3, 4]].any()

    def test_the_same_seed_makes_the_same_net(self) -> None:
        given, inputs = problem()
        weights = np.ones((1, len(given)), np.float32)
        nets = [fit(inputs, given.targets, weights, TexrexRecipe(epochs=5, seed=seed))[0].hidden for seed in (3, 3, 4)]
        assert (nets[0] == nets[1]).all()
        assert (nets[0] != nets[2]).any()

    def test_an_unknown_activation_is_an_error(self) -> None:
        with pytest.raises(UsageError, match="gaussian symmetric"):
            TexrexRecipe("cubic")


class TestPageFolds:
    def test_epochs_are_chosen_on_pages_that_were_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each page has labels of its own, so that whatever is learnt beyond the first epochs is wrong elsewhere."""
        monkeypatch.setattr(page_folds, "EPOCHS", (5, 20, 200))
        random = np.random.default_rng(0)
        inputs = random.random((400, 37)).astype(np.float32)
        inputs[:, page_folds.PAGE] = np.repeat(np.arange(40) / 40, 10)
        rule = (inputs[:, 0] > 0.5) ^ (random.random(40) < 0.3)[np.repeat(np.arange(40), 10)]
        given = {"en": Vectors(inputs, rule.astype(np.float32))}
        errors = page_folds.errors_by_epochs(given["en"], SMALL)
        assert errors[20] < errors[200]
        assert page_folds.best_epochs(given, SMALL) == min(errors, key=errors.__getitem__)

    def test_no_page_is_in_two_folds(self) -> None:
        inputs = np.zeros((200, 37), np.float32)
        inputs[:, page_folds.PAGE] = np.random.default_rng(1).integers(0, 30, 200)
        folds = page_folds.page_folds(Vectors(inputs, np.zeros(200, np.float32)), 0)
        assert len({(page, fold) for page, fold in zip(inputs[:, page_folds.PAGE], folds, strict=True)}) == 30


class TestVectors:
    def test_the_language_is_part_of_the_name(self) -> None:
        assert language_in(Path("boilerplate.sv.dat.xz")) == "sv"
        for name in ("boilerplate.dat.1", "all.dat", "x.germanic.dat"):
            with pytest.raises(UsageError, match="does not name its language"):
                language_in(Path(name))

    def test_relatives_and_all_are_pooled(self) -> None:
        one = problem(10)[0]
        assert {name: len(each) for name, each in groups({"en": one, "de": one, "fr": one}).items()} == {
            "en": 10,
            "de": 10,
            "fr": 10,
            "germanic": 20,
            "all": 30,
        }
        assert set(groups({"en": one})) == {"en", "all"}

    def test_files_of_other_shapes_are_errors(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="expected 37 and 1"):
            Vectors.read(dat(tmp_path, "en", problem(5, 3)[0]))
        path = dat(tmp_path, "en", problem(5)[0])
        path.write_text(path.read_text().replace("\n1\n", "\n2\n").replace("\n0\n", "\n2\n"))
        with pytest.raises(InputError, match="targets other than 0 and 1"):
            Vectors.read(path)

    def test_two_files_of_a_language_are_an_error(self, tmp_path: Path) -> None:
        first = dat(tmp_path, "en", problem(5)[0])
        (tmp_path / "more").mkdir()
        second = dat(tmp_path / "more", "en", problem(5)[0])
        with pytest.raises(UsageError, match="same language"):
            read_all([first, second])

    def test_only_the_authors_own_files_have_the_authors_licence(self) -> None:
        mine, authors = Vectors(np.zeros((5, 37), np.float32), np.zeros(5, np.float32)), np.zeros(14405, np.float32)
        given = Vectors(np.zeros((14405, 37), np.float32), authors)
        for name, read, licence in (
            ("boilerplate.en.dat", given, "BSD 2-clause"),
            ("boilerplate.en.dat.xz", given, "BSD 2-clause"),
            ("boilerplate.en.dat", mine, "the user's own"),
            ("mine.en.dat", given, "the user's own"),
        ):
            assert vectors.file_facts(Path(name), {"en": read}) == {
                "set": name,
                "blocks": len(read),
                "licence": licence,
            }


class TestExamples:
    def test_blocks_have_features_shares_and_words(self) -> None:
        [example], _ = make_examples(False, gold(2))
        assert example.matrix.shape == (5, len(NAMES))
        assert example.shares.tolist() == [0, 0, 1, 0, 0]
        assert example.words.tolist() == [1, 1, 21, 1, 1]
        assert (example.info.corpus, example.info.site, example.info.language) == ("mine", "site2.example", "en")

    @pytest.mark.parametrize(
        ("page", "reason"),
        [
            (gold(0, "<script>1</script>"), "no text on the page"),
            (gold(0, text="Nothing of this is there at all, not a single word."), "the gold was not found on the page"),
            (GoldPage("mine", "1", "all", "<p>a", None), "no gold text"),
        ],
    )
    def test_pages_left_out_have_a_reason(self, page: GoldPage, reason: str) -> None:
        assert make_examples(False, page) == ([], reason)

    def test_a_page_without_main_text_is_boilerplate_all_over(self) -> None:
        [example], _ = make_examples(False, gold(0, text=""))
        assert not example.shares.any()

    def test_examples_are_packed_and_read_again(self, tmp_path: Path) -> None:
        found = pack([gold(1), gold(2), gold(0, "<script>")], {"mine": "my own"}, 1)
        found.save(tmp_path / "new" / "features.npz")
        again = TexrexPacked.load(tmp_path / "new" / "features.npz")
        assert again.info == found.info
        assert again.skipped == {"no text on the page": 1}
        for name in ("matrix", "shares", "words", "page"):
            assert (getattr(again, name) == getattr(found, name)).all()
        assert [path.name for path in (tmp_path / "new").iterdir()] == ["features.npz"]

    def test_files_without_examples_are_errors(self, tmp_path: Path) -> None:
        for content in (b"", b"PK\x03\x04"):
            (tmp_path / "a.npz").write_bytes(content)
            with pytest.raises(InputError, match="remove it"):
                TexrexPacked.load(tmp_path / "a.npz")
        np.savez(tmp_path / "b.npz", a=np.zeros(1))
        with pytest.raises(InputError, match="remove it"):
            TexrexPacked.load(tmp_path / "b.npz")

    def test_nothing_to_train_on_is_an_error(self) -> None:
        with pytest.raises(InputError, match="no page can be trained on"):
            pack([], {}, 1)


class TestPages:
    @pytest.fixture
    def some(self) -> TexrexPacked:
        return pack([gold(number) for number in range(1, 60)], {"mine": "my own"}, 1)

    def test_f1_counts_words(self, some: TexrexPacked) -> None:
        kept = some.shares > 0.5
        assert some.page_f1(kept).tolist() == [1.0] * len(some.info)
        everything = some.page_f1(np.ones(len(kept), np.bool_))
        assert everything[0] == pytest.approx(2 * 21 / (21 + 21 + 3))
        assert not some.page_f1(~kept).any()

    def test_a_language_with_enough_pages_has_a_net_and_the_others_share_one(self, some: TexrexPacked) -> None:
        found = pages.page_groups(some)
        assert list(found) == ["en", "all"]
        assert found["en"].all()
        assert found["all"].all()  # nothing is left over, so that all pages are its own

    def test_nets_learn_the_pages_and_the_threshold_separates_them(self, some: TexrexPacked) -> None:
        nets = pages.page_nets(some, SMALL)
        output = nets["en"].run(some.matrix.T)
        threshold = some.best_threshold(pages.THRESHOLDS, output, np.ones(len(some.info), np.bool_))
        assert some.page_f1(output < threshold).mean() > 0.99

    def test_sites_are_scored_by_nets_that_have_not_seen_them(
        self, some: TexrexPacked, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fitted: list[np.ndarray] = []

        def watched(inputs: np.ndarray, targets: np.ndarray, weights: np.ndarray, *rest: object) -> Sequence[object]:
            fitted.append(weights)
            return fit(inputs, targets, weights, TexrexRecipe(epochs=1))

        monkeypatch.setattr(pages, "fit", watched)
        pages.held_out(some, np.ones(len(some.info), np.bool_), SMALL)
        data = pages.draw_blocks(some, SMALL.seed)
        folds = np.array([fold_of(info.site) for info in some.info])[data.page]
        for fold, weights in enumerate(fitted[0]):
            assert not weights[folds == fold].any()
            assert weights[folds != fold].all()

    def test_pages_of_a_single_site_are_split_too(self, some: TexrexPacked) -> None:
        assert (folds_by_site(some.info) == [fold_of(info.site) for info in some.info]).all()
        one = replace(some, info=tuple(replace(info, site="site.example") for info in some.info))
        assert set(folds_by_site(one.info).tolist()) == set(range(FOLDS))


class TestCommand:
    def test_vectors_become_a_folder_of_nets(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page_folds, "EPOCHS", (10, 40))
        files = [dat(tmp_path, language, problem(200, seed=seed)[0]) for seed, language in enumerate(("en", "fr"))]
        ended = train("--data", str(files[0]), "--data", str(files[1]), "--output", str(tmp_path / "nets"))
        assert ended.exit_code == 0, ended.output
        texrex = Texrex.load(tmp_path / "nets")
        assert texrex.quirks
        assert set(texrex.nets) == {"en", "fr", "all"}
        about = json.loads((tmp_path / "nets" / "model.json").read_text())
        assert about["command"] == "dehusk train texrex --data mine.en.dat --data mine.fr.dat --seed 0"
        assert about["figures"]["epochs"] == 40
        assert [each["blocks"] for each in about["trained_on"]] == [200, 200]
        assert str(tmp_path) not in json.dumps(about)

    def test_vectors_and_nets_come_back_as_fann_files(self, tmp_path: Path) -> None:
        path = dat(tmp_path, "en", problem(60)[0])
        options = "--hidden", "3", "--activation", "gaussian symmetric", "--epochs", "7", "--fann"
        ended = train("--data", str(path), *options, "--output", str(tmp_path / "nets"))
        assert ended.exit_code == 0, ended.output
        mine = Texrex.load(tmp_path / "nets").nets["en"].perceptron
        assert mine.hidden.shape == (38, 3)
        net = read_net(tmp_path / "nets" / "boilerplate.en.net")
        assert (net.hidden == mine.hidden).all()
        assert (net.output == mine.output).all()
        assert (net.activation, net.last) == ("gaussian symmetric", "linear piece symmetric")
        first, second = read_data(path), read_data(tmp_path / "nets" / "boilerplate.en.dat")
        assert all((one == two).all() for one, two in zip(first, second, strict=True))
        (tmp_path / "nets" / "model.json").unlink()
        assert Extractor(tmp_path / "nets").method.name == "texrex-fann"  # type: ignore[union-attr]
        about = train("--data", str(path), "--activation", "cubic", "--output", str(tmp_path / "more"))
        assert "choose from gaussian symmetric" in message(about)

    def test_pages_become_a_folder_of_nets(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pages, "RECIPE", SMALL)
        lines = [
            json.dumps({"id": str(number), "url": f"http://s{number}.org/", "html": gold(number).html, "gold": STORY})
            for number in range(1, 60)
        ]
        (tmp_path / "mine.jsonl").write_text("\n".join(lines))
        options = ("--corpus", str(tmp_path / "mine.jsonl"), "--features", str(tmp_path / "f.npz"), "--jobs", "1")
        ended = train(*options, "--output", str(tmp_path / "nets"))
        assert ended.exit_code == 0, ended.output
        texrex = Texrex.load(tmp_path / "nets")
        assert not texrex.quirks
        about = json.loads((tmp_path / "nets" / "model.json").read_text())
        assert about["trained_on"][0]["pages"] > 30
        assert about["figures"]["mine"] > 0.9
        fann = train(*options[:2], "--features", str(tmp_path / "q.npz"), "--fann", "--output", str(tmp_path / "fann"))
        assert fann.exit_code == 0, fann.output
        inputs, targets = read_data(tmp_path / "fann" / "boilerplate.iso.dat")
        assert inputs.shape[1] == 37
        assert 0 < targets.mean() < 1
        assert Texrex.load(tmp_path / "fann").quirks
        other = train("--corpus", "cleaneval", *options[2:], "--output", str(tmp_path / "more"))
        assert "was built from mine" in message(other)
        default = train(*options[2:], "--output", str(tmp_path / "more"))
        assert "was built from mine" in message(default)
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        again = train("--corpus", "mine", *options[2:], "--output", str(tmp_path / "more"))
        assert again.exit_code == 0, again.output

    def test_features_of_other_pages_are_not_reused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pages, "RECIPE", SMALL)
        options = ("--corpus", str(tmp_path / "mine"), "--features", str(tmp_path / "f.npz"), "--jobs", "1")
        weights: list[np.ndarray] = []
        for word in ("Menu", "Menu", "A longer menu"):
            (tmp_path / "mine").mkdir(exist_ok=True)
            for number in range(1, 30):
                html = str(gold(number).html).replace("Menu", word)
                (tmp_path / "mine" / f"{number}.html").write_text(html)
                (tmp_path / "mine" / f"{number}.txt").write_text(STORY)
            ended = train(*options, "--output", str(tmp_path / f"nets{len(weights)}"))
            assert ended.exit_code == 0, ended.output
            assert ("rebuilding it" in ended.output) == (word != "Menu")
            weights.append(Texrex.load(tmp_path / f"nets{len(weights)}").nets["all"].perceptron.hidden)
        assert (weights[0] == weights[1]).all()
        assert (weights[0] != weights[2]).any()

    def test_a_page_is_measured_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Though its F1 may be 0, and the net for all languages would do better."""
        monkeypatch.setattr(pages, "RECIPE", TexrexRecipe(epochs=1))
        found = pack([gold(number) for number in range(1, 60)], {"mine": "my own"}, 1)
        found.save(tmp_path / "f.npz")
        scores = iter((np.ones_like(found.shares), 1 - found.shares))
        monkeypatch.setattr(pages, "held_out", lambda *_: next(scores))
        ended = train("--corpus", "mine", "--features", str(tmp_path / "f.npz"), "--output", str(tmp_path / "nets"))
        assert ended.exit_code == 0, ended.output
        about = json.loads((tmp_path / "nets" / "model.json").read_text())
        assert list(about["thresholds"]) == ["en", "all"]
        assert about["figures"] == {"mine": 0.0}

    def test_nets_are_never_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "model.json").write_text("{}")
        assert "not empty" in message(train("--output", str(tmp_path)))

    def test_pages_and_vectors_are_not_mixed(self, tmp_path: Path) -> None:
        ended = train("--data", "a.en.dat", "--corpus", "cleaneval", "--output", str(tmp_path / "new"))
        assert "choose one of" in message(ended)

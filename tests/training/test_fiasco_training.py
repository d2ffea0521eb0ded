"""Training of fiasco: the lexicon, keywords, alignment by Dice, machines, and the command."""

import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dehusk import Page, extract
from dehusk.errors import InputError
from dehusk.gold.pages import GoldPage
from dehusk.methods.fiasco.features import KEYWORDS, WITHOUT_VISUAL, columns
from dehusk.methods.fiasco.targets import find_targets
from dehusk.methods.fiasco.words import CLOSED, OPEN, SPECIAL, Lexicon
from dehusk.rendering.cache import Cache
from dehusk.training.fiasco import grid, keywords, svm
from dehusk.training.fiasco.examples import FiascoPacked, make_examples, pack
from dehusk.training.fiasco.keywords import General
from dehusk.training.fiasco.lexicon import word_classes
from dehusk.training.fiasco.svm import SvmRecipe, held_out
from research.fiasco import dice
from tests.helpers import train_command
from tests.helpers.train_command import message

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="needs scikit-learn")

train = partial(train_command.train, "fiasco")
TAGGED = """\
Do do AUX VB
n't not PART RB
run run VERB VB
, , PUNCT ,

the the DET DT
run run NOUN NN
$ $ SYM $
tête-à-tête x X FW
Peter Peter PROPN NNP
's 's PART POS
3 3 NUM CD
three three NUM CD
""".replace(" ", "\t")
NAMES = ("Ada", "Bela", "Cora", "Dora", "Elsa", "Fay", "Gwen", "Hope", "Ida", "Jane", "Kate", "Lena")


def source(number: int) -> GoldPage:
    name = NAMES[number % len(NAMES)]
    story = (
        f"{name} walked to the harbour in the morning, because the boats were late and somebody had to ask. "
        "Nobody there knew anything about the weather, the nets or the fish."
    )
    links = "".join(f"<li><a href=/{each}>subscribe {each}</a>" for each in ("newsletter", "login", "contact"))
    body = f"<h1>{name} at the harbour</h1><p>{story}</p><p>Therefore {name} went home.</p>"
    html = f"<ul>{links}</ul>{body}<div>cookies</div>"
    gold = f"{name} at the harbour\n{story}\nTherefore {name} went home."
    return GoldPage("mine", str(number), "all", html, gold, url=f"http://site{number}.example/")


@pytest.fixture(scope="module")
def packed() -> FiascoPacked:
    return pack(map(source, range(24)), {"mine": "CC0"}, Lexicon.of({"the": CLOSED, "morning": OPEN}), 1)


class TestLexicon:
    def test_words_get_their_commonest_class_as_pages_write_them(self, tmp_path: Path) -> None:
        path = tmp_path / "tagged.tsv"
        path.write_text(TAGGED, encoding="utf-8")
        found = word_classes(path)
        assert {"don", "t", "s", "the", "three"} <= {word for word, kind in found.items() if kind == CLOSED}
        assert found["run"] == found["peter"] == OPEN
        assert found["tête"] == SPECIAL
        assert not {",", "3", "$"} & set(found)

    def test_a_file_without_tags_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "tagged.tsv"
        path.write_text("just text\n", encoding="utf-8")
        with pytest.raises(InputError, match="has no tagged words; expected lines with word, lemma"):
            word_classes(path)


class TestKeywords:
    def test_they_are_typical_of_one_kind_of_text(self, packed: FiascoPacked) -> None:
        everything = np.ones(len(packed.page), np.bool_)
        found = keywords.choose(packed, everything, General())
        assert {"subscribe", "newsletter", "cookies"} <= set(found.dirty)
        assert "harbour" in found.clean
        assert not set(found.clean) & set(found.dirty)

    def test_what_is_common_in_general_is_no_keyword(self, packed: FiascoPacked) -> None:
        everything = np.ones(len(packed.page), np.bool_)
        key = Lexicon.of({"harbour": 1}).key[0]
        assert "harbour" not in keywords.choose(packed, everything, General({int(key): 1}, 2)).clean

    def test_columns_are_those_of_the_method(self, packed: FiascoPacked) -> None:
        found = keywords.Keywords(("harbour", "morning"), ("subscribe",))
        page = Page.from_html(str(source(3).html))
        lexicon = Lexicon.of({}).with_keywords(found.clean, found.dirty)
        from dehusk.methods.fiasco.features import target_features  # noqa: PLC0415

        names = columns(WITHOUT_VISUAL)
        expected = target_features(page, find_targets(page), lexicon)[:, [names.index(name) for name in KEYWORDS]]
        np.testing.assert_allclose(keywords.columns(packed, found)[packed.page == 3], expected, rtol=1e-6)


class TestDice:
    def test_targets_in_a_clean_subtree_are_clean(self) -> None:
        page = Page.from_html(
            "<div><p>Snow fell <b>all</b> day.</p><p>It was cold.</p></div>"
            "<div>Menu <a href=/>Home</a> and some more of what every page has</div>"
        )
        targets = find_targets(page)
        assert dice.clean_targets(page, targets, ["Snow fell all day. It was cold."]).tolist() == [True, True, False]
        assert dice.clean_targets(page, targets, ["Something else altogether"]).tolist() == [False] * 3

    def test_a_target_with_more_clean_nodes_than_others_is_clean(self) -> None:
        text = (
            "<div>From our own correspondent in the north <i>Snow fell all day.</i> <i>It was cold.</i> <b>{}</b></div>"
            "<p>Menu</p><p>More of it</p>"
        )
        page = Page.from_html(text.format("Home, contact, login, cookies, newsletter, privacy and all the rest of it"))
        targets = find_targets(page, repair=False)
        found = dice.clean_targets(page, targets, ["Snow fell all day.", "It was cold."])
        # Two of the four elements with text are clean; with a third it is the majority.
        assert not found[0]
        more = Page.from_html(text.format("and <u>Nobody minded.</u>"))
        found = dice.clean_targets(more, find_targets(more), ["Snow fell all day.", "It was cold.", "Nobody minded."])
        assert found.tolist() == [True, False, False]


class TestMachines:
    def test_few_vectors_decide_like_all(self, packed: FiascoPacked) -> None:
        recipe = SvmRecipe(cost=4, gamma=0.1, examples=100, vectors=4)
        everything = np.ones(len(packed.page), np.bool_)
        fitted = svm.fit(packed, everything, General(), recipe)
        matrix = svm.matrix_with(packed, fitted.keywords, recipe.families)
        whole = fitted.whole.decision_function(fitted.scaling.scaled(matrix))
        assert len(fitted.machine.vectors) == 4 < len(fitted.whole.support_vectors_)
        assert ((fitted.machine.decisions(matrix) > 0) == (whole > 0)).mean() > 0.9

    def test_folds_are_judged_by_machines_that_have_not_seen_them(self, packed: FiascoPacked) -> None:
        decisions = held_out(packed, General(), SvmRecipe(examples=100))
        known = ~np.isnan(packed.shares)
        assert ((decisions > 0) == (packed.shares < 0.5))[known].mean() > 0.9

    def test_an_interrupted_grid_goes_on(self, packed: FiascoPacked, tmp_path: Path, monkeypatch: Any) -> None:
        path, dirty = tmp_path / "grid.json", packed.shares < 0.5
        folds = np.arange(len(dirty)) % 3
        first = grid.search(packed.matrix, dirty, folds, path, costs=(1.0, 4.0), gammas=(0.1,))
        assert all(0.5 < value <= 1 for value in first.values())
        monkeypatch.setattr(grid, "accuracy", lambda *_: 0.25)
        again = grid.search(packed.matrix, dirty, folds, path, costs=(1.0, 4.0), gammas=(0.1, 9.0))
        assert {cell: again[cell] for cell in first} == first
        assert again[1.0, 9.0] == 0.25
        assert grid.best(again, SvmRecipe()).gamma == 0.1
        path.write_text("{", encoding="utf-8")
        assert grid.search(packed.matrix, dirty, folds, path, costs=(1.0,), gammas=(0.1,)) == {(1.0, 0.1): 0.25}

    def test_pages_that_cannot_be_used_are_counted(self) -> None:
        lexicon = Lexicon.of({"the": CLOSED})
        pages = [
            GoldPage("mine", "1", "all", "<p>x", None),
            GoldPage("mine", "2", "all", "<p>", "text"),
            GoldPage("mine", "3", "all", "<p>Something else", "nothing of this is there"),
        ]
        reasons = [make_examples(lexicon, False, page)[1] for page in pages]
        assert reasons == ["no gold text", "no text on the page", "the gold was not found on the page"]

    def test_pages_without_a_layout_teach_nothing_about_looks(self, tmp_path: Path, monkeypatch: Any) -> None:
        monkeypatch.setattr("dehusk.training.fiasco.examples.Cache.usual", lambda: Cache(tmp_path))
        assert make_examples(Lexicon.of({"the": CLOSED}), True, source(1)) == (
            [],
            "no layout of the page",
        )


class TestCommand:
    def test_a_machine_of_ones_own(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("DEHUSK_DATA", raising=False)
        monkeypatch.chdir(tmp_path)
        pages = [source(number) for number in range(24)]
        lines = [json.dumps({"id": page.id, "url": page.url, "html": page.html, "gold": page.gold}) for page in pages]
        Path("mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
        result = train("--corpus", "mine.jsonl", "--output", "my-fiasco", "--jobs", "1", "--quiet")
        assert result.exit_code == 0, result.output
        about = json.loads(Path("my-fiasco/model.json").read_text(encoding="utf-8"))
        assert about["command"] == "dehusk train fiasco --corpus mine.jsonl --cost 4 --gamma 0.125 --seed 0"
        assert about["families"] == ["linguistic", "pos", "structural"]
        text = extract(str(pages[3].html), method="my-fiasco").text
        assert "Nobody there knew" in text
        assert "subscribe" not in text
        again = train("--corpus", "mine.jsonl", "--output", "my-fiasco")
        assert "exists and is not empty" in message(again)

    def test_wrong_usage(self) -> None:
        assert "leave out --cost and --gamma" in message(train("--search", "--cost", "3"))

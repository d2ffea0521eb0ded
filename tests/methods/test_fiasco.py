"""What fiasco guarantees, whatever its machine: scores, reasons, words, both forms of the loops, and bounded time."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from click.testing import CliRunner

from dehusk import Document, Extractor, ModelError, Page, extract
from dehusk.cli import command_line
from dehusk.methods import fiasco
from dehusk.methods.fiasco import Fiasco, VisualFiasco, fast_tokens, words
from dehusk.methods.fiasco.features import FAMILIES, WITHOUT_VISUAL, columns, target_features
from dehusk.methods.fiasco.machine import Machine, Scaling
from dehusk.methods.fiasco.targets import find_targets
from dehusk.methods.fiasco.words import CLOSED, OPEN, Lexicon, PageTokens, split
from dehusk.model_files import shipped_folder
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled

STORY = (
    "The bridge over the Arle was opened on Monday after three years of work, and the first to walk over it were the "
    "children of the school at Nether Arle, who had been promised that they would be."
)
PAGE = (
    "<ul><li><a href=/>Home</a><li><a href=/c>Contact us</a><li><a href=/l>Log in</a></ul>"
    f"<h1>The bridge is open</h1><p>{STORY}</p><p>{STORY}</p>"
    "<div>Copyright 2020. All rights reserved. <a href=/p>Privacy policy</a></div>"
)
golden = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def reasons(document: Document) -> list[tuple[str, ...]]:
    assert document.because is not None
    return document.because


def row(html: str, lexicon: dict[str, int] | None = None, target: int = 0) -> dict[str, float]:
    """Return the features of a target by name."""
    page = Page.from_html(html)
    found = target_features(page, find_targets(page), Lexicon.of(lexicon or {"the": CLOSED, "sea": OPEN}))
    return dict(zip(columns(WITHOUT_VISUAL), found[target].tolist(), strict=True))


class TestScores:
    def test_running_text_is_kept_and_menus_are_not(self) -> None:
        document = extract(PAGE, method="fiasco")
        assert document.text.count(STORY) == 2
        assert "Contact" not in document.text
        assert "Privacy" not in document.text

    def test_all_blocks_of_a_target_have_its_score(self) -> None:
        document = extract("<div>Some text of its own<p>and a paragraph</p>and more</div>" + PAGE, method="fiasco")
        assert len(set(document.scores.values[:3].tolist())) == 1

    def test_text_outside_any_target_has_no_score_and_stays(self) -> None:
        page = f"<div>: <ul><li>{STORY}</li><li>{STORY}</li></ul></div>"
        document = extract(page, method="fiasco", explain=True)
        assert np.isnan(document.scores.values[0])
        assert document.text.startswith(":")
        assert reasons(document)[0] == ("+ outside any target node, so it is not judged",)

    def test_a_target_that_is_the_whole_page_is_not_judged(self) -> None:
        document = extract("<pre>Log in\nContact us\nPrivacy policy</pre>", method="fiasco", explain=True)
        assert np.isnan(document.scores.values).all()
        assert document.text.startswith("Log in")
        assert "nearly all text" in reasons(document)[0][0]

    def test_a_page_of_links_is_not_empty(self) -> None:
        page = "<ul>" + "".join(f"<li><a href=/{word}>{word} and log in</a>" for word in STORY.split()) + "</ul>"
        assert extract(page, method="fiasco").text

    def test_reasons_name_the_target_and_its_features(self) -> None:
        document = extract(PAGE, method="fiasco", explain=True)
        assert all(facts[0][:13] in {"- target node", "+ target node"} for facts in reasons(document))
        assert any(": +" in fact or ": -" in fact for facts in reasons(document) for fact in facts)

    @golden
    def test_every_page_gets_its_scores(self, folder: Path) -> None:
        document = Extractor("fiasco", explain=True).extract((folder / "source.html").read_bytes())
        values = document.scores.values
        assert len(reasons(document)) == len(document.blocks)
        assert ((values >= 0) & (values <= 1) | np.isnan(values)).all()


class TestFeatures:
    def test_own_text_and_all_text_are_counted_apart(self) -> None:
        found = row("<p>The sea. <b>The wide sea!</b> So</p>")
        assert np.expm1([found["tokens_own"], found["tokens_whole"]]).round().tolist() == [4, 8]
        assert np.expm1([found["types_own"], found["types_whole"]]).round().tolist() == [3, 4]
        assert np.expm1([found["sentences_own"], found["sentences_whole"]]).round().tolist() == [1, 2]
        assert (found["closed_own"], found["open_own"], found["unknown_own"], found["special_own"]) == (
            0.25,
            0.25,
            0.25,
            0.25,
        )

    def test_structure(self) -> None:
        found = row("<ul><li>One <a href=/>two</a> <a>thr</a> <img></li></ul>")
        assert (found["list_item"], found["heading"], found["paragraph"]) == (1, 0, 0)
        assert (found["links"], found["addresses"], found["images"]) == (0.5, 0.25, 0.25)
        assert found["link_text_whole"] == pytest.approx(1 / 3)
        assert row("<h2>One <i>two</i></h2>")["heading"] == 1
        assert row("<td>a<br><br>b</td>")["paragraph"] == 1

    def test_keywords_are_shares_of_the_tokens(self) -> None:
        found = row("<p>The sea, log in</p>", {"sea": OPEN | words.CLEAN, "log": words.DIRTY})
        assert (found["clean_keywords_own"], found["dirty_keywords_whole"]) == (0.2, 0.2)

    def test_every_family_has_its_columns(self) -> None:
        assert len(columns(FAMILIES)) == len(set(columns(FAMILIES))) == len(columns(WITHOUT_VISUAL)) + 5

    def test_a_stop_in_a_number_or_address_ends_no_sentence(self) -> None:
        ends = [word for word, kind in split("See www.a.org at 3.5 now. Yes!") if kind.name == "SENTENCE_END"]
        assert ends == [".", "!"]

    @golden
    def test_compiled_or_not_tokens_are_the_same(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        page = Page.from_bytes((folder / "source.html").read_bytes())
        wanted, plain = np.ones(len(page.leaves), np.bool_), uncompiled(fast_tokens)
        lexicon = Lexicon.of({"the": CLOSED, "sea": OPEN})
        found = PageTokens.of(page.text, page.leaves.start, page.leaves.end, wanted)
        matrix = target_features(page, find_targets(page), lexicon)
        monkeypatch.setattr(words, "TokenReader", plain.TokenReader)
        monkeypatch.setattr(words, "look_up", plain.look_up)
        monkeypatch.setattr("dehusk.methods.fiasco.features.inherit", plain.inherit)
        again = PageTokens.of(page.text, page.leaves.start, page.leaves.end, wanted)
        for column in ("key", "leaf", "kind", "end"):
            np.testing.assert_array_equal(getattr(found, column), getattr(again, column))
        np.testing.assert_array_equal(matrix, target_features(page, find_targets(page), lexicon))

    def test_keys_are_the_same_compiled_or_not(self) -> None:
        plain = uncompiled(fast_tokens)
        assert [fast_tokens.key_of(word) for word in ("", "sea", "été")] == [
            plain.key_of(word) for word in ("", "sea", "été")
        ]


class TestMachine:
    def test_a_large_page_is_scored_in_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        random = np.random.default_rng(0)
        scaling = Scaling(np.zeros(3, np.float32), np.ones(3, np.float32))
        vectors = random.normal(size=(5, 3)).astype(np.float32)
        machine = Machine(scaling, vectors, np.ones(5, np.float32), 0.1, 0.5)
        rows = random.random((100, 3))
        whole = machine.decisions(rows)
        monkeypatch.setattr("dehusk.methods.fiasco.machine.ROWS", 7)
        np.testing.assert_allclose(machine.decisions(rows), whole, rtol=1e-6)

    def test_it_computes_what_scikit_learn_does(self) -> None:
        svm = pytest.importorskip("sklearn.svm")
        random = np.random.default_rng(0)
        rows = random.random((200, 4)).astype(np.float32)
        scaling = Scaling.of(rows)
        fitted = svm.SVC(C=2.0, gamma=0.5).fit(scaling.scaled(rows), rows[:, 0] > rows[:, 1])
        weights = fitted.dual_coef_[0].astype(np.float32)
        machine = Machine(
            scaling, fitted.support_vectors_.astype(np.float32), weights, float(fitted.intercept_[0]), 0.5
        )
        np.testing.assert_allclose(machine.decisions(rows), fitted.decision_function(scaling.scaled(rows)), atol=1e-4)


class TestModels:
    def test_a_copy_of_the_folder_is_a_method(self, tmp_path: Path) -> None:
        shutil.copytree(shipped_folder("fiasco"), tmp_path / "mine")
        assert extract(PAGE, method=tmp_path / "mine").text == extract(PAGE, method="fiasco").text

    def test_a_machine_of_other_features_is_refused(self, tmp_path: Path) -> None:
        shutil.copytree(shipped_folder("fiasco"), tmp_path / "mine")
        path = tmp_path / "mine" / "model.json"
        about = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(about | {"families": ["structural"]}), encoding="utf-8")
        with pytest.raises(ModelError, match="was trained on 31 features, this version computes 9; retrain it"):
            Fiasco.load(tmp_path / "mine")
        path.write_text(json.dumps(about | {"families": ["smell"]}), encoding="utf-8")
        with pytest.raises(ModelError, match="unknown families of features: smell"):
            Fiasco.load(tmp_path / "mine")

    def test_workers_read_the_folder_themselves(self) -> None:
        assert len(pickle.dumps(Fiasco.shipped())) < 1000
        assert pickle.loads(pickle.dumps(Fiasco.shipped())).name == "fiasco"

    def test_the_base_install_says_what_the_extra_adds(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        page = tmp_path / "page.html"
        page.write_text(PAGE, encoding="utf-8")
        monkeypatch.setattr(fiasco, "find_spec", lambda name: None)
        result = CliRunner().invoke(command_line(), ["extract", "--method", "fiasco", str(page)])
        assert STORY in result.stdout
        assert [line for line in result.stderr.splitlines() if "dehusk[visual]" in line] == result.stderr.splitlines()
        assert len(result.stderr.splitlines()) == 1
        quiet = CliRunner().invoke(command_line(), ["extract", "--quiet", "--method", "fiasco", str(page)])
        assert quiet.stderr == ""


class TestVisual:
    """A machine that was trained with the visual family."""

    @staticmethod
    def machine() -> Fiasco:
        low = np.zeros(len(columns(FAMILIES)), np.float32)
        # Boilerplate is what is narrow: the vector is a target whose relative width is 0.
        vector, width = np.zeros((1, len(low)), np.float32), columns(FAMILIES).index("relative_width")
        vector[0, width] = -1
        scaling = Scaling(low, np.where(np.arange(len(low)) == width, 1, 0).astype(np.float32))
        return VisualFiasco(
            Machine(scaling, vector, np.ones(1, np.float32), -0.5, 1.0), Lexicon.of({"a": 1}), tuple(FAMILIES)
        )

    def test_it_looks_at_pages_that_have_a_layout(self, monkeypatch: pytest.MonkeyPatch) -> None:
        page = Page.from_html(PAGE)
        count = len(find_targets(page))
        seen = np.zeros((count, 5))
        seen[4:6, 3] = 1
        monkeypatch.setattr(fiasco, "visual_features", lambda *_: seen)
        assert self.machine().capabilities.renders
        assert Extractor(self.machine()).extract(page).text == f"{STORY}\n{STORY}"

    def test_other_pages_are_left_to_the_machine_that_needs_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fiasco, "visual_features", lambda *_: None)
        found = Extractor(self.machine(), explain=True).extract(PAGE)
        assert found.scores.values.tolist() == extract(PAGE, method="fiasco").scores.values.tolist()
        assert len(reasons(found)) == len(found.blocks)

    def test_the_shipped_machine_needs_no_browser(self) -> None:
        assert not Fiasco.shipped().capabilities.renders


# What makes deep, broad or odd trees, or long lists of one thing.
SHAPES: dict[str, Callable[[int], str]] = {
    "elements in each other": lambda n: "<div>x" * n,
    "empty elements in each other": lambda n: "<div>" * n + "x",
    "formatting in each other": lambda n: "<p>" + "<i>x" * min(n, 2000),
    "line breaks": lambda n: "<p>" + "x<br>" * n,
    "paragraphs by line breaks": lambda n: "<td>" + "some words<br><br>" * n,
    "paragraphs by line breaks in each other": lambda n: "<div>x<br><br>y" * n,
    "links": lambda n: "<a href=x>y</a> " * n,
    "images": lambda n: "<p>x" + "<img src=x>" * n,
    "one paragraph": lambda n: "<p>" + "word. " * n,
    "one word": lambda n: "<p>" + "x" * n,
    "signs": lambda n: "<p>" + "*.!" * n,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_cost_is_quadratic(shape: str) -> None:
    def seconds(page: Page) -> float:
        start = process_time()
        method = Fiasco.shipped()
        method.score(page, method.segment(page))
        return process_time() - start

    small, large = (
        min(seconds(page) for _ in range(2)) for page in (Page.from_html(SHAPES[shape](n)) for n in (2000, 16_000))
    )
    # Eight times the size; a square would take 64 times as long.
    assert large < 24 * small + 0.05

"""What texrex guarantees, whatever its weights."""

import json
import math
import operator
import os
import pickle
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.stages import load, measure
from dehusk import Blocks, Extractor, ModelError, Page, extract
from dehusk.methods.base import Method
from dehusk.methods.languages import language_by_words
from dehusk.methods.texrex import LanguageNet, Texrex, discard_reason, language_nets
from dehusk.methods.texrex.fann import Perceptron
from dehusk.methods.texrex.features import NAMES, texrex_features
from dehusk.model_files import shipped_folder
from dehusk.models.registry import method
from tests.golden import FOLDERS, PAGES

FOLDER = shipped_folder("texrex")
golden = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
each = pytest.mark.parametrize("name", ["texrex", "texrex-quirks"])

MENU = "".join(f'<li><a href="/{word.lower()}">{word}</a></li>' for word in ("Home", "News", "Sport", "Weather"))
STORY = (
    "The bridge over the Arle was opened on Monday after three years of work, and the first to walk over it were the "
    "children of the school at Nether Arle, who had been promised that they would be.",
    "Until now the way round by the mill took most of an hour. The ferry, which had run since 1911, made its last "
    "journey on Sunday evening with a band on board, and nobody had to pay.",
    "What becomes of the ferry is not known. The council would like to see it in the museum, but its owner, who was "
    "born on it, says that he means to go on living there, and that it still floats.",
)


def article(language: str = "") -> str:
    story = "".join(f"<p>{part}</p>" for part in STORY)
    attribute = f' lang="{language}"' if language else ""
    return (
        f"<!doctype html><html{attribute}><body><div><ul>{MENU}</ul></div><div><h1>The bridge is open</h1>{story}</div>"
        '<div><p>© 2026 <a href="/about">The Arle Courier</a></p></div></body></html>'
    )


def net(bias: float, threshold: float = 0.5) -> LanguageNet:
    """Return a net with the same output for every block."""
    return LanguageNet(
        Perceptron(np.zeros((len(NAMES) + 1, 1)), np.array([0.0, 2 * bias]), "linear", "linear"), threshold
    )


@each
def test_it_keeps_the_contract_of_methods(name: str) -> None:
    texrex, page = method(name), Page.from_html("<p>a")
    assert isinstance(texrex, Method)
    assert texrex.name == texrex.score(page, texrex.segment(page)).model == name


def test_the_models_own_file_decides_on_quirks() -> None:
    for texrex, quirks in ((Texrex.shipped(), False), (Texrex.shipped("texrex-quirks"), True)):
        assert texrex.quirks is quirks
        assert json.loads((shipped_folder(texrex.name) / "model.json").read_text())["quirks"] is quirks


def test_all_six_nets_of_the_paper_are_shipped() -> None:
    assert {"en", "fr", "de", "sv", "germanic", "all"} <= set(Texrex.shipped("texrex-quirks").nets)
    assert {"en", "de", "germanic", "all"} <= set(Texrex.shipped().nets)
    size = sum(path.stat().st_size for name in ("texrex", "texrex-quirks") for path in shipped_folder(name).iterdir())
    assert size < 1_000_000


@golden
@each
def test_every_block_has_a_score_and_a_letter_and_none_is_lost(folder: Path, name: str) -> None:
    page, texrex = Page.from_bytes((folder / "source.html").read_bytes()), method(name)
    blocks = texrex.segment(page)
    scores = texrex.score(page, blocks)
    assert ((scores.values >= 0) & (scores.values <= 1)).all()
    assert len(scores.letters) == len(blocks)
    assert set(scores.letters) <= set("abcdefghij")
    assert " ".join(blocks.strings()).split() == page.text.split()


def test_the_story_is_kept_and_the_menu_is_not() -> None:
    text = extract(article(), method="texrex").text
    assert all(part in text for part in STORY)
    assert "Weather" not in text


def test_a_page_without_text_has_no_scores() -> None:
    document = Extractor("texrex").extract("")
    assert (document.text, str(document.reason), len(document.scores)) == ("", "no text", 0)


class TestNets:
    def test_the_threshold_scores_a_half(self) -> None:
        matrix = np.zeros((len(NAMES), 1), np.float32)
        for output, expected in ((0.0, 0.0), (0.4, 0.25), (0.8, 0.5), (0.9, 0.75), (1.0, 1.0), (-0.3, 0.0), (1.7, 1.0)):
            assert net(output, 0.8).scores(matrix) == pytest.approx(expected)

    def test_a_page_gets_the_net_of_its_language_else_of_its_relatives_else_of_all(self) -> None:
        nets = {name: net(0.1 * number) for number, name in enumerate(("en", "de", "germanic", "all"))}
        texrex = Texrex(nets, language_nets(nets), quirks=False)
        assert texrex.net_for(Page.from_html(article())) is nets["en"]
        assert texrex.net_for(Page.from_html("<html lang=de><p>Hallo")) is nets["de"]
        assert texrex.net_for(Page.from_html("<html lang=nl><p>Hallo")) is nets["germanic"]
        assert texrex.net_for(Page.from_html("<html lang=it><p>Ciao")) is nets["all"]

    def test_a_net_for_other_features_is_refused(self) -> None:
        with pytest.raises(ModelError, match="3 inputs"):
            LanguageNet(Perceptron(np.zeros((4, 1)), np.zeros(2), "linear", "linear"), 0.5)

    def test_a_language_needs_its_net(self) -> None:
        with pytest.raises(ModelError, match="lacks the nets all, fr"):
            Texrex({"en": net(0)}, {"fr": "fr"}, quirks=False)


class TestRules:
    """Pages that the original discards are kept, with the reason."""

    def test_too_few_characters_are_reported(self) -> None:
        assert str(discard_reason(Blocks.of(("a" * 499, 0)), np.array([True]))) == (
            "little main text: 499 of 499 characters, 1 of 1 blocks"
        )
        assert discard_reason(Blocks.of(("a" * 500, 0)), np.array([True])) is None

    def test_too_small_a_share_of_characters_is_reported(self) -> None:
        blocks = Blocks.of(("a" * 600, 0), ("b" * 1801, 0))
        assert str(discard_reason(blocks, np.array([True, False]))).startswith(
            "little main text: 600 of 2,401 characters"
        )
        assert discard_reason(Blocks.of(("a" * 600, 0), ("b" * 1800, 0)), np.array([True, False])) is None

    def test_too_small_a_share_of_blocks_is_reported(self) -> None:
        blocks = Blocks.of(("a" * 600, 0), *[("b", 0)] * 10)
        assert str(discard_reason(blocks, np.arange(11) == 0)).endswith("1 of 11 blocks")

    def test_the_text_is_kept_with_the_reason_beside_it(self) -> None:
        texrex = Texrex({"all": net(0.0)}, {}, quirks=False)
        document = extract("<p>A few words only.", method=texrex)
        assert document.text == "A few words only."
        assert str(document.reason) == "little main text: 17 of 17 characters, 1 of 1 blocks"

    def test_a_page_without_main_text_has_the_usual_reason(self) -> None:
        assert str(extract("<p>Menu", method=Texrex({"all": net(1.0)}, {}, quirks=False)).reason) == "no main text"


class TestLanguages:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("The wind was from the north and it was cold for that time of the year.", "en"),
            ("Der Wind kam von Norden, und es war für die Zeit nicht zu kalt.", "de"),
            ("Le vent est dans les arbres, et il y a une ombre sur le mur.", "fr"),
            ("Det är inte långt till sjön, och vi har en båt som kan segla.", "sv"),
            ("Het is niet ver naar het meer, en wij zijn er met een boot.", "nl"),
            ("Снег идёт весь день.", None),
            ("", None),
        ],
    )
    def test_words_decide_on_the_language(self, text: str, expected: str | None) -> None:
        assert language_by_words(Page.from_html(f"<p>{text}")) == expected

    def test_words_count_more_than_the_attribute(self) -> None:
        assert language_by_words(Page.from_html(article("de"))) == "en"

    def test_the_attribute_counts_if_words_do_not_decide(self) -> None:
        assert language_by_words(Page.from_html("<html lang='DE_at'><p>Menü")) == "de"

    def test_a_long_page_is_sampled(self) -> None:
        assert language_by_words(Page.from_html("<p>" + "Menu " * 9000 + " ".join(STORY) * 40)) == "en"


class TestFiles:
    def test_a_folder_is_read_once_and_pickled_by_name(self) -> None:
        assert Texrex.loaded(FOLDER) is Texrex.shipped()
        assert pickle.loads(pickle.dumps(Texrex.shipped())) is Texrex.shipped()

    def test_nets_without_a_folder_are_pickled_whole(self) -> None:
        texrex = Texrex({"all": net(0.3)}, {}, quirks=True)
        copy = pickle.loads(pickle.dumps(texrex))
        assert copy.quirks
        assert copy.nets["all"].scores(np.zeros((len(NAMES), 1), np.float32)) == pytest.approx(0.3)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"format": 99}, "format 99"),
            ({"thresholds": {"en": 0.5, "xx": 0.5}}, "xx"),
            ({"thresholds": {"en": 7}}, "between 0 and 1"),
            ({"hidden": "cubic"}, "no activation is called cubic"),
            ({"languages": {"fr": "fr"}, "thresholds": {"all": 0.5}}, "lacks the nets fr"),
        ],
    )
    def test_a_model_file_that_is_wrong_is_reported(self, tmp_path: Path, change: dict[str, Any], message: str) -> None:
        folder = Path(shutil.copytree(FOLDER, tmp_path / "texrex"))
        about = json.loads((folder / "model.json").read_text())
        (folder / "model.json").write_text(json.dumps({**about, **change}))
        with pytest.raises(ModelError, match=message):
            Texrex.load(folder)

    def test_damaged_and_missing_files_are_reported(self, tmp_path: Path) -> None:
        folder = Path(shutil.copytree(FOLDER, tmp_path / "texrex"))
        (folder / "model.json").write_text("[]")
        with pytest.raises(ModelError, match="retrain it"):
            Texrex.load(folder)
        (folder / "weights.npz").write_bytes(b"PK\x03\x04")
        with pytest.raises(ModelError, match="damaged"):
            Texrex.load(folder)
        with pytest.raises(ModelError, match="cannot be read"):
            Texrex.load(tmp_path / "none")

    @pytest.mark.parametrize(
        ("offset", "value", "cause"),
        [(10, 99, NotImplementedError), (8, 1, RuntimeError), (None, 0xFF, zlib.error)],
    )
    def test_weights_with_one_byte_changed_are_reported(
        self, tmp_path: Path, offset: int | None, value: int, cause: type[Exception]
    ) -> None:
        """An unknown compression, a flag for encryption, and the first byte of the data."""
        folder = Path(shutil.copytree(FOLDER, tmp_path / "texrex"))
        data = bytearray((folder / "weights.npz").read_bytes())
        # An entry of the table of contents, or what follows the first file's header: 30 bytes, its name and more.
        head = 30 + int.from_bytes(data[26:28], "little") + int.from_bytes(data[28:30], "little")
        data[head if offset is None else data.index(b"PK\x01\x02") + offset] = value
        (folder / "weights.npz").write_bytes(data)
        with pytest.raises(ModelError, match="damaged") as caught:
            Texrex.load(folder)
        assert isinstance(caught.value.__cause__, cause)

    def test_fann_nets_need_one_for_all_languages(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match=r"boilerplate\.iso\.net"):
            Texrex.of_fann(tmp_path)

    @pytest.mark.data
    def test_the_authors_nets_run_unchanged(self) -> None:
        texrex = Texrex.of_fann(Path(os.environ["DEHUSK_DATA"]) / "data" / "texrex")
        assert set(texrex.nets) == {"all", "de", "en", "fr", "germanic", "sv"}
        assert texrex.quirks
        page = (PAGES / "news-article" / "source.html").read_bytes()
        document = extract(page, method=texrex)
        assert len(document.text) > 500
        assert pickle.loads(pickle.dumps(texrex)).quirks


# Two blocks whose numbers can be counted by eye, as the original program has them: texts without their last character,
# and sources from behind the tag that begins a block to before the last character of the tag that ends it.
TINY = "<!doctype html><body><p>Rain fell. <a href=/>More</a></p><li>Ok</li></body>"
TEXTS = ("Rain fell. Mor", "O")
SOURCES = ("Rain fell. <a href=/>More</a></p", "Ok</li")
BY_HAND = {
    "Length": (14 / 1000, 1 / 1000),
    "PageProp": (14 / 15, 1 / 15),
    "PercText": (2 * (0.5 - 7 / 15), 2 * (14.5 / 15 - 0.5)),
    "PercDiv": (1, 0),  # the first of two is the edge, the second the middle
    "DocMarkupProp": (15 / len(TINY),) * 2,
    "MarkupProp": tuple((len(source) - len(text)) / len(source) for text, source in zip(TEXTS, SOURCES, strict=True)),
    "PunctProp": (1 / 14, 0),
    "LetterProp": (12 / 12, 2 / 1),  # of what is not blank; the last letter is counted among the letters
    "AnchorProp": (1 / 12, 0),
    "UpperProp": (2 / 12, 1 / 2),
    "SentBogus": (0, 1),
    "SentLength": (14 / 100, 1 / 100),
    "SentCount": (0.1, 0.1),
    "DtHtml5": (1, 1),
    "ContP": (1, 0),
    "ContLi": (0, 1),
    # An empty block passes its tags on. Before the first one, the original would not count the doctype and body.
    "OpenProp": (4 / 6, 1 / 2),  # doctype, body, p and a open, a and p close; li opens and closes
    "SkippedDivs": (1 / 20, 1 / 20),  # before <p>, and between </p> and <li>
}


def test_the_originals_numbers_and_score_by_hand() -> None:
    page = Page.from_html(TINY)
    texrex = Texrex.shipped("texrex-quirks")
    matrix = texrex_features(page, texrex.segment(page), quirks=True)
    first, second = BY_HAND["MarkupProp"]
    windows = {
        "Window1": ((2 * first + second) / 3, (first + 2 * second) / 3),
        "Window2": ((2 * first + second + second) / 5, (first + 2 * second + second) / 5),
    }
    for row, name in zip(matrix.tolist(), NAMES, strict=True):
        assert row == pytest.approx((BY_HAND | windows).get(name, (0, 0)), abs=1e-6), name
    scores = texrex.score(page, texrex.segment(page)).values
    weights = texrex.nets["all"].perceptron
    for block in range(2):
        numbers = [*matrix[:, block].tolist(), 1.0]
        hidden = [math.tanh(0.5 * sum(map(operator.mul, numbers, column))) for column in weights.hidden.T.tolist()]
        output = 0.5 * sum(map(operator.mul, [*hidden, 1.0], weights.output.tolist()))
        assert scores[block] == pytest.approx(min(max(output, 0), 1), abs=1e-5)  # the threshold is 0.5


class TestExplain:
    def test_every_block_has_the_output_as_it_is_and_what_moved_it(self) -> None:
        document = Extractor("texrex", explain=True).extract(article())
        assert document.because is not None
        assert len(document.because) == len(document.blocks)
        threshold = Texrex.shipped().nets["en"].threshold
        for facts, score in zip(document.because, document.scores.values.tolist(), strict=True):
            output = float(facts[0].split()[2])
            assert facts[0].endswith(f"of the net en, whose threshold is {threshold}")
            assert np.interp(output, (0, threshold, 1), (0, 0.5, 1)) == pytest.approx(score, abs=0.001)
            assert facts[0].startswith("+" if score < 0.5 else "-")
            assert 1 <= len(facts) <= 4

    def test_a_fact_is_what_changes_the_output(self) -> None:
        short = "+ length in thousands of characters 0.00: -0.40"
        hidden = np.zeros((len(NAMES) + 1, 1))
        hidden[NAMES.index("ContLi")], hidden[NAMES.index("Length")] = 2, -200
        one = LanguageNet(Perceptron(hidden, np.array([2.0, 0.4]), "linear", "linear"), 0.5)
        found = Extractor(Texrex({"all": one}, {}, quirks=False), explain=True).extract("<ul><li>Home</ul><p>Rain")
        assert [list(facts) for facts in found.because or ()] == [
            ["- output 0.800 of the net all, whose threshold is 0.5", "- in li: +1.00", short],
            ["+ output -0.200 of the net all, whose threshold is 0.5", short],
        ]

    def test_an_empty_page_has_nothing_to_explain(self) -> None:
        assert Extractor("texrex", explain=True).extract("").because == []


@pytest.mark.slow
@pytest.mark.data
def test_features_and_scoring_take_at_most_six_tenths_of_resiliparses_time() -> None:
    assert measure(load(None, 200), rounds=5, method="texrex").ratio("score") <= 0.6

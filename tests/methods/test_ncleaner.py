"""What ncleaner guarantees, whatever its tables."""

import json
import pickle
import re
import shutil
import timeit
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.ncleaner import measure
from dehusk import Extractor, Kind, ModelError, Page, UsageError, extract, formats
from dehusk.fast_hash_table import build_table
from dehusk.methods.base import Method
from dehusk.methods.ncleaner import OTHERWISE, Ncleaner, fast_ngrams
from dehusk.methods.ncleaner.alphabet import BLANK, CYRILLIC, EDGE, GREEK, LETTER, SCRIPTS, folding
from dehusk.methods.ncleaner.language import language_by_letters, language_of
from dehusk.methods.ncleaner.segments import cut, obvious_boilerplate
from dehusk.methods.ncleaner.table import NgramTable
from dehusk.model_files import shipped_folder
from dehusk.models.registry import adjusted, method
from tests.golden import FOLDERS, PAGES, misses
from tests.helpers.compiled import uncompiled

FOLDER = shipped_folder("ncleaner")
golden = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
STORY = (
    "The bridge over the Arle was opened on Monday after three years of work, and the first to walk over it were the "
    "children of the school at Nether Arle, who had been promised that they would be.",
    "Until now the way round by the mill took most of an hour. The ferry, which had run since 1911, made its last "
    "journey on Sunday evening with a band on board, and nobody had to pay.",
)
MENU = ("Home", "Contact us", "Privacy policy", "Log in", "Subscribe", "Terms of use")
PLAIN = uncompiled(fast_ngrams)
KEYS = np.array([1, 97, 98, 99, 0x6162, 0x016162, 0x61626301, 0x6162630161], np.int64)
# Tenths, so that it would show if one of the two added up in 32 bits.
VALUES = np.array([0.5, -1.0, 2.0, 0.1, 0.25, 4.0, -8.0, 16.0], np.float32)
TABLE = build_table(KEYS, VALUES, 17)


def plain(bits: float = 1.0, **facts: Any) -> NgramTable:
    """Return a table with one n-gram, a, and its bits."""
    every = {"lexical": True, "bias": 0.0, "slope": 1.0, "neighbours": 0.0} | facts
    return NgramTable.of(np.array([97]), np.array([bits]), 1, **every)


def summed(module: ModuleType, text: str, order: int, *edges: int) -> tuple[list[float], list[int]]:
    """Return the bits and the numbers of characters of the segments between edges."""
    start, end = np.array(edges[:-1], np.int32), np.array(edges[1:], np.int32)
    bits, counts = module.sum_bits(text, start, end, folding(), *TABLE, order)
    return bits.tolist(), counts.tolist()


class TestMethod:
    def test_it_keeps_the_contract_of_methods(self) -> None:
        ncleaner, page = method("ncleaner"), Page.from_html("<p>a")
        assert isinstance(ncleaner, Method)
        assert ncleaner.name == ncleaner.score(page, ncleaner.segment(page)).model == "ncleaner"

    @golden
    def test_every_segment_has_a_score(self, folder: Path) -> None:
        page, ncleaner = Page.from_bytes((folder / "source.html").read_bytes()), Ncleaner.shipped()
        blocks = ncleaner.segment(page)
        values = ncleaner.score(page, blocks).values
        assert ((values >= 0) & (values <= 1)).all()

    def test_an_article_is_separated_from_its_menu(self) -> None:
        menu = "".join(f"<li><a href=/>{word}</a>" for word in MENU)
        page = f"<ul>{menu}</ul><p>{STORY[0]}<p>{STORY[1]}<ul>{menu}</ul>"
        text = extract(page, method="ncleaner").text
        assert all(part in text for part in STORY)
        assert "Log in" not in text

    def test_plain_text_is_cleaned_as_well(self) -> None:
        page = Page.from_text("\n\n".join((*MENU, *STORY, *MENU)))
        text = extract(page, method="ncleaner").text
        assert all(part in text for part in STORY)
        assert "Privacy policy" not in text

    def test_lines_with_bars_and_lines_without_letters_score_1(self) -> None:
        document = extract("<p>Home | News | Contact<p>* * *<p>" + STORY[0], method="ncleaner")
        assert document.scores.values[:2].tolist() == [1.0, 1.0]

    def test_the_same_page_in_workers(self) -> None:
        results = list(Extractor("ncleaner").extract_many(["<p>" + STORY[0]] * 3, jobs=2))
        assert {result.output for result in results} == {STORY[0]}

    def test_a_bias_is_pickled(self) -> None:
        again = pickle.loads(pickle.dumps(adjusted(Ncleaner.shipped(), {"bias": 0.25})))
        assert (again.shift, again.tables is Ncleaner.shipped().tables) == (0.25, True)

    @pytest.mark.parametrize("bits", [float("nan"), 11, -11])
    def test_a_bias_out_of_range_is_refused(self, bits: float) -> None:
        with pytest.raises(UsageError, match="bias must be a number between -10 and 10") as caught:
            adjusted(Ncleaner.shipped(), {"bias": bits})
        assert caught.value.setting == "bias"

    def test_more_bias_never_keeps_more(self) -> None:
        page = (PAGES / "news-article" / "source.html").read_bytes()
        kept = [
            int(extract(page, method=adjusted(Ncleaner.shipped(), {"bias": bits})).kept.sum())
            for bits in (-0.5, -0.2, 0, 0.2, 0.5)
        ]
        assert kept == sorted(kept, reverse=True)
        assert kept[0] > kept[-1]

    @pytest.mark.parametrize("size", [0, 1, 200_000])
    def test_any_length_is_scored(self, size: int) -> None:
        page = Page.from_html("<p>" + "ab " * size)
        assert len(Ncleaner.shipped().score(page, Ncleaner.shipped().segment(page))) == (size > 0)

    @pytest.mark.slow
    @pytest.mark.parametrize("piece", ["a", "|", " | ", ".", "😀 ", "昨天。", "\u200b"])
    def test_the_time_stays_linear(self, piece: str) -> None:
        def seconds(times: int) -> float:
            page, method = Page.from_text("x" + piece * times), Ncleaner.shipped()
            return min(
                timeit.repeat(lambda: method.score(page, method.segment(page)), number=1, repeat=3, timer=process_time)
            )

        # Quadratic time would take 64 times as long.
        assert seconds(800_000) < 24 * max(seconds(100_000), 0.001)


class TestScores:
    def test_bits_are_a_mean_over_characters_and_the_edge(self) -> None:
        spans = np.array([0], np.int32), np.array([3], np.int32)
        assert plain(2.0).bits("aab", *spans).tolist() == [4.0 / 4]

    def test_the_bias_lies_at_a_half(self) -> None:
        table = plain(bias=0.25)
        assert table.scores(np.array([0.25])).tolist() == [0.5]
        assert (np.diff(table.scores(np.array([-1.0, 0.0, 1.0]))) < 0).all()
        assert table.scores(np.array([-1e9, 1e9])).round(6).tolist() == [1, 0]

    def test_neighbours_count_by_their_length(self) -> None:
        spans = np.array([0, 2], np.int32), np.array([1, 5], np.int32)
        alone, helped = (plain(neighbours=share).bits("b\naaa", *spans) for share in (0.0, 0.5))
        assert alone.tolist() == [0.0, 0.75]
        # Half of the neighbour's three bits over two codes of its own and half of the neighbour's four.
        assert helped.tolist() == [1.5 / 4, 3 / 5]


class TestLoops:
    """The compiled loops return what the same file returns as plain Python."""

    @settings(deadline=None, max_examples=60)
    @given(st.text("abc é木\u200b\U0001f600 \n", max_size=40), st.integers(1, 7))
    def test_both_sum_alike(self, text: str, order: int) -> None:
        found = [summed(module, text, order, 0, len(text) // 2, len(text)) for module in (fast_ngrams, PLAIN)]
        assert found[0] == found[1]

    @settings(deadline=None, max_examples=30)
    @given(st.text(max_size=40))
    def test_both_fold_alike(self, text: str) -> None:
        found = []
        for module in (fast_ngrams, PLAIN):
            codes = np.zeros(len(text), np.uint8)
            found.append(codes[: module.fold(text, 0, len(text), folding(), codes)].tolist())
        assert found[0] == found[1]

    def test_the_longest_known_end_of_a_history_counts(self) -> None:
        # a: only the unigram is known; b after a and an edge: the trigram; the edge at the end: the unigram.
        assert summed(fast_ngrams, "ab", 5, 0, 2) == ([-1.0 + 4.0 + 0.5], [3])

    @pytest.mark.parametrize(("order", "bits"), [(1, -1.0 + 2.0 + 0.5), (2, -1.0 + 0.25 + 0.5)])
    def test_no_longer_n_gram_is_used_than_the_order_allows(self, order: int, bits: float) -> None:
        assert summed(fast_ngrams, "ab", order, 0, 2)[0] == [bits]


class TestSegments:
    def test_kinds_become_tags(self) -> None:
        html = f"<h1>Rain</h1><p><b>The weather</b><p>It rained.<ul><li>Again</ul><p>{STORY[0]}"
        written = formats.render(extract(html, method=Ncleaner({OTHERWISE: plain()})), "cleaneval")
        assert [line[:3] for line in written.splitlines()] == ["<h>", "<h>", "<p>", "<l>", "<p>"]

    def test_a_line_that_only_looks_like_a_heading_is_one(self) -> None:
        blocks = list(cut(Page.from_html("<h2>Tagged</h2><p>By its looks<p>A sentence.<p>" + "long " * 20)))
        assert [(block.kind, block.level) for block in blocks[:3]] == [(Kind.HEADING, 2), (Kind.HEADING, 6), (0, 0)]
        assert blocks[3].kind is Kind.PARAGRAPH

    @pytest.mark.parametrize(
        ("text", "obvious"),
        [
            ("Home | News | Sport", True),
            ("© 2026 The Courier || Terms || Imprint", True),
            ("a | b", False),
            ("— — —", True),
            ("1911", False),
            ("|".join(["x" * 300] * 4), False),
            (" | ".join(["A sentence that is far too long to be a field of a navigation line, and more"] * 3), False),
        ],
    )
    def test_obvious_boilerplate(self, text: str, obvious: bool) -> None:
        assert obvious_boilerplate([text]).tolist() == [obvious]


class TestAlphabet:
    def test_ascii_keeps_its_codes_except_for_the_backtick(self) -> None:
        unlike = [code for code in range(32, 127) if folding()[code] != code]
        assert unlike == [ord("`")]

    @pytest.mark.parametrize(
        ("character", "code"),
        [
            ("ä", ord("a")), ("É", ord("E")), ("ß", ord("s")), ("ł", ord("l")), ("ﬁ", ord("f")), ("’", ord("'")),
            ("—", ord("-")), ("。", ord(".")), ("Ａ", ord("A")), ("٣", ord("3")), ("\u00a0", BLANK), ("\u00ad", 0),
            ("а", CYRILLIC), ("Я", CYRILLIC + 63), ("α", GREEK), ("Ω", GREEK + 48), ("木", SCRIPTS["CJK"]),
            ("あ", SCRIPTS["HIRAGANA"]), ("한", SCRIPTS["HANGUL"]), ("ש", SCRIPTS["HEBREW"]), ("अ", LETTER),
        ],
    )  # fmt: skip
    def test_characters_fold_to_their_relatives(self, character: str, code: int) -> None:
        assert folding()[ord(character)] == code

    def test_no_character_is_taken_for_an_edge(self) -> None:
        assert EDGE not in folding()
        assert EDGE not in folding(lexical=False)

    def test_without_words_letters_are_a_and_digits_0(self) -> None:
        codes = folding(lexical=False)
        assert {int(codes[ord(letter)]) for letter in "azAZéЖωש한"} == {ord("a")}
        assert {int(codes[ord(digit)]) for digit in "0189"} == {ord("0")}
        assert codes[ord("木")] == SCRIPTS["CJK"]


class TestLanguages:
    @pytest.mark.parametrize(
        ("text", "language"),
        [
            ("Вчера мы были у реки, и дождь шёл весь вечер.", "ru"),
            ("Вчора ми були біля річки, і дощ ішов увесь вечір.", "und"),
            ("Χθες έβρεχε όλη την ημέρα", "el"),
            ("昨天下了一整天的雨", "zh"),
            ("昨日は一日中雨でした", "und"),
            ("어제는 하루 종일 비가 왔다", "und"),
            ("Wczoraj przez cały dzień padał śnieg, więc zostaliśmy w domu", "pl"),
            ("It rained all day", None),
            ("", None),
        ],
    )
    def test_letters_decide_on_the_language(self, text: str, language: str | None) -> None:
        assert language_by_letters(text) == language

    def test_letters_count_more_than_the_declaration(self) -> None:
        assert language_of(Page.from_html("<html lang=en><p>Χθες έβρεχε όλη την ημέρα")) == "el"

    def test_each_language_has_its_table_and_all_others_one_without_words(self) -> None:
        tables = Ncleaner.shipped().tables
        assert {"en", "de", "pl", "ru", "zh", OTHERWISE} <= set(tables)
        assert not tables[OTHERWISE].lexical
        assert Ncleaner.shipped().table_for(Page.from_html("<html lang=fi><p>Terve")) is tables[OTHERWISE]
        assert Ncleaner.shipped().table_for(Page.from_html(f"<p>{STORY[0]}")) is tables["en"]

    @pytest.mark.parametrize("name", ["nc-de", "nc-fr", "nc-es"])
    def test_pages_in_other_languages_come_out_right(self, name: str) -> None:
        page = (PAGES / name / "source.html").read_bytes()
        pinned = json.loads((PAGES / name / "expected.json").read_text(encoding="utf-8"))
        assert misses(pinned, extract(page, method="ncleaner").text) == []


class TestFolder:
    def test_it_is_small_and_names_its_sources(self) -> None:
        assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_000_000
        about = json.loads((FOLDER / "model.json").read_text())
        assert all(source["licence"] for source in about["trained_on"])
        assert about["command"].startswith("dehusk train ncleaner")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"format": 99}, "has format 99"),
            ({"tables": {}}, "lacks the table"),
            ({"tables": {"all": {}}}, "is not what"),
            ({"tables": 3}, "is not what"),
        ],
    )
    def test_another_folder_is_refused_with_its_name(self, tmp_path: Path, change: Any, message: str) -> None:
        shutil.copytree(FOLDER, tmp_path / "m")
        path = tmp_path / "m" / "model.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
        with pytest.raises(ModelError, match=message):
            Ncleaner.load(tmp_path / "m")

    @pytest.mark.parametrize(
        "fact", [{"n": 0}, {"n": 8}, {"n": float("inf")}, {"bias": "nan"}, {"slope": 0}, {"neighbours": 2}]
    )
    def test_numbers_out_of_range_are_refused(self, tmp_path: Path, fact: Any) -> None:
        shutil.copytree(FOLDER, tmp_path / "m")
        path = tmp_path / "m" / "model.json"
        about = json.loads(path.read_text())
        about["tables"][OTHERWISE] |= fact
        path.write_text(json.dumps(about))
        with pytest.raises(ModelError, match="is not what"):
            Ncleaner.load(tmp_path / "m")

    @pytest.mark.parametrize("bits", [np.full(3, np.nan), np.zeros(2), np.array(["a"] * 3)])
    def test_damaged_values_are_refused(self, tmp_path: Path, bits: NDArray[Any]) -> None:
        facts = {"n": 1, "lexical": True, "bias": 0, "slope": 1, "neighbours": 0}
        about = {"format": 1, "name": "mine", "tables": {OTHERWISE: facts}}
        (tmp_path / "model.json").write_text(json.dumps(about))
        arrays: dict[str, Any] = {"all.keys": np.ones(3, np.int64), "all.bits": bits}
        np.savez(tmp_path / "weights.npz", **arrays)
        with pytest.raises(ModelError, match="is not what"):
            Ncleaner.load(tmp_path)

    def test_a_damaged_or_missing_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="cannot be read"):
            Ncleaner.load(tmp_path)
        data = bytearray((FOLDER / "weights.npz").read_bytes())
        data[len(data) // 2] ^= 0xFF
        (tmp_path / "weights.npz").write_bytes(data)
        with pytest.raises(ModelError, match="damaged"):
            Ncleaner.load(tmp_path)


@pytest.mark.slow
def test_about_a_million_words_per_second() -> None:
    pages = [(folder / "source.html").read_bytes() for folder in FOLDERS if (folder / "source.html").exists()]
    assert measure(pages, 3)["n-grams alone"] > 500_000


DUMP = """   [1]Home | [2]News | [3]Contact

   Shearing

   The shearers came on the [4]second of June, four of them, with their own stand and no dog. By the evening of the
   third they had done the whole flock.

     * sheep
     * wool and what is made of it

    1. first the gate
    2. then the dog

References

   1. http://example.org/
   2. http://example.org/news?a=1&b=2
"""


class TestPlainText:
    def test_bullets_and_numbers_are_list_items(self) -> None:
        blocks = cut(Page.from_text(DUMP))
        items = [
            text for text, kind in zip(blocks.strings(), blocks.kinds()[0].tolist(), strict=True) if kind == Kind.ITEM
        ]
        assert items[:4] == ["* sheep", "* wool and what is made of it", "1. first the gate", "2. then the dog"]

    def test_lynxs_numbers_of_links_count_for_nothing_and_its_references_go(self) -> None:
        text = extract(Page.from_text(DUMP), method="ncleaner").text
        assert "The shearers came" in text
        assert "http" not in text
        assert "References" not in text
        bare = DUMP.replace("[4]", "")
        scores = [extract(Page.from_text(each), method="ncleaner").scores.values[2] for each in (DUMP, bare)]
        assert scores[0] == pytest.approx(scores[1], abs=1e-6)

    def test_html_keeps_numbers_in_brackets(self) -> None:
        page = Page.from_html("<p>References</p><p>See [4]there.</p>")
        assert not obvious_boilerplate(cut(page).strings()).any()


class TestSettings:
    def test_bits_are_explained(self) -> None:
        page = Page.from_text("Home | News | Contact\n\nIt rained all day, and nobody went out of the house.")
        because = Extractor(Ncleaner.shipped(), explain=True).extract(page).because
        assert because is not None
        first, second = because
        assert first == ("- it matches a boilerplate pattern",)
        assert re.fullmatch(r"\+ \+\d\.\d\d bits per character; -0\.10 are needed", second[0])

    def test_shorter_n_grams_are_as_if_trained_with(self) -> None:
        page = Page.from_text("It rained all day, and nobody went out of the house.")
        usual, short = Ncleaner.shipped(), adjusted(Ncleaner.shipped(), {"n": 2})
        assert short.score(page, cut(page)).values != usual.score(page, cut(page)).values
        assert pickle.loads(pickle.dumps(short)).order == 2
        for wrong in (0, 7):
            with pytest.raises(UsageError, match="n must lie between 1 and 6") as caught:
                adjusted(usual, {"n": wrong})
            assert caught.value.setting == "n"
        with pytest.raises(UsageError, match=r"n must be a whole number from 1 to .*, got 2.5"):
            adjusted(usual, {"n": 2.5})

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk import Blocks
from dehusk.features import LOGS
from dehusk.features.fast_text import TextRow
from dehusk.features.links import link_density
from dehusk.features.text import NAMES, text_features

COUNTS = NAMES[: TextRow.WORD_LENGTH]


def feature(name: str, *texts: str) -> list[float]:
    """Return one feature of blocks with these texts; counts as the counts that they are."""
    row = text_features(Blocks.of(*((text, 0) for text in texts))).matrix[NAMES.index(name)]
    return [round(float(value), 3) for value in (np.expm1(row) if name in COUNTS else row)]


def words(text: str) -> float:
    return float(text_features(Blocks.of((text, 0))).words[0])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Home", 1),
        ("to be or not", 4),
        ("Вчера шёл дождь", 3),
        ("오늘 날씨", 2),
        ("今天天气", 1 + 2),  # two characters make a word, and one more is begun
        ("今天天气很好。", 1 + 3),
        ("ดีมาก", 1 + 2),
        ("วันนี้ ดี", 2 + 4),
    ],
)
def test_words_are_counted_in_scripts_with_blanks_and_without(text: str, count: int) -> None:
    assert words(text) == count
    assert feature("words", text) == [count]


@pytest.mark.parametrize("stop", [*".!?…。！？।؟።։"])
def test_every_script_has_its_full_stop(stop: str) -> None:
    assert feature("stops", f"abc{stop}") == [1]
    assert feature("ends_in_stop", f"abc{stop}", f"{stop}abc") == [1, 0]


@pytest.mark.parametrize("comma", [*",;:،、，；："])
def test_every_script_has_its_comma(comma: str) -> None:
    assert feature("commas_per_word", f"one{comma} two") == [0.5]
    assert feature("ends_in_comma", f"Share{comma}", f"a{comma}b") == [1, 0]


def test_characters_are_counted_as_what_they_are() -> None:
    text = "Ab 12 木😀"
    shares = {name: feature(f"{name}_share", text)[0] for name in ("upper", "letter", "digit", "unspaced", "other")}
    assert shares == {"upper": 0.125, "letter": 0.125, "digit": 0.25, "unspaced": 0.125, "other": 0.125}
    assert feature("characters", text) == [8]


@pytest.mark.parametrize("text", ["Ünal Çelik", "Άρης Ζευς", "Лев Толстой", "Ǆemal Ǆemal"])
def test_capitals_are_known_in_every_script_that_has_them(text: str) -> None:
    assert feature("capitalised", text, text.lower()) == [1, 0]
    assert feature("starts_upper", text, text.lower()) == [1, 0]


def test_capitals_within_words_do_not_begin_them() -> None:
    assert feature("capitalised", "iPhone eBay") == [0]
    assert feature("upper_share", "iPhone eBay") == [round(2 / 11, 3)]


def test_money_and_signs_are_counted_up_to_two() -> None:
    assert feature("money", "free", "€5", "$5 or £4", "¥1 ¥2 ¥3") == [0, 1, 2, 2]
    assert feature("signs", "2026", "© 2026", "Dehusk™ by Husk®", "© © ©") == [0, 1, 2, 2]


def test_rules_and_quotes_are_counted_by_words() -> None:
    assert feature("rules_per_word", "Home | News") == [round(1 / 3, 3)]  # the rule between blanks counts as a word
    assert feature("quotes_per_word", "“Yes” (no)") == [2]
    assert feature("rules_per_word", "»»»»»") == [2]  # and never more


def test_how_a_block_begins_and_ends_is_told() -> None:
    texts = ("plain", "FAQ", "3 apples", "© 2026", "“Quoted.”", "A sentence.")
    assert feature("ends_in_letter", *texts) == [1, 0, 1, 0, 0, 0]
    assert feature("starts_upper", *texts) == [0, 1, 0, 0, 0, 1]
    assert feature("starts_digit", *texts) == [0, 0, 1, 0, 0, 0]
    assert feature("starts_other", *texts) == [0, 0, 0, 1, 1, 0]


def test_the_length_of_words_is_told_in_tens_and_bounded() -> None:
    assert feature("word_length", "abcde abcde", "a" * 1000) == [0.5, 3]


def test_counts_beyond_the_table_of_logarithms_are_its_last() -> None:
    many = text_features(Blocks.of(("a. " * 100_000 + "b", 0))).matrix
    assert many[:3, 0].tolist() == [LOGS[-1]] * 3


def test_link_density_is_the_share_of_characters_in_links() -> None:
    assert link_density(Blocks.of(("Home", 4), ("halfhalf", 4), ("none", 0))).tolist() == [1, 0.5, 0]


def test_a_block_says_the_same_whatever_stands_round_it() -> None:
    one = text_features(Blocks.of(("A sentence, and € 5.", 0))).matrix
    three = text_features(Blocks.of(("© 2026", 0), ("A sentence, and € 5.", 0), ("木木木", 3))).matrix
    assert one[:, 0].tolist() == three[:, 1].tolist()


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_pages_of_any_length_have_one_column_a_block(count: int) -> None:
    blocks = Blocks.of(*[("text", 0)] * count)
    found = text_features(blocks)
    assert found.matrix.shape == (len(NAMES), count)
    assert found.words.shape == link_density(blocks).shape == (count,)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(min_size=1).filter(lambda text: bool(text.strip())), max_size=5))
def test_any_text_has_finite_numbers_within_their_bounds(texts: list[str]) -> None:
    matrix = text_features(Blocks.of(*((text, 0) for text in texts))).matrix
    assert np.isfinite(matrix).all()
    assert (matrix >= 0).all()
    assert (matrix[len(COUNTS) :] <= 3).all()

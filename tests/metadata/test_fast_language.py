"""The compiled model of languages finds what py3langid finds, whose tables it reads, and what its own source does."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.metadata.language import MEMORY, TAKEN_FOR, UNIT, _classified, _detector, _moves, _whole
from tests.helpers.compiled import uncompiled
from tests.metadata.test_language import SENTENCES

plain = uncompiled("dehusk.metadata.fast_language")


@pytest.fixture(scope="module")
def theirs() -> Any:
    langid = import_module("py3langid.langid")
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


@pytest.mark.parametrize("code", SENTENCES)
def test_a_language_is_as_likely_as_py3langid_says(code: str, theirs: Any) -> None:
    for text in (SENTENCES[code], SENTENCES[code].upper(), SENTENCES[code] * 20, SENTENCES[code][:9]):
        name, confidence = _classified(text)
        expected, likelihood = theirs.classify(text)
        assert TAKEN_FOR.get(name, name) == TAKEN_FOR.get(expected, expected)
        assert confidence == pytest.approx(likelihood, abs=1e-4)


def test_what_has_no_feature_is_as_likely_to_be_any_language(theirs: Any) -> None:
    codes, _ = _detector()
    name, confidence = _classified("")
    # The first of those that are written in two scripts, and have two shares of the whole.
    assert name == theirs.classify("")[0]
    assert confidence == pytest.approx(2 / len(codes))


def small(module: Any) -> Any:
    """A model of two letters and three classes, of which the last two are the same; other bytes are no features."""
    moves = np.zeros(256, np.uint32)
    moves[ord("a")], moves[ord("b")] = 1, 2
    weights = np.array([[-2, -4, -16], [-8, -2, -3]], np.int16)
    return module.Bayes(moves, 0, 1, weights, 0.5, np.array([-1, -1, -1], np.float32), [(1, 2)])


def counted(model: Any, text: bytes) -> dict[int, int]:
    """Return how often each feature stands in a text."""
    room = plain.Room(3)
    model.read(text, room)
    count = model.count(min(len(text), plain.LONGEST), room)
    return dict(zip(room.found[:count].tolist(), room.often[:count].tolist(), strict=True))


def test_a_small_model_can_be_checked_by_hand() -> None:
    model = small(plain)
    assert counted(model, b"aab c") == {0: 2, 1: 1}
    place, likelihood = model.likeliest(b"b")
    scores = np.exp(-1 + np.log(2) * np.array([-4, -1, -1.5]))
    assert place == 1
    assert likelihood == pytest.approx(scores[1:].sum() / scores.sum())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text("abc", max_size=60).map(str.encode))
def test_the_compiled_model_finds_what_its_source_does(data: bytes) -> None:
    from dehusk.metadata import fast_language as language  # noqa: PLC0415  (beside its plain twin)

    place, likelihood = small(language).likeliest(data)
    assert (place, pytest.approx(likelihood, abs=1e-5)) == small(plain).likeliest(data)


def test_no_more_is_looked_at_than_there_are_logarithms_for() -> None:
    assert counted(small(plain), b"a" * (plain.LONGEST + 9)) == {0: plain.LONGEST}


def test_a_text_is_read_in_several_places_as_it_is_from_its_start(theirs: Any) -> None:
    # Features are found by what lies before them, and each part of a text begins where that has been forgotten.
    moves = _moves(theirs)
    model = plain.Bayes(moves, int(theirs.tk_row[0]), MEMORY, np.zeros((len(theirs.nb_ptc), 1)), 1.0, np.zeros(1), [])
    text = " ".join(SENTENCES.values()).encode()
    room = plain.Room(1)
    model.read(text, room)
    row, told = int(theirs.tk_row[0]), []
    for letter in text:
        row, feature = divmod(int(moves[256 * row + letter]), len(theirs.nb_ptc) + 1)
        told.append(feature)
    assert room.told[: len(text)].tolist() == told
    assert sum(map(bool, told)) > len(text) / 2


def test_many_heavy_features_are_no_trouble_to_the_source() -> None:
    moves = np.arange(1, 257, dtype=np.uint32)
    model = plain.Bayes(moves, 0, 1, np.full((256, 3), -30000, np.int16), 1.0, np.zeros(3, np.float32), [])
    assert model.likeliest(bytes(range(256))) == (0, pytest.approx(1 / 3))


def test_weights_lose_nothing_as_whole_numbers(theirs: Any) -> None:
    assert np.array_equal(_whole(theirs.nb_ptc) * np.float32(UNIT), theirs.nb_ptc)


def test_threads_do_not_meet_in_a_room() -> None:
    texts = [*SENTENCES.values()] * 50
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(_classified, texts)) == [_classified(text) for text in texts]


@pytest.mark.parametrize("module", ["compiled", "source"])
def test_letters_are_counted_up_to_what_is_enough(module: str) -> None:
    has_letters = (import_module("dehusk.metadata.fast_language") if module == "compiled" else plain).has_letters
    assert has_letters("1 a é 語 -", 3)
    assert not has_letters("1 a é 語 -", 4)

"""The compiled classifier agrees with py3langid, whose tables it reads, and with its own source as plain Python."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.metadata.language import REPLACED_CODES, _classify
from dehusk.metadata.language_model import MEMORY, UNIT, _moves, _whole_weights, language_model
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
        name, confidence = _classify(text)
        expected, likelihood = theirs.classify(text)
        assert REPLACED_CODES.get(name, name) == REPLACED_CODES.get(expected, expected)
        assert confidence == pytest.approx(likelihood, abs=1e-4)


def test_without_features_all_languages_are_equally_likely(theirs: Any) -> None:
    codes, _ = language_model()
    name, confidence = _classify("")
    # The first language with two scripts, which has two classes.
    assert name == theirs.classify("")[0]
    assert confidence == pytest.approx(2 / len(codes))


def small(module: Any) -> Any:
    """Return a model of two letters and three classes, the last two of which are the same language."""
    moves = np.zeros(256, np.uint32)
    moves[ord("a")], moves[ord("b")] = 1, 2
    weights = np.array([[-2, -4, -16], [-8, -2, -3]], np.int16)
    return module.NaiveBayes(moves, 0, 1, weights, 0.5, np.array([-1, -1, -1], np.float32), [(1, 2)])


def counted(model: Any, text: bytes) -> dict[int, int]:
    """Return how often each feature occurs in a text."""
    work = plain.Workspace(3)
    model.find_features(text, work)
    count = model.count_features(min(len(text), plain.MAX_BYTES), work)
    return dict(zip(work.features[:count].tolist(), work.counts[:count].tolist(), strict=True))


def test_a_small_model_can_be_checked_by_hand() -> None:
    model = small(plain)
    assert counted(model, b"aab c") == {0: 2, 1: 1}
    index, probability = model.likeliest(b"b")
    scores = np.exp(-1 + np.log(2) * np.array([-4, -1, -1.5]))
    assert index == 1
    assert probability == pytest.approx(scores[1:].sum() / scores.sum())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text("abc", max_size=60).map(str.encode))
def test_the_compiled_model_agrees_with_its_source(data: bytes) -> None:
    from dehusk.metadata import fast_language as language  # noqa: PLC0415  (beside its plain twin)

    index, probability = small(language).likeliest(data)
    assert (index, pytest.approx(probability, abs=1e-5)) == small(plain).likeliest(data)


def test_long_texts_are_cut() -> None:
    assert counted(small(plain), b"a" * (plain.MAX_BYTES + 9)) == {0: plain.MAX_BYTES}


def test_reading_in_several_places_finds_the_same_features(theirs: Any) -> None:
    # Each chain starts early enough that the bytes before it do not matter.
    moves = _moves(theirs)
    model = plain.NaiveBayes(
        moves, int(theirs.tk_row[0]), MEMORY, np.zeros((len(theirs.nb_ptc), 1)), 1.0, np.zeros(1), []
    )
    text = " ".join(SENTENCES.values()).encode()
    work = plain.Workspace(1)
    model.find_features(text, work)
    row, features = int(theirs.tk_row[0]), []
    for letter in text:
        row, feature = divmod(int(moves[256 * row + letter]), len(theirs.nb_ptc) + 1)
        features.append(feature)
    assert work.feature_at[: len(text)].tolist() == features
    assert sum(map(bool, features)) > len(text) / 2


def test_large_weights_do_not_overflow() -> None:
    moves = np.arange(1, 257, dtype=np.uint32)
    model = plain.NaiveBayes(moves, 0, 1, np.full((256, 3), -30000, np.int16), 1.0, np.zeros(3, np.float32), [])
    assert model.likeliest(bytes(range(256))) == (0, pytest.approx(1 / 3))


def test_whole_weights_are_exact(theirs: Any) -> None:
    assert np.array_equal(_whole_weights(theirs.nb_ptc) * np.float32(UNIT), theirs.nb_ptc)


def test_threads_do_not_share_a_workspace() -> None:
    texts = [*SENTENCES.values()] * 50
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(_classify, texts)) == [_classify(text) for text in texts]


@pytest.mark.parametrize("module", ["compiled", "source"])
def test_letters_are_counted(module: str) -> None:
    has_letters = (import_module("dehusk.metadata.fast_language") if module == "compiled" else plain).has_letters
    assert has_letters("1 a é 語 -", 3)
    assert not has_letters("1 a é 語 -", 4)

"""The compiled model of languages finds what py3langid finds, whose tables it reads, and what its own source does."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.metadata.language import TAKEN_FOR, _classified, _detector
from tests.metadata.test_language import SENTENCES
from tests.test_core import CORE, uncompiled

plain = uncompiled(CORE / "language.py")


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
    weights = np.array([[-1, -2, -8], [-4, -1, -1.5]], np.float32)
    return module.Bayes(moves, 0, weights, np.array([-1, -1, -1], np.float32), [(1, 2)])


def test_a_small_model_can_be_checked_by_hand() -> None:
    model = small(plain)
    assert model.counted(b"aab c") == {0: 2, 1: 1}
    place, likelihood = model.likeliest(b"b")
    scores = np.exp(-1 + np.log(2) * np.array([-4, -1, -1.5]))
    assert place == 1
    assert likelihood == pytest.approx(scores[1:].sum() / scores.sum())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text("abc", max_size=60).map(str.encode))
def test_the_compiled_model_finds_what_its_source_does(data: bytes) -> None:
    from dehusk.core import language  # noqa: PLC0415  (beside its plain twin)

    place, likelihood = small(language).likeliest(data)
    assert (place, pytest.approx(likelihood, abs=1e-5)) == small(plain).likeliest(data)


def test_no_more_is_looked_at_than_there_are_logarithms_for() -> None:
    assert small(plain).counted(b"a" * (plain.LONGEST + 9)) == {0: plain.LONGEST}

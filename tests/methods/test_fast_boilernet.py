"""The compiled loops of boilernet return what the same file returns as plain Python."""

import numpy as np
import pytest

from dehusk import Page
from dehusk.methods.boilernet import fast_features as boilernet
from dehusk.methods.boilernet import features
from dehusk.methods.boilernet.features import Vocabulary, boilernet_features, cut, tokens
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled

PLAIN = uncompiled(boilernet)
TEXTS = ("", "Rain, rain!", "Ünïcödé 三木 \U0001f600x", "\u200b", "a" * 300, "1987-2024")


@pytest.mark.parametrize("text", TEXTS)
def test_words_and_numbers(text: str) -> None:
    tables = features._classes(), features._lowered()
    assert boilernet.split_words(text, *tables) == PLAIN.split_words(text, *tables)
    assert boilernet.hash_word(text) == PLAIN.hash_word(text)


def test_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page.from_bytes((folder / "source.html").read_bytes()) for folder in FOLDERS[:6]]
    pages.append(Page.from_html("<p>".join(TEXTS)))
    vocabulary = Vocabulary.of(["div", "p", "li"], sorted(set(tokens(pages[0].text)))[::2])
    compiled = [boilernet_features(cut(page), vocabulary) for page in pages]
    monkeypatch.setattr(features, "LeafCounter", PLAIN.LeafCounter)
    for page, ours in zip(pages, compiled, strict=True):
        plain = boilernet_features(cut(page), vocabulary)
        for name in ("rows", "columns", "values"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))


@pytest.mark.parametrize("entries", [0, 1, 40])
def test_sums(entries: int) -> None:
    random = np.random.default_rng(entries)
    rows, columns = np.sort(random.integers(0, 6, entries)), random.integers(0, 9, entries)
    values, table = random.random(entries, np.float32), random.random((9, 5), np.float32)
    ours, plain = np.ones((6, 5), np.float32), np.ones((6, 5), np.float32)
    boilernet.add_entries(rows, columns, values, table, ours)
    PLAIN.add_entries(rows, columns, values, table, plain)
    np.testing.assert_allclose(ours, plain, rtol=1e-6)
    dense = np.zeros((6, 9))
    np.add.at(dense, (rows, columns), values)
    np.testing.assert_allclose(ours, dense @ table + 1, rtol=1e-6)

"""boilernet's compiled core counts what the same file counts as plain Python."""

import numpy as np
import pytest

from dehusk import Page
from dehusk.core import boilernet
from dehusk.features import boilernet as features
from dehusk.features.boilernet import Vocabulary, boilernet_features, cut, tokens
from tests.golden import FOLDERS
from tests.test_core import CORE, uncompiled

PLAIN = uncompiled(CORE / "boilernet.py")
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
    monkeypatch.setattr(features, "count_leaves", PLAIN.count_leaves)
    for page, ours in zip(pages, compiled, strict=True):
        plain = boilernet_features(cut(page), vocabulary)
        for name in ("rows", "columns", "values"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))

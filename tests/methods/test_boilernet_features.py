"""boilernet's features: words and counts as in the vectors, in Python and in JavaScript."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dehusk import Page
from dehusk.methods.boilernet import fast_features, features
from dehusk.methods.boilernet.features import BoilernetVocabulary, Entries, boilernet_features, cut, tokens
from testing.needed import skip_unless
from tests.golden import FOLDERS
from tests.helpers.compiled import uncompiled

ROOT = Path(__file__).parent.parent.parent
PATH = ROOT / "tests" / "methods" / "boilernet-vectors.json"
VECTORS: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
PLAIN = uncompiled(fast_features)
TEXTS = ("", "Rain, rain!", "Ünïcödé 三木 \U0001f600x", "\u200b", "a" * 300, "1987-2024")
EVERY = 0x10100  # the first plane, and some of what is beyond
SCRIPT = """
import { readFileSync } from "node:fs";
import { features, tokens, vocabulary } from "%s";
const vectors = JSON.parse(readFileSync("%s", "utf8"));
const found = features(vectors.leaves, vocabulary(vectors.vocabulary));
console.log(JSON.stringify({
  tokens: vectors.tokens.map(({ text }) => tokens(text)),
  rows: [...found.rows].map(Number),
  columns: [...found.columns].map(Number),
  values: [...found.values],
  every: tokens(Array.from({ length: %d }, (_, code) => `a${String.fromCodePoint(code)}b `).join("")),
}));
"""


def counts(found: Entries, width: int) -> NDArray[np.float64]:
    """Return the counts as a matrix with one row per leaf."""
    matrix = np.zeros((found.leaves, width))
    matrix[found.rows, found.columns] = np.expm1(found.values).round()
    return matrix


@pytest.mark.parametrize("vector", VECTORS["tokens"], ids=range(len(VECTORS["tokens"])))
def test_words_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    assert tokens(vector["text"]) == vector["words"]


@pytest.mark.slow  # `make check` does without Node
def test_javascript_returns_the_same() -> None:
    skip_unless(shutil.which("node"), "Node")
    script = SCRIPT % (ROOT / "web" / "boilernet.mjs", PATH, EVERY)
    done = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["tokens"] == [vector["words"] for vector in VECTORS["tokens"]]
    found = Entries(result["rows"], result["columns"], np.array(result["values"]), len(VECTORS["leaves"]))
    assert counts(found, len(VECTORS["counts"][0])).tolist() == VECTORS["counts"]
    # Surrogates are no characters. All others must agree, whatever the versions of Unicode on either side.
    assert result["every"] == tokens("".join(f"a{chr(code)}b " for code in range(EVERY)))


def test_counts_are_those_of_the_vectors() -> None:
    vocabulary = BoilernetVocabulary.of(**VECTORS["vocabulary"])
    for leaf, expected in zip(VECTORS["leaves"][:2], VECTORS["counts"], strict=False):
        opened = "".join(f"<{tag}>" for tag in leaf["tags"])
        found = boilernet_features(cut(Page.from_html(opened + leaf["text"])), vocabulary)
        assert counts(found, vocabulary.width).tolist() == [expected]


def test_text_without_tags_has_words_only() -> None:
    vocabulary = BoilernetVocabulary.of(**VECTORS["vocabulary"])
    found = boilernet_features(cut(Page.from_text("三木三\n\u200b")), vocabulary)
    assert counts(found, vocabulary.width).tolist() == [VECTORS["counts"][2], [0.0] * vocabulary.width]


@pytest.mark.parametrize("folder", FOLDERS[:12], ids=lambda folder: folder.name)
def test_counts_are_those_of_the_words(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    blocks = cut(page)
    every = sorted({word for text in blocks.strings() for word in tokens(text)})
    vocabulary = BoilernetVocabulary.of(["p", "div"], every[::2])
    matrix = counts(boilernet_features(blocks, vocabulary), vocabulary.width)
    for row, text in zip(matrix, blocks.strings(), strict=True):
        words = tokens(text)
        assert row[3] == sum(word not in vocabulary.words for word in words)
        assert row[4:].tolist() == [words.count(word) for word in vocabulary.words]


def test_a_part_has_the_entries_of_its_leaves_alone() -> None:
    vocabulary = BoilernetVocabulary.of(["p"], ["a", "b"])
    blocks = cut(Page.from_html("<p>a<p>b a<p>c<p>b b"))
    found = boilernet_features(blocks, vocabulary)
    part = counts(found.part(1, 3), vocabulary.width)
    assert part.tolist() == counts(found, vocabulary.width)[1:3].tolist()


@pytest.mark.parametrize("text", TEXTS)
def test_compiled_words_and_hashes_are_those_of_plain_python(text: str) -> None:
    tables = features._classes(), features._lowered()
    assert fast_features.split_words(text, *tables) == PLAIN.split_words(text, *tables)
    assert fast_features.hash_word(text) == PLAIN.hash_word(text)


def test_compiled_entries_are_those_of_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [Page.from_bytes((folder / "source.html").read_bytes()) for folder in FOLDERS[:6]]
    pages.append(Page.from_html("<p>".join(TEXTS)))
    vocabulary = BoilernetVocabulary.of(["div", "p", "li"], sorted(set(tokens(pages[0].text)))[::2])
    compiled = [boilernet_features(cut(page), vocabulary) for page in pages]
    monkeypatch.setattr(features, "LeafCounter", PLAIN.LeafCounter)
    for page, ours in zip(pages, compiled, strict=True):
        plain = boilernet_features(cut(page), vocabulary)
        for name in ("rows", "columns", "values"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))


@pytest.mark.parametrize("entries", [0, 1, 40])
def test_compiled_sums_are_those_of_plain_python(entries: int) -> None:
    random = np.random.default_rng(entries)
    rows, columns = np.sort(random.integers(0, 6, entries)), random.integers(0, 9, entries)
    values, table = random.random(entries, np.float32), random.random((9, 5), np.float32)
    ours, plain = np.ones((6, 5), np.float32), np.ones((6, 5), np.float32)
    fast_features.add_entries(rows, columns, values, table, ours)
    PLAIN.add_entries(rows, columns, values, table, plain)
    np.testing.assert_allclose(ours, plain, rtol=1e-6)
    dense = np.zeros((6, 9))
    np.add.at(dense, (rows, columns), values)
    np.testing.assert_allclose(ours, dense @ table + 1, rtol=1e-6)

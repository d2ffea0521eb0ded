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
from dehusk.methods.boilernet.features import Entries, Vocabulary, boilernet_features, cut, tokens
from tests.golden import FOLDERS

ROOT = Path(__file__).parent.parent.parent
PATH = ROOT / "tests" / "methods" / "boilernet-vectors.json"
VECTORS: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
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


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_returns_the_same() -> None:
    script = SCRIPT % (ROOT / "web" / "boilernet.mjs", PATH, EVERY)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True, timeout=60
    )
    result = json.loads(done.stdout)
    assert result["tokens"] == [vector["words"] for vector in VECTORS["tokens"]]
    found = Entries(result["rows"], result["columns"], np.array(result["values"]), len(VECTORS["leaves"]))
    assert counts(found, len(VECTORS["counts"][0])).tolist() == VECTORS["counts"]
    # Surrogates are no characters. All others must agree, whatever the versions of Unicode on either side.
    assert result["every"] == tokens("".join(f"a{chr(code)}b " for code in range(EVERY)))


def test_counts_are_those_of_the_vectors() -> None:
    vocabulary = Vocabulary.of(**VECTORS["vocabulary"])
    for leaf, expected in zip(VECTORS["leaves"][:2], VECTORS["counts"], strict=False):
        opened = "".join(f"<{tag}>" for tag in leaf["tags"])
        found = boilernet_features(cut(Page.from_html(opened + leaf["text"])), vocabulary)
        assert counts(found, vocabulary.width).tolist() == [expected]


def test_text_without_tags_has_words_only() -> None:
    vocabulary = Vocabulary.of(**VECTORS["vocabulary"])
    found = boilernet_features(cut(Page.from_text("三木三\n\u200b")), vocabulary)
    assert counts(found, vocabulary.width).tolist() == [VECTORS["counts"][2], [0.0] * vocabulary.width]


@pytest.mark.parametrize("folder", FOLDERS[:12], ids=lambda folder: folder.name)
def test_counts_are_those_of_the_words(folder: Path) -> None:
    page = Page.from_bytes((folder / "source.html").read_bytes())
    blocks = cut(page)
    every = sorted({word for text in blocks.strings() for word in tokens(text)})
    vocabulary = Vocabulary.of(["p", "div"], every[::2])
    matrix = counts(boilernet_features(blocks, vocabulary), vocabulary.width)
    for row, text in zip(matrix, blocks.strings(), strict=True):
        words = tokens(text)
        assert row[3] == sum(word not in vocabulary.words for word in words)
        assert row[4:].tolist() == [words.count(word) for word in vocabulary.words]


def test_a_part_has_the_entries_of_its_leaves_alone() -> None:
    vocabulary = Vocabulary.of(["p"], ["a", "b"])
    blocks = cut(Page.from_html("<p>a<p>b a<p>c<p>b b"))
    found = boilernet_features(blocks, vocabulary)
    part = counts(found.part(1, 3), vocabulary.width)
    assert part.tolist() == counts(found, vocabulary.width)[1:3].tolist()

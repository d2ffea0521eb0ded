"""Duplicates: what is similar is found, nothing else is, and neither memory nor the parts make a difference."""

import random
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.corpus import fast_minhash
from dehusk.corpus.columns import StageWriter
from dehusk.corpus.duplicates.clusters import clusters
from dehusk.corpus.duplicates.find import FOUND, Finder
from dehusk.corpus.duplicates.keys import DOCUMENT
from dehusk.corpus.duplicates.signatures import write_signatures
from dehusk.corpus.files import PartFiles
from dehusk.corpus.settings import Duplicates
from dehusk.corpus.shingles import _classes, jaccard, shingles, signature
from tests.helpers.compiled import uncompiled


def test_compiled_and_plain_loops_agree() -> None:
    plain = uncompiled(fast_minhash)
    for text in ("", "a", "Rain, rain; go away!", "雨の日 and rain\u0301 \U0001f327 x" * 5):
        results = []
        for module in (fast_minhash, plain):
            # The plain one lets numbers of numpy overflow.
            warnings.simplefilter("ignore", RuntimeWarning)
            words = np.zeros(len(text) + 1, np.uint64)
            count = module.fill_words(text, _classes(), words)
            found = np.zeros(max(count, 1), np.uint64)
            found = found[: module.fill_shingles(words, count, 3, found)]
            values = np.zeros(7, np.uint32)
            odd = np.arange(1, 15, 2, dtype=np.uint32) * np.uint32(2654435761)
            module.fill_signature(found, odd, odd, values)
            results.append((words[:count].tolist(), found.tolist(), values.tolist()))
        assert results[0] == results[1]


def changed(text: str, share: float, seed: int) -> str:
    randomness = random.Random(seed)
    return " ".join(f"w{randomness.random()}" if randomness.random() < share else word for word in text.split())


def found_among(
    folder: Path, texts: Sequence[str], per_part: int = 50, wanted: Duplicates | None = None
) -> dict[int, tuple[int, bool]]:
    """Return for each duplicate the document that is kept, and whether it is an exact copy."""
    wanted = wanted or Duplicates()
    folder.mkdir()
    for number, first in enumerate(range(0, len(texts), per_part)):
        files, part = PartFiles(folder, number), texts[first : first + per_part]
        writer = StageWriter(files.rows)
        writer.write([{"text": text} for text in part])
        writer.close()
        entries = [(row, len(text), hash_of(text), 0, f"{first + row:024}".encode()) for row, text in enumerate(part)]
        documents = np.array(entries, DOCUMENT)
        signatures = np.stack([signature(shingles(text, wanted.words), wanted.hashes) for text in part])
        write_signatures(files, documents, signatures, wanted)
    parts = range(-(-len(texts) // per_part))
    Finder(folder, list(parts), wanted).run(folder / "out.npy")
    found = np.load(folder / "out.npy")
    assert found.dtype == FOUND
    rows = (found["document"] >> np.uint64(32)) * per_part + (found["document"] & np.uint64(0xFFFFFFFF))
    return {
        int(row): (int(each["kept"]), bool(each["exact"]))
        for row, each in zip(rows, found, strict=True)
        if not each["is_kept"]
    }


def hash_of(text: str) -> int:
    return random.Random(text).getrandbits(64)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Return 100 texts, then copies of some, and others in which a few words were replaced."""
    randomness = random.Random(1)
    originals = [" ".join(f"t{number}x{randomness.randrange(5000)}" for _ in range(400)) for number in range(100)]
    copies = [originals[number] for number in (3, 5, 5)]
    near = [changed(originals[number], 0.012, number) for number in range(10, 60)]
    far = [changed(originals[number], 0.15, number) for number in range(60, 90)]
    return [*originals, *copies, *near, *far]


def test_exact_and_near_duplicates_are_found_and_others_are_not(tmp_path: Path, texts: list[str]) -> None:
    found = found_among(tmp_path / "a", texts)
    assert {found[row] for row in (100, 101, 102)} == {(3, True), (5, True)}
    pairs = [(10 + place, 103 + place) for place in range(50)]
    true = {
        (first, second)
        for first, second in pairs
        if jaccard(shingles(texts[first], 5), shingles(texts[second], 5)) >= 0.8
    }
    assert len(true) > 40
    together = {(min(row, kept), max(row, kept)) for row, (kept, exact) in found.items() if not exact}
    assert len(true - together) <= 1
    assert together <= set(pairs)
    for first, second in together:  # the longer one is kept
        shorter = min((first, second), key=lambda row: (len(texts[row]), -row))
        assert shorter in found


def test_memory_and_parts_make_no_difference(tmp_path: Path, texts: list[str]) -> None:
    expected = found_among(tmp_path / "a", texts)
    assert found_among(tmp_path / "b", texts, per_part=7) == expected
    assert found_among(tmp_path / "c", texts, wanted=Duplicates(memory=2000)) == expected


def test_many_copies_and_many_near_copies_of_one_text(tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    near = [f"{text} end{number}" for number in range(100)]
    found = found_among(tmp_path / "a", [text] * 50 + near)
    assert len(found) == 149
    assert len({kept for kept, _ in found.values()}) == 1


def test_each_kind_can_be_switched_off(tmp_path: Path, texts: list[str]) -> None:
    exact = found_among(tmp_path / "a", texts, wanted=Duplicates(near=False))
    assert set(exact) == {100, 101, 102}
    near = found_among(tmp_path / "b", texts, wanted=Duplicates(exact=False))
    assert {100, 101, 102} < set(near)


def test_texrex_finds_much_looser_pairs(tmp_path: Path, texts: list[str]) -> None:
    loose = Duplicates(bands=100, rows=1, threshold=0.05)
    assert len(found_among(tmp_path / "a", texts, wanted=loose)) >= 3 + 50 + 30


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=60))
def test_clusters_are_what_pairs_connect(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(column, np.uint64) for column in zip(*pairs, strict=True))
    documents, roots = clusters(first, second)
    found = dict(zip(documents.tolist(), roots.tolist(), strict=True))
    expected = {number: number for pair in pairs for number in pair}
    for _ in pairs:
        for one, other in pairs:
            expected[one] = expected[other] = min(expected[one], expected[other])
    assert found == expected

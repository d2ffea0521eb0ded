"""Duplicates: what is similar is found, nothing else is, and neither memory nor the parts make a difference."""

import random
import warnings
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.corpus import fast_minhash
from dehusk.corpus.columns import StageWriter
from dehusk.corpus.duplicates.candidates import candidates
from dehusk.corpus.duplicates.clusters import clusters
from dehusk.corpus.duplicates.find import RESULT, Finder
from dehusk.corpus.duplicates.keys import DOCUMENT, KEY, band_keys, count_ranges, key_range, write_signatures
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
    assert found.dtype == RESULT
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


def test_what_signatures_leave_in_doubt_is_decided_by_the_texts(tmp_path: Path) -> None:
    """With so many words replaced at the end, 336 of 456 shingles are in both texts, or 356 of 436: 0.74 and 0.82."""
    randomness = random.Random(2)
    originals = [[f"t{number}x{randomness.randrange(5000)}" for _ in range(400)] for number in range(30)]
    for replaced, least, most in ((60, 0, 0), (40, 25, 30)):
        others = [[*words[:-replaced], *(f"o{word}" for word in words[-replaced:])] for words in originals]
        found = found_among(tmp_path / str(replaced), [" ".join(words) for words in (*originals, *others)])
        assert least <= len(found) <= most


def test_documents_with_half_of_their_digests_in_common_are_no_copies(tmp_path: Path) -> None:
    wanted = Duplicates(near=False)
    digests = [(7, 1), (7, 2), (7, 1)]
    entries = [(row, 10, high, low, f"{row:024}".encode()) for row, (high, low) in enumerate(digests)]
    signatures = np.zeros((len(entries), wanted.hashes), np.uint32)
    write_signatures(PartFiles(tmp_path, 0), np.array(entries, DOCUMENT), signatures, wanted)
    Finder(tmp_path, [0], wanted).run(tmp_path / "out.npy")
    assert np.load(tmp_path / "out.npy")["document"].tolist() == [0, 2]


@pytest.mark.parametrize("size", [40, 41])
def test_documents_that_share_a_key_are_compared_with_all_others_or_with_the_first_and_the_one_before(
    size: int,
) -> None:
    (pairs,) = candidates(np.array([(5, row) for row in range(size)], KEY))
    few = {(0, row) for row in range(1, size)} | set(pairwise(range(size)))
    assert {tuple(pair) for pair in pairs.tolist()} == (set(combinations(range(size), 2)) if size == 40 else few)


def test_pairs_of_one_key_are_in_memory_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.corpus.duplicates.candidates.CHUNK", 3)
    keys = [(key, row) for key, size in ((1, 5), (2, 2), (3, 2)) for row in range(size)]
    assert [len(pairs) for pairs in candidates(np.array(keys, KEY))] == [10, 1, 1]


def test_every_key_is_in_one_range(tmp_path: Path) -> None:
    keys = np.array([(key, 0) for key in (0, 2**63 - 1, 2**63, 2**64 - 1)], KEY)
    np.save(tmp_path / "keys.npy", keys)
    ranges = [key_range([tmp_path / "keys.npy"], place, 2)["key"].tolist() for place in range(2)]
    assert ranges == [[0, 2**63 - 1], [2**63, 2**64 - 1]]


def test_sorting_a_range_of_keys_fits_into_the_memory(tmp_path: Path) -> None:
    (tmp_path / "keys.npy").write_bytes(bytes(1_000))
    for memory, count in ((1_000, 5), (1_001, 5), (999, 6), (5_000, 1), (10_000, 1)):
        assert count_ranges([tmp_path / "keys.npy"], memory) == count


def test_signatures_are_the_same_in_every_process_and_version() -> None:
    assert signature(shingles("to be or not to be", 2), 4).tolist() == [708710718, 1297851832, 2048889102, 98437286]


def test_bands_with_the_same_hashes_have_different_keys() -> None:
    wanted = Duplicates()
    keys = band_keys(np.zeros((1, wanted.hashes), np.uint32), np.zeros(1, np.uint32), 0, wanted)
    assert len(set(keys["key"].tolist())) == wanted.bands


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

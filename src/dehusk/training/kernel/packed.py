"""Packed: all examples as a few large arrays, in one file that can be made on one machine and trained on at another."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks import cut
from dehusk.errors import InputError
from dehusk.features import Longs
from dehusk.features.tokens import Vocabulary, unpacked
from dehusk.features.tree import ABOVE
from dehusk.methods.kernel.features import NAMES, PAGE_NAMES, TAGS, view
from dehusk.page import Page
from dehusk.training.kernel.examples import PLAIN, About, Example

FORMAT: Final = 1
TOP: Final = 65535  # of numbers: each feature is stored as a share of its highest value
# Beyond this quantile a feature says no more; the few values above it are cut down to it.
HIGHEST: Final = 0.9995
LEAST_HIGH: Final = 1e-3  # for a feature that is always 0
SHARES: Final = 200  # a label is one of so many steps,
UNKNOWN: Final = 255  # or this
# A page whose features are written into the file: names alone do not tell when a feature is computed in another way.
PROBE: Final = (
    "<!doctype html><title>A title of some words</title>"
    "<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><main><h1>A title of some words</h1>"
    "<p>It rained, all day; nobody (not one) went out! <a href=/x>More</a> for £5.</p>"
    "<table><tr><td>12 mm<td>雪が降りました。</table></main><footer><p>© 2024 | Contact</p></footer>"
)
PROBE_ERROR: Final = 1e-3  # logarithms differ in their last digits from machine to machine

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Columns over all blocks of all examples, and some over the examples."""

    about: tuple[About, ...]
    vocabulary: tuple[str, ...]
    licences: Mapping[str, str]  # of each set
    skipped: Mapping[str, int]  # pages that were left out, by reason
    size: NDArray[np.int64]  # blocks of each example
    page: NDArray[np.float32]  # one row an example, one column a name in `PAGE_NAMES`
    whole: Bytes  # one row an example: bits of the tokens that are said of the page
    high: NDArray[np.float32]  # the highest value of each feature
    numbers: NDArray[np.uint16]  # one row a feature
    near: Bytes  # one row a block: bits of tokens, eight a byte
    anywhere: Bytes
    above: Bytes
    tag: Bytes
    groups: NDArray[np.int32]  # one row a way to group blocks
    words: NDArray[np.float32]
    shares: Bytes

    def __len__(self) -> int:
        return len(self.about)

    @classmethod
    def of(
        cls,
        examples: Iterable[Example],
        vocabulary: Sequence[str],
        licences: Mapping[str, str],
        skipped: Mapping[str, int],
    ) -> Self:
        """Pack examples; `skipped` may still grow while they come."""
        all_ = list(examples)
        if not all_:
            raise InputError(f"there is no page to train on; left out: {dict(skipped) or 'nothing'}")
        views, tokens = [example.view for example in all_], len(vocabulary)
        high, numbers = _quantised([view.matrix for view in views])
        return cls(
            tuple(example.about for example in all_),
            tuple(vocabulary),
            dict(licences),
            dict(skipped),
            np.array([len(view) for view in views], np.int64),
            np.stack([view.page for view in views]),
            _bits(np.stack([view.tokens.page for view in views]), tokens),
            high,
            numbers,
            np.concatenate([_bits(view.tokens.near, tokens) for view in views]),
            np.concatenate([_bits(view.tokens.anywhere, tokens) for view in views]),
            _bits(np.concatenate([view.above for view in views])[:, None], len(ABOVE)),
            np.concatenate([view.tag for view in views]).astype(np.uint8),
            np.concatenate([view.groups for view in views], axis=1),
            np.concatenate([view.words for view in views]),
            np.concatenate([_steps(example.shares) for example in all_]),
        )

    @property
    def start(self) -> NDArray[np.int64]:
        """Where in the columns each example begins, and the end."""
        return np.array([0, *accumulate(self.size.tolist())], np.int64)

    @property
    def labels(self) -> NDArray[np.float64]:
        """The share of each block's words that are gold, NaN where nobody knows."""
        return np.where(self.shares == UNKNOWN, np.nan, self.shares / SHARES)

    @property
    def digest(self) -> str:
        """A hash of what a network learns from: the same wherever the same pages were packed by the same version."""
        whole = hashlib.sha256(json.dumps([_fingerprint(), self.vocabulary, *map(asdict, self.about)]).encode())
        for name in ARRAYS:
            whole.update(np.ascontiguousarray(getattr(self, name)).tobytes())
        return whole.hexdigest()

    def places(self, examples: Iterable[int]) -> NDArray[np.int64]:
        """Return where in the columns the blocks of some examples stand."""
        start = self.start
        return np.concatenate([np.arange(start[number], start[number + 1]) for number in examples])

    def plain(self) -> list[int]:
        """Return the numbers of the pages as they are, without variants."""
        return [number for number, about in enumerate(self.about) if about.variant == PLAIN]

    def variants(self, pages: Sequence[int]) -> list[list[int]]:
        """Return all examples made of each page, itself among them; grafts only on pages that are among these, too.

        So a model that must not see a site, or a set, sees nothing of it round other pages' text.
        """
        found: dict[str, list[int]] = {self.about[page].name: [] for page in pages}
        for number, about in enumerate(self.about):
            if about.name in found and (not about.host or about.host in found):
                found[about.name].append(number)
        return list(found.values())

    def save(self, path: Path) -> None:
        """Write everything to one file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {
            "format": FORMAT,
            "features": _fingerprint(),
            "probe": _probed().tolist(),
            "about": [asdict(about) for about in self.about],
            "vocabulary": self.vocabulary,
            "licences": dict(self.licences),
            "skipped": dict(self.skipped),
        }
        arrays = {name: getattr(self, name) for name in ARRAYS}
        # Whole, or not there at all: half a file would be taken for a finished one by the next run.
        part = path.with_name(path.name + ".part")
        with part.open("wb") as file:
            np.savez_compressed(file, json=np.frombuffer(json.dumps(record).encode(), np.uint8), **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as file:
                record = json.loads(bytes(file["json"]))
                arrays = {name: file[name] for name in ARRAYS}
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{path} is no file of packed features ({error}); remove it and make it again") from error
        same = record["format"] == FORMAT and record["features"] == _fingerprint()
        if not same or not np.allclose(record["probe"], _probed(), atol=PROBE_ERROR):
            raise InputError(f"{path} has other features than this version computes; remove it and make it again")
        about = tuple(About(**entry) for entry in record["about"])
        return cls(about, tuple(record["vocabulary"]), record["licences"], record["skipped"], **arrays)


ARRAYS: Final = (
    "size", "page", "whole", "high", "numbers", "near", "anywhere", "above", "tag", "groups", "words", "shares",
)  # fmt: skip


def _fingerprint() -> list[object]:
    """Return what must be the same where features are made and where they are used."""
    return [list(NAMES), list(PAGE_NAMES), list(ABOVE), TAGS]


def _probed() -> NDArray[np.float32]:
    page = Page.from_html(PROBE)
    return view(page, cut(page), Vocabulary.of(())).matrix


def _quantised(matrices: list[NDArray[np.float32]]) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Return the highest value of every feature, and all values as shares of it, feature by feature to save memory."""
    features, blocks = len(matrices[0]), sum(matrix.shape[1] for matrix in matrices)
    high, numbers = np.empty(features, np.float32), np.empty((features, blocks), np.uint16)
    for row in range(features):
        values = np.concatenate([matrix[row] for matrix in matrices])
        high[row] = max(float(np.quantile(values, HIGHEST)), LEAST_HIGH)
        numbers[row] = np.round(np.clip(values / high[row], 0, 1) * TOP)
    return high, numbers


def _bits(numbers: Longs, size: int) -> Bytes:
    """Return bits as the features have them, eight a byte and none between."""
    return np.packbits(unpacked(numbers, size), axis=1, bitorder="little")


def _steps(shares: NDArray[np.float64]) -> Bytes:
    """Return labels in steps.

    >>> _steps(np.array([0.0, 0.5, 1.0, np.nan])).tolist()
    [0, 100, 200, 255]
    """
    return np.where(np.isnan(shares), UNKNOWN, np.round(np.nan_to_num(shares) * SHARES)).astype(np.uint8)

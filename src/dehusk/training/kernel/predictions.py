"""Predictions: logits for pages that a model has not seen, kept in a file to be measured later on the real text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import InputError
from dehusk.training.columns import Longs
from dehusk.training.packed import save_arrays

Logits = NDArray[np.float16]


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Pages by corpus and id, and the logits of main text of all their blocks, one page after the other."""

    corpus: tuple[str, ...]
    id: tuple[str, ...]
    size: Longs
    logits: Logits
    maker: str = ""  # a hash of features and recipe

    def __len__(self) -> int:
        return len(self.id)

    def __iter__(self) -> Iterator[tuple[tuple[str, str], Logits]]:
        ends = np.cumsum(self.size)
        parts = np.split(self.logits, ends[:-1]) if len(self) else []
        return zip(zip(self.corpus, self.id, strict=True), parts, strict=True)

    @classmethod
    def of(cls, pages: Iterable[tuple[tuple[str, str], NDArray[np.floating]]], maker: str = "") -> Self:
        """Make predictions from pairs of (corpus, id) and logits.

        >>> predictions = Predictions.of([(("mine", "a"), np.array([1.5, -2.0])), (("mine", "b"), np.array([0.5]))])
        >>> [(name, logits.tolist()) for name, logits in predictions]
        [(('mine', 'a'), [1.5, -2.0]), (('mine', 'b'), [0.5])]
        """
        all_ = list(pages)
        names = [name for name, _ in all_]
        size = np.array([len(logits) for _, logits in all_], np.int64)
        logits = np.concatenate([np.zeros(0, np.float16), *(logits.astype(np.float16) for _, logits in all_)])
        return cls(tuple(corpus for corpus, _ in names), tuple(page for _, page in names), size, logits, maker)

    def without(self, corpus: str) -> Self:
        """Return the predictions for all pages but those of one set."""
        return type(self).of(((name, logits) for name, logits in self if name[0] != corpus), self.maker)

    def save(self, path: Path) -> None:
        """Write everything to one file."""
        strings = {name: np.array(getattr(self, name), np.str_) for name in ("corpus", "id", "maker")}
        save_arrays(path, {**strings, "size": self.size, "logits": self.logits})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as file:
                names = tuple(file["corpus"].tolist()), tuple(file["id"].tolist())
                return cls(*names, file["size"], file["logits"], str(file["maker"]))
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{path} is not a file of predictions ({error}); remove it to rebuild it") from error


def joined(parts: Iterable[Predictions]) -> Predictions:
    """Return several predictions joined into one."""
    return Predictions.of(page for part in parts for page in part)
